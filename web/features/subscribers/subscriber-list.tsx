import { Suspense, useState } from "react";
import { type Subscriber, subscribersPageSize } from "#contract/subscribers.ts";
import { frequencies, subscriberStatuses } from "#contract/subscriptions.ts";
import { Button } from "../../ui/button.tsx";
import { type Column, DataTable, RowMenu, TableFilters } from "../../ui/data-table.tsx";
import { DownloadButton } from "../../ui/download-button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Input } from "../../ui/input.tsx";
import { Note, Row } from "../../ui/layout.tsx";
import { lazyPart } from "../../ui/lazy-part.tsx";
import { ListSection } from "../../ui/list-section.tsx";
import { Select } from "../../ui/select.tsx";
import { StatusLabel } from "../../ui/status-label.tsx";
import { day } from "../../lib/moment.ts";
import { toasts } from "../../lib/toasts.ts";
import { usePageTurn } from "../../lib/use-page-turn.ts";
import { frequencyLabels, statusLabels } from "./status-labels.ts";
import { defaultView, searchMaxLength, type SubscriberView } from "./subscriber-view.ts";
import { useSubscribers, useTopics } from "./use-subscribers.ts";

const ConfirmAction = lazyPart(() => import("../../ui/confirm-dialog.tsx"), "ConfirmAction");
const AddDialog = lazyPart(() => import("./add-dialog.tsx"), "AddDialog");
const ImportDialog = lazyPart(() => import("./import-dialog.tsx"), "ImportDialog");

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
  const unknownTopic = view.tag !== undefined && !topics.some(({ key }) => key === view.tag) ? [view.tag] : [];
  const choose = (changes: Partial<SubscriberView>) => {
    turn(undefined);
    list.choose(changes);
  };
  const columns: Column<Subscriber>[] = [
    { header: "Email", cell: ({ email }) => email, isRowHeader: true },
    { header: "Status", cell: ({ status }) => <StatusLabel {...statusLabels[status]} />, width: "9rem" },
    {
      header: "Frequency and topics",
      cell: (subscriber) => (
        <>
          {frequencyLabels[subscriber.frequency]}
          <Note>{topicsOf(subscriber, label)}</Note>
        </>
      ),
      width: "16rem",
      card: "wide",
    },
    {
      header: "Since",
      cell: ({ confirmed_at, created_at }) => <time dateTime={confirmed_at ?? created_at}>{day(confirmed_at ?? created_at)}</time>,
      width: "8rem",
      style: "small",
    },
  ];
  return (
    <ListSection
      id="subscribers"
      title="Subscribers"
      heading={heading}
      action={
        <Row>
          <Button icon="upload" onClick={() => setOpen("import")}>
            Import
          </Button>
          {!isEmpty && (
            <DownloadButton file={list.file} failure="Couldn't export the subscribers">
              {isFiltered ? "Export filtered" : "Export"}
            </DownloadButton>
          )}
          {!isEmpty && adding}
        </Row>
      }
    >
      {!isEmpty && (
        <TableFilters label="Subscribers">
          <Input
            type="search"
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
            aria-label="Status"
            value={view.status}
            options={[["all", "Any status"], ...subscriberStatuses.map((one) => [one, statusLabels[one].label] as const)]}
            onChange={(status) => choose({ status })}
          />
          <Select
            aria-label="Frequency"
            value={view.frequency}
            options={[["all", "Any frequency"], ...frequencies.map((one) => [one, frequencyLabels[one]] as const)]}
            onChange={(frequency) => choose({ frequency })}
          />
          <Select
            aria-label="Topic"
            value={view.tag ?? ""}
            options={[
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
        </TableFilters>
      )}
      <DataTable
        aria-labelledby="subscribers"
        columns={columns}
        rows={data?.subscribers}
        rowKey={({ id }) => id}
        load={{ noun: "the subscribers", error, onRetry: () => void list.reload(), stale }}
        empty={
          isEmpty ? (
            <EmptyState
              drawing="letter"
              level={3}
              title="No subscribers yet"
              text="There's a sign-up form on your public page and every post. You can also add people or import a list."
              action={adding}
            />
          ) : (
            <EmptyState drawing="search" level={3} title="No matching subscribers" text="Try another search or fewer filters." />
          )
        }
        actions={(subscriber) => (
          <RowMenu
            label={`Actions for ${subscriber.email}`}
            choices={[
              { label: "Remove from list", icon: "times", onChoose: () => setRemoving({ subscriber, erase: false }) },
              { label: "Permanently erase", icon: "trash", danger: true, onChoose: () => setRemoving({ subscriber, erase: true }) },
            ]}
          />
        )}
        pager={
          data && {
            label: "Subscriber pages",
            status: formatRange(data.pagination),
            page,
            pages: data.pagination.pages,
            onPage: (to) => {
              turn(to);
              list.goTo(to);
            },
          }
        }
      />
      <Suspense>
        {removing && (
          <ConfirmAction
            {...(removing.erase ? erasing : removal)(removing.subscriber.email)}
            danger
            act={async () => {
              await list.remove(removing.subscriber.id, removing.erase);
              toasts.success(
                removing.erase ? "Subscriber erased" : "Subscriber removed",
                `${removing.subscriber.email} won't get any more emails`,
              );
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
    </ListSection>
  );
}

const removal = (email: string) => ({
  title: "Remove this subscriber?",
  confirm: "Remove",
  failure: "Couldn't remove the subscriber",
  children: <p>{email} won't get any more emails. You can add the address again later, and its owner must confirm.</p>,
});

/** Also blocks the address. */
const erasing = (email: string) => ({
  title: "Permanently erase this subscriber?",
  confirm: "Erase",
  failure: "Couldn't erase the subscriber",
  children: (
    <p>
      {email} won't get any more emails, and their data is permanently deleted. The address is also blocked: only they can subscribe again.
    </p>
  ),
});

function topicsOf({ tags }: Subscriber, label: (key: string) => string): string {
  if (tags === null) return "Everything";
  return tags.length === 0 ? "Nothing (all selected topics were deleted)" : tags.map(label).join(", ");
}

function formatRange({ page, pages, total }: { page: number; pages: number; total: number }): string {
  if (pages <= 1) return total === 1 ? "1 reader" : `${total.toLocaleString()} readers`;
  const [from, to] = [(page - 1) * subscribersPageSize + 1, Math.min(page * subscribersPageSize, total)];
  return `${from.toLocaleString()}–${to.toLocaleString()} of ${total.toLocaleString()}`;
}
