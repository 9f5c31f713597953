import { lazy, Suspense, useState } from "react";
import type { Subscriber } from "#contract/subscribers.ts";
import { frequencyLabels, subscriberStatuses } from "#contract/subscriptions.ts";
import { Button } from "../../components/button.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { Failure } from "../../components/failure.tsx";
import { IconButton } from "../../components/icon-button.tsx";
import { Input } from "../../components/input.tsx";
import { Loading, Skeleton } from "../../components/skeleton.tsx";
import { ApiError } from "../../lib/api-client.ts";
import { toasts } from "../../lib/toasts.ts";
import { type StatusFilter, useSubscribers } from "./use-subscribers.ts";
import css from "./subscriber-list.module.css";

const ConfirmDialog = lazy(() => import("../../components/confirm-dialog.tsx").then((module) => ({ default: module.ConfirmDialog })));

const statusWords: Readonly<Record<Subscriber["status"], string>> = {
  pending: "Not confirmed",
  active: "Subscribed",
  paused: "Paused: mails came back",
  left: "Left",
  suppressed: "Blocked: mails came back or were reported",
};

/** Everybody who gets mails, or did: found by address and status, fifty a page, each can be removed. */
export function SubscriberList({ workspaceId }: { workspaceId: string }) {
  const { data, error, page, status, q, setPage, choose, search, reload, remove } = useSubscribers(workspaceId);
  const [leaver, setLeaver] = useState<Subscriber>();
  const [busy, setBusy] = useState(false);

  async function takeOff({ id, email }: Subscriber) {
    setBusy(true);
    try {
      await remove(id, true);
      toasts.success("Subscriber removed", `${email} gets no more mails`);
      setLeaver(undefined);
    } catch (error) {
      toasts.error("The subscriber was not removed", error instanceof ApiError ? error.message : "Please try again later");
    } finally {
      setBusy(false);
    }
  }

  const isNarrowed = status !== "all" || q.trim() !== "";
  return (
    <section aria-labelledby="subscribers">
      <header className={css.head}>
        <h2 id="subscribers">Who gets mails</h2>
        <div className={css.filters}>
          <Input
            type="search"
            aria-label="Search by address"
            placeholder="Search by address"
            value={q}
            onChange={(event) => search(event.target.value)}
          />
          <select
            aria-label="Status"
            className={css.select}
            value={status}
            onChange={(event) => choose(event.target.value as StatusFilter)}
          >
            <option value="all">Any status</option>
            {subscriberStatuses.map((one) => (
              <option key={one} value={one}>
                {statusWords[one].split(":")[0]}
              </option>
            ))}
          </select>
        </div>
      </header>
      {!data && error ? (
        <Failure
          title="The subscribers could not be read"
          text={error.message}
          action={
            <Button icon="refresh" onClick={() => void reload()}>
              Try again
            </Button>
          }
        />
      ) : !data ? (
        <Loading label="Loading the subscribers">
          <div className={css.waiting}>
            {[1, 2, 3].map((row) => (
              <Skeleton key={row} height="2.75rem" />
            ))}
          </div>
        </Loading>
      ) : data.subscribers.length === 0 ? (
        <EmptyState
          drawing={isNarrowed ? "search" : "desk"}
          level={3}
          title={isNarrowed ? "Nobody found" : "Nobody is subscribed yet"}
          text={isNarrowed ? "Another part of the address may find them." : "Your public page has a form at the end of each post."}
        />
      ) : (
        <table className={css.table} aria-labelledby="subscribers">
          <thead>
            <tr>
              <th scope="col">ADDRESS</th>
              <th scope="col">HOW OFTEN</th>
              <th scope="col">SINCE</th>
              <th scope="col">ACTIONS</th>
            </tr>
          </thead>
          <tbody>
            {data.subscribers.map((one) => (
              <tr key={one.id}>
                <th scope="row">
                  <span className={css.email}>{one.email}</span>
                  <span className={css.muted}>{statusWords[one.status]}</span>
                </th>
                <td>
                  {frequencyLabels[one.frequency].split(",")[0]}
                  {one.tags && <span className={css.muted}> · {one.tags.join(", ")}</span>}
                </td>
                <td className={css.muted}>
                  <time dateTime={one.confirmed_at ?? one.created_at}>
                    {new Date(one.confirmed_at ?? one.created_at).toLocaleDateString(undefined, { dateStyle: "medium" })}
                  </time>
                </td>
                <td>
                  <IconButton icon="trash" label={`Remove ${one.email}`} onClick={() => setLeaver(one)} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {data && data.pagination.pages > 1 && (
        <nav className={css.pages} aria-label="Pages of subscribers">
          <Button disabled={page <= 1} onClick={() => setPage(page - 1)}>
            Previous
          </Button>
          <span role="status">
            Page {page} of {data.pagination.pages}
          </span>
          <Button disabled={page >= data.pagination.pages} onClick={() => setPage(page + 1)}>
            Next
          </Button>
        </nav>
      )}
      <Suspense>
        {leaver && (
          <ConfirmDialog
            title="Remove this subscriber?"
            confirm="Remove"
            danger
            busy={busy}
            onConfirm={() => void takeOff(leaver)}
            onClose={() => setLeaver(undefined)}
          >
            <p>
              {leaver.email} gets no more mails, and everything stored about this reader is erased. They can subscribe again by themselves.
            </p>
          </ConfirmDialog>
        )}
      </Suspense>
    </section>
  );
}
