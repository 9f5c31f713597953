import type { Webhook } from "#contract/webhooks.ts";
import { Icon } from "../../components/icon.tsx";
import { moment } from "../../lib/moment.ts";
import { stateOf } from "./webhook-labels.ts";
import css from "../../components/table-section.module.css";

/** How a webhook is, in colour, shape and word. */
export function WebhookState({ webhook }: { webhook: Webhook }) {
  const { look, icon, words, why } = stateOf(webhook);
  const since = webhook.enabled ? webhook.failing_since : webhook.off_at;
  return (
    <span className={`${css.state} ${css[look]}`}>
      <Icon name={icon} />
      <span>
        {words}
        {since && <span className={css.muted}> since {moment(since)}</span>}
        {why && `: ${why}`}
      </span>
    </span>
  );
}
