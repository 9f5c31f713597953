import type { ComponentProps } from "react";
import { Button } from "../../ui/button.tsx";
import { type Column, DataTable, type DataTableProps } from "../../ui/data-table.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Note, Row, Text } from "../../ui/layout.tsx";
import { StatusLabel } from "../../ui/status-label.tsx";
import { isFileLink } from "#importers/markdown/file-links.ts";
import type { EntryState } from "#contract/imports.ts";
import { canBeTicked, dayOf, type SourcePost, shortAddress, stateLabels } from "./preview.ts";

/** A post with its index in `found.posts`. */
export interface Entry {
  place: number;
  found: SourcePost;
}

interface EntryTableProps extends Pick<DataTableProps<Entry>, "rows" | "empty" | "pager"> {
  ticked: ReadonlySet<number>;
  onTick: (place: number, on: boolean) => void;
  onPreview: (post: SourcePost) => void;
  onCompare: (post: SourcePost) => void;
}

export function EntryTable({ ticked, onTick, onPreview, onCompare, ...table }: EntryTableProps) {
  return (
    <DataTable
      {...table}
      aria-labelledby="import-preview"
      rowKey={({ place }) => place}
      selection={{
        label: ({ found }) => `Import “${found.post.title}”`,
        has: ({ place }) => ticked.has(place),
        can: ({ found }) => canBeTicked(found),
        set: ({ place }, on) => onTick(place, on),
      }}
      columns={[
        ...columns,
        {
          header: "State",
          cell: ({ found }) => <State found={found} onPreview={onPreview} onCompare={onCompare} />,
          width: "11rem",
        },
      ]}
    />
  );
}

const columns: readonly Column<Entry>[] = [
  {
    header: "Title",
    cell: ({ found: { post, problem, losses } }) => (
      <>
        {post.title}
        {problem !== null && (
          <Text size="small" tone="danger">
            <Icon name="exclamation-circle" /> {problem}
          </Text>
        )}
        {losses.length > 0 && <Losses losses={losses} />}
      </>
    ),
    isRowHeader: true,
  },
  { header: "Date", cell: ({ found }) => formatDate(found.post), width: "7.5rem", style: "small", card: "wide" },
  { header: "Tags", cell: ({ found }) => found.post.tags?.join(", "), width: "8rem", style: "small", card: "wide" },
  { header: "URL", cell: ({ found }) => <Address {...found.post} />, width: "12rem", style: "small", card: "wide" },
];

type StateProps = Pick<EntryTableProps, "onPreview" | "onCompare"> & { found: SourcePost };

function State({ found, onPreview, onCompare }: StateProps) {
  const { post, state, postId } = found;
  const { word, note } = stateLabels[state];
  return (
    <Row gap={1}>
      <StatusLabel label={word} note={note} {...stateStyles[state]} />
      {canBeTicked(found) && (
        <Button variant="quiet" size="small" aria-label={`Preview “${post.title}”`} onClick={() => onPreview(found)}>
          Preview
        </Button>
      )}
      {canBeTicked(found) && postId !== null && state !== "same" && (
        <Button variant="quiet" size="small" aria-label={`Compare “${post.title}”`} onClick={() => onCompare(found)}>
          Compare
        </Button>
      )}
    </Row>
  );
}

function Losses({ losses }: { losses: readonly string[] }) {
  return (
    <Note as="details">
      <summary>{losses.length === 1 ? "1 formatting change" : `${losses.length.toLocaleString()} formatting changes`}</summary>
      <ul>
        {losses.map((loss) => (
          <li key={loss}>{loss}</li>
        ))}
      </ul>
    </Note>
  );
}

/** New and old URL. */
function Address({ slug, old_urls = [] }: SourcePost["post"]) {
  const oldUrls = old_urls.filter((url) => !isFileLink(url));
  const [first, ...more] = oldUrls;
  if (!slug && !first) return "Generated from title";
  return (
    <>
      {slug && <Text tone="text">/{slug}</Text>}
      {first && (
        <p title={oldUrls.map(shortAddress).join("\n")}>
          was {shortAddress(first)}
          {more.length > 0 && ` and ${more.length} more`}
        </p>
      )}
    </>
  );
}

const stateStyles: Readonly<Record<EntryState, Pick<ComponentProps<typeof StatusLabel>, "icon" | "tone">>> = {
  new: { icon: "plus", tone: "ok" },
  same: { icon: "check", tone: "muted" },
  there: { icon: "refresh", tone: "accent" },
  here: { icon: "pencil", tone: "warn" },
  both: { icon: "exclamation-triangle", tone: "warn" },
  gone: { icon: "trash", tone: "muted" },
};

function formatDate({ status, published_at, publish_at }: SourcePost["post"]): string {
  if (status === "draft") return "Draft";
  if (status === "scheduled") return publish_at ? `Scheduled, ${dayOf(publish_at)}` : "Scheduled";
  const when = published_at ? dayOf(published_at) : "No date";
  return status === "archived" ? `Archived, ${when}` : when;
}
