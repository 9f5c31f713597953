import { useEffect, useState } from "react";
import type { Delivery, Webhook } from "#contract/webhooks.ts";
import { deliveryLogDays } from "#contract/webhooks.ts";
import { Button } from "../../components/button.tsx";
import { ChoiceGroup } from "../../components/choice-group.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { ListNotRead, RowsNotRead } from "../../components/list-not-read.tsx";
import { ApiError } from "../../lib/api-client.ts";
import { toasts } from "../../lib/toasts.ts";
import { useLatest } from "../../lib/use-latest.ts";
import { DeliveryRow } from "./delivery-row.tsx";
import { type DeliveryFilter, useDeliveries } from "./use-webhooks.ts";
import css from "./delivery-log.module.css";

const filters: readonly { value: DeliveryFilter; label: string }[] = [
  { value: "all", label: "All" },
  { value: "done", label: "Arrived" },
  { value: "waiting", label: "Waiting" },
  { value: "failed", label: "Failed" },
];

interface DeliveryLogProps {
  workspaceId: string;
  webhook: Webhook;
  /** How many tests were sent from this page: the list is looked at again. */
  sent: number;
}

/** Everything that was sent to one of them, and how it went. */
export function DeliveryLog({ workspaceId, webhook, sent }: DeliveryLogProps) {
  const [filter, setFilter] = useState<DeliveryFilter>("all");
  const log = useDeliveries(workspaceId, webhook.id, filter);
  const { deliveries, error } = log;
  const [busy, setBusy] = useState<string>();
  const reload = useLatest(log.reload);
  useEffect(() => {
    if (sent > 0) void reload.current();
  }, [sent, reload]);

  async function resend({ id, event }: Delivery) {
    setBusy(id);
    try {
      await log.resend(id);
      toasts.success("On its way again", event.about ?? undefined);
    } catch (error) {
      toasts.error("It was not sent again", error instanceof ApiError ? error.message : "Please try again later");
    } finally {
      setBusy(undefined);
    }
  }

  return (
    <section aria-labelledby="deliveries">
      <header className={css.head}>
        <h2 id="deliveries">Deliveries</h2>
        {webhook.enabled && <ResendFailed resend={log.resendFailed} />}
      </header>
      <ChoiceGroup legend="Which deliveries" hideLegend choices={filters} value={filter} onChange={setFilter} />
      {!deliveries || (error && deliveries.length === 0) ? (
        <ListNotRead what="the deliveries" error={error} rows={4} onRetry={() => void log.reload()} />
      ) : deliveries.length === 0 ? (
        filter === "all" ? (
          <EmptyState
            drawing="letter"
            level={3}
            title="Nothing was sent yet"
            text={`Send a test, or publish a post. Deliveries are kept here for ${deliveryLogDays} days.`}
          />
        ) : (
          <EmptyState drawing="search" level={3} title="None of these" text="Choose “All” to see every delivery." />
        )
      ) : (
        <>
          <ul role="list" className={css.list} aria-labelledby="deliveries">
            {deliveries.map((delivery) => (
              <DeliveryRow
                key={delivery.id}
                workspaceId={workspaceId}
                kind={webhook.kind}
                delivery={delivery}
                busy={busy === delivery.id}
                onResend={webhook.enabled ? () => void resend(delivery) : undefined}
              />
            ))}
          </ul>
          {log.more && (
            <div className={css.foot}>
              <Button busy={log.isLoadingMore} onClick={log.more}>
                Show older
              </Button>
            </div>
          )}
          {error && <RowsNotRead error={error} onRetry={() => void log.reload()} />}
        </>
      )}
    </section>
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
  const [busy, setBusy] = useState(false);

  async function send() {
    setBusy(true);
    try {
      const count = await resend(new Date(Date.now() - hours[within]! * 3_600_000).toISOString());
      if (count === 0) toasts.success("Nothing to send again", `Whatever failed in ${within} has arrived since, or nothing failed`);
      else toasts.success(count === 1 ? "1 delivery is on its way again" : `${count.toLocaleString()} deliveries are on their way again`);
    } catch (error) {
      toasts.error("Nothing was sent again", error instanceof ApiError ? error.message : "Please try again later");
    } finally {
      setBusy(false);
    }
  }

  return (
    <div className={css.again}>
      <select aria-label="What failed in" value={within} className={css.select} onChange={({ target }) => setWithin(target.value)}>
        {Object.keys(hours).map((words) => (
          <option key={words} value={words}>
            Failed in {words}
          </option>
        ))}
      </select>
      <Button icon="refresh" busy={busy} onClick={() => void send()}>
        Send all again
      </Button>
    </div>
  );
}
