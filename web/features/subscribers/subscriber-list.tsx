import { Suspense, useState } from "react";
import { type Subscriber, subscribersPageSize } from "#contract/subscribers.ts";
import { frequencies, subscriberStatuses } from "#contract/subscriptions.ts";
import { Button } from "../../ui/button.tsx";
import { DownloadButton } from "../../ui/download-button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Input } from "../../ui/input.tsx";
import { lazyPart } from "../../ui/lazy-part.tsx";
import { ListLoading, StaleRowsError } from "../../ui/list-loading.tsx";
import { PopupMenu } from "../../ui/popup-menu.tsx";
import { StatusLabel } from "../../ui/status-label.tsx";
import { day } from "../../lib/moment.ts";
import { usePageTurn } from "../../lib/use-page-turn.ts";
import { frequencyLabels, statusLabels } from "./status-labels.ts";
import { defaultView, searchMaxLength, type SubscriberView } from "./subscriber-view.ts";
import { useSubscribers, useTopics } from "./use-subscribers.ts";
import css from "./subscriber-list.module.css";

const RemoveDialog = lazyPart(
  () => import("./remove-dialog.tsx"),
  (part) => part.RemoveDialog,
);
const AddDialog = lazyPart(
  () => import("./add-dialog.tsx"),
  (part) => part.AddDialog,
);
const ImportDialog = lazyPart(
  () => import("./import-dialog.tsx"),
  (part) => part.ImportDialog,
);

interface SubscriberListProps {
  workspaceId: string;
  /** Refreshes the counts. */
  onChanged: () => void;
}

/** Searchable, filterable list with import and export, fifty a page. */
export function SubscriberList({ workspaceId, onChanged }: SubscriberListProps) {
  const list = useSubscribers(workspaceId);
  const { data, error, page, view, stale, isFiltered, isEmpty } = list;
  const { topics, label } = useTopics(workspaceId);
  const { heading, turn } = usePageTurn(stale || error ? undefined : page);
  const [removing, setRemoving] = useState<{ subscriber: Subscriber; erase: boolean }>();
  const [open, setOpen] = useState<"add" | "import">();
  const [pasted, setPasted] = useState(""); // kept when the dialog closes by accident

  const adding = (
    <Button variant="primary" icon="user-plus" onClick={() => setOpen("add")}>
      Add subscriber
    </Button>
  );
  const hasRows = data !== undefined && data.subscribers.length > 0;
  const unknownTopic = view.tag !== undefined && !topics.some(({ key }) => key === view.tag) ? [view.tag] : [];
  const choose = (changes: Partial<SubscriberView>) => {
    turn(undefined);
    list.choose(changes);
  };
  return (
    <section aria-labelledby="subscribers">
      <header className={css.head}>
        <h2 ref={heading} tabIndex={-1} id="subscribers">
          Subscribers
        </h2>
        <div className={css.actions}>
          <Button icon="upload" onClick={() => setOpen("import")}>
            Import
          </Button>
          {!isEmpty && (
            <DownloadButton file={list.file} failure="Couldn't export the subscribers">
              {isFiltered ? "Export filtered" : "Export"}
            </DownloadButton>
          )}
          {!isEmpty && adding}
        </div>
      </header>
      {!isEmpty && (
        <div className={css.filters} role="search" aria-label="Subscribers">
          <Input
            type="search"
            className={css.search}
            aria-label="Search by email"
            placeholder="Search by email"
            maxLength={searchMaxLength}
            value={view.search}
            onChange={({ target }) => {
              turn(undefined);
              list.type(target.value);
            }}
          />
          <Select
            label="Status"
            value={view.status}
            choices={[["all", "Any status"], ...subscriberStatuses.map((one) => [one, statusLabels[one].label] as const)]}
            onChange={(status) => choose({ status })}
          />
          <Select
            label="Frequency"
            value={view.frequency}
            choices={[["all", "Any frequency"], ...frequencies.map((one) => [one, frequencyLabels[one]] as const)]}
            onChange={(frequency) => choose({ frequency })}
          />
          <Select
            label="Topic"
            value={view.tag ?? ""}
            choices={[
              ["", "Any topic"],
              ...[...topics.map(({ key }) => key), ...unknownTopic].map((key) => [key, `Chose ${label(key)}`] as const),
            ]}
            onChange={(tag) => choose({ tag: tag || undefined })}
          />
          {isFiltered && (
            <Button variant="quiet" icon="filter-slash" onClick={() => choose(defaultView)}>
              Clear filters
            </Button>
          )}
        </div>
      )}
      {!data || (!hasRows && (stale || error)) ? (
        <ListLoading label="the subscribers" error={error} rows={5} onRetry={() => void list.reload()} />
      ) : isEmpty ? (
        <EmptyState
          drawing="letter"
          level={3}
          title="No subscribers yet"
          text="There's a sign-up form on your public page and every post. You can also add people or import a list."
          action={adding}
        />
      ) : !hasRows ? (
        <EmptyState drawing="search" level={3} title="No matching subscribers" text="Try another search or fewer filters." />
      ) : (
        <table className={css.table} aria-labelledby="subscribers" aria-busy={stale && !error}>
          <thead>
            <tr>
              <th scope="col">EMAIL</th>
              <th scope="col">STATUS</th>
              <th scope="col">FREQUENCY AND TOPICS</th>
              <th scope="col">SINCE</th>
              <th scope="col">
                <span className="visually-hidden">ACTIONS</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {data.subscribers.map((one) => (
              <tr key={one.id}>
                <th scope="row" className={css.email}>
                  {one.email}
                </th>
                <td>
                  <StatusLabel {...statusLabels[one.status]} />
                </td>
                <td className={css.choice}>
                  {frequencyLabels[one.frequency]}
                  <span className={css.muted}>{topicsOf(one, label)}</span>
                </td>
                <td className={css.since}>
                  <time dateTime={one.confirmed_at ?? one.created_at}>{day(one.confirmed_at ?? one.created_at)}</time>
                </td>
                <td className={css.more}>
                  <PopupMenu
                    className={css.menu}
                    label={`Actions for ${one.email}`}
                    choices={[
                      { label: "Remove from list", icon: "times", onChoose: () => setRemoving({ subscriber: one, erase: false }) },
                      {
                        label: "Permanently erase",
                        icon: "trash",
                        danger: true,
                        onChoose: () => setRemoving({ subscriber: one, erase: true }),
                      },
                    ]}
                  >
                    <Icon name="ellipsis-h" />
                  </PopupMenu>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {hasRows && (
        <Pages
          {...data.pagination}
          shown={data.pagination.page}
          page={page}
          onPage={(to) => {
            turn(to);
            list.goTo(to);
          }}
        />
      )}
      {hasRows && error && <StaleRowsError error={error} onRetry={() => void list.reload()} />}
      <Suspense>
        {removing && (
          <RemoveDialog
            {...removing}
            remove={async () => {
              await list.remove(removing.subscriber.id, removing.erase);
              onChanged();
            }}
            onClose={() => setRemoving(undefined)}
          />
        )}
        {open === "add" && (
          <AddDialog
            topics={topics}
            add={async (body) => {
              const answer = await list.add(body);
              onChanged();
              return answer;
            }}
            onClose={() => setOpen(undefined)}
          />
        )}
        {open === "import" && (
          <ImportDialog
            workspaceId={workspaceId}
            topics={topics.map(({ key }) => key)}
            text={pasted}
            onText={setPasted}
            onImported={() => {
              void list.reload();
              onChanged();
            }}
            onClose={() => setOpen(undefined)}
          />
        )}
      </Suspense>
    </section>
  );
}

function topicsOf({ tags }: Subscriber, label: (key: string) => string): string {
  if (tags === null) return "Everything";
  return tags.length === 0 ? "Nothing (all selected topics were deleted)" : tags.map(label).join(", ");
}

interface SelectProps<Value extends string> {
  label: string;
  value: Value;
  choices: readonly (readonly [Value, string])[];
  onChange: (value: Value) => void;
}

function Select<Value extends string>({ label, value, choices, onChange }: SelectProps<Value>) {
  return (
    <select aria-label={label} className={css.select} value={value} onChange={({ target }) => onChange(target.value as Value)}>
      {choices.map(([key, words]) => (
        <option key={key} value={key}>
          {words}
        </option>
      ))}
    </select>
  );
}

interface PagesProps {
  /** Requested page. */
  page: number;
  /** Page of the rows shown. */
  shown: number;
  pages: number;
  total: number;
  onPage: (page: number) => void;
}

function Pages({ page, shown, pages, total, onPage }: PagesProps) {
  const [from, to] = [(shown - 1) * subscribersPageSize + 1, Math.min(shown * subscribersPageSize, total)];
  const part = `${from.toLocaleString()}–${to.toLocaleString()} of ${total.toLocaleString()}`;
  return (
    <nav className={css.pages} aria-label="Subscriber pages">
      <span role="status" className={css.muted}>
        {pages > 1 ? part : total === 1 ? "1 reader" : `${total.toLocaleString()} readers`}
      </span>
      {pages > 1 && (
        <span className={css.turn}>
          <Button disabled={page <= 1} onClick={() => onPage(page - 1)}>
            Previous
          </Button>
          <Button disabled={page >= pages} onClick={() => onPage(page + 1)}>
            Next
          </Button>
        </span>
      )}
    </nav>
  );
}
