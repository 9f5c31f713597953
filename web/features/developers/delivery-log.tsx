import { useEffect, useState } from "react";
import type { Delivery, Webhook } from "#contract/webhooks.ts";
import { deliveryLogDays } from "#contract/webhooks.ts";
import { Button } from "../../ui/button.tsx";
import { ChoiceGroup } from "../../ui/choice-group.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Row, Stack } from "../../ui/layout.tsx";
import { ListLoading, StaleRowsError } from "../../ui/list-loading.tsx";
import { ListSection } from "../../ui/list-section.tsx";
import { Select } from "../../ui/select.tsx";
import { toasts } from "../../lib/toasts.ts";
import { useAction } from "../../lib/use-action.ts";
import { useLatest } from "../../lib/use-latest.ts";
import { DeliveryRow } from "./delivery-row.tsx";
import { type DeliveryFilter, useDeliveries } from "./use-webhooks.ts";

const filters: readonly { value: DeliveryFilter; label: string }[] = [
  { value: "all", label: "All" },
  { value: "done", label: "Delivered" },
  { value: "waiting", label: "Waiting" },
  { value: "failed", label: "Failed" },
];

interface DeliveryLogProps {
  workspaceId: string;
  webhook: Webhook;
  /** Number of tests sent from this page; reloads the list. */
  testCount: number;
}

export function DeliveryLog({ workspaceId, webhook, testCount }: DeliveryLogProps) {
  const [filter, setFilter] = useState<DeliveryFilter>("all");
  const log = useDeliveries(workspaceId, webhook.id, filter);
  const { deliveries, error } = log;
  const { running, run } = useAction();
  const reload = useLatest(log.reload);
  useEffect(() => {
    if (testCount > 0) void reload.current();
  }, [testCount, reload]);

  const resend = ({ id, event }: Delivery) =>
    run(id, "Couldn't resend", async () => {
      await log.resend(id);
      toasts.success("Resending", event.about ?? undefined);
    });

  return (
    <ListSection id="deliveries" title="Deliveries" action={webhook.enabled && <ResendFailed resend={log.resendFailed} />}>
      <ChoiceGroup legend="Filter deliveries" hideLegend choices={filters} value={filter} onChange={setFilter} />
      {!deliveries || (error && deliveries.length === 0) ? (
        <ListLoading label="the deliveries" error={error} rows={4} onRetry={() => void log.reload()} />
      ) : deliveries.length === 0 ? (
        filter === "all" ? (
          <EmptyState
            drawing="letter"
            level={3}
            title="No deliveries yet"
            text={`Send a test or publish a post. Deliveries are kept for ${deliveryLogDays} days.`}
          />
        ) : (
          <EmptyState drawing="search" level={3} title="No matching deliveries" text="Select “All” to see every delivery." />
        )
      ) : (
        <>
          <Stack as="ul" gap={0} divided role="list" aria-labelledby="deliveries">
            {deliveries.map((delivery) => (
              <DeliveryRow
                key={delivery.id}
                workspaceId={workspaceId}
                kind={webhook.kind}
                delivery={delivery}
                busy={running === delivery.id}
                onResend={webhook.enabled ? () => void resend(delivery) : undefined}
              />
            ))}
          </Stack>
          {log.more && (
            <div>
              <Button busy={log.isLoadingMore} onClick={log.more}>
                Show older
              </Button>
            </div>
          )}
          {error && <StaleRowsError error={error} onRetry={() => void log.reload()} />}
        </>
      )}
    </ListSection>
  );
}

const hours: Readonly<Record<string, number>> = {
  "the last hour": 1,
  "the last day": 24,
  "the last week": 168,
  [`the last ${deliveryLogDays} days`]: deliveryLogDays * 24,
};

function ResendFailed({ resend }: { resend: (since: string) => Promise<number> }) {
  const [within, setWithin] = useState("the last day");
  const { running, run } = useAction();

  async function send() {
    const count = await resend(new Date(Date.now() - hours[within]! * 3_600_000).toISOString());
    if (count === 0) toasts.success("Nothing to resend", `No undelivered messages in ${within}`);
    else toasts.success(count === 1 ? "Resending 1 delivery" : `Resending ${count.toLocaleString()} deliveries`);
  }

  return (
    <Row>
      <Select
        aria-label="Failed within"
        value={within}
        options={Object.keys(hours).map((span) => [span, `Failed in ${span}`])}
        onChange={setWithin}
      />
      <Button icon="refresh" busy={running !== undefined} onClick={() => void run("resend", "Couldn't resend", send)}>
        Resend all
      </Button>
    </Row>
  );
}
