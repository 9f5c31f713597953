import type { Webhook } from "#contract/webhooks.ts";
import { Icon } from "../../ui/icon.tsx";
import { moment } from "../../lib/moment.ts";
import { webhookStatus } from "./webhook-labels.ts";
import css from "../../ui/table-section.module.css";

/** Status of a webhook in colour, icon and text. */
export function WebhookState({ webhook }: { webhook: Webhook }) {
  const { look: tone, icon, words: label, why: reason } = webhookStatus(webhook);
  const since = webhook.enabled ? webhook.failing_since : webhook.off_at;
  return (
    <span className={`${css.state} ${css[tone]}`}>
      <Icon name={icon} />
      <span>
        {label}
        {since && <span className={css.muted}> since {moment(since)}</span>}
        {reason && `: ${reason}`}
      </span>
    </span>
  );
}
