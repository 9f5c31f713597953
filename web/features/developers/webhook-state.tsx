import type { Webhook } from "#contract/webhooks.ts";
import { Text } from "../../ui/layout.tsx";
import { StatusLabel } from "../../ui/status-label.tsx";
import { moment } from "../../lib/moment.ts";
import { webhookStatus } from "./webhook-labels.ts";

/** Status of a webhook, since when and why. */
export function WebhookState({ webhook }: { webhook: Webhook }) {
  const { reason, ...status } = webhookStatus(webhook);
  const since = webhook.enabled ? webhook.failing_since : webhook.off_at;
  return (
    <Text as="span" size="small">
      <StatusLabel {...status} />
      {since && ` since ${moment(since)}`}
      {reason && `: ${reason}`}
    </Text>
  );
}
