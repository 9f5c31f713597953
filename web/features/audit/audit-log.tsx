import { useId } from "react";
import { type AuditActor, auditGroups, type AuditGroup, type AuditLine } from "#contract/audit.ts";
import { Button } from "../../ui/button.tsx";
import { type Column, DataTable, TableFilters } from "../../ui/data-table.tsx";
import { DownloadButton } from "../../ui/download-button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Input } from "../../ui/input.tsx";
import { Note, Row, Stack, Text } from "../../ui/layout.tsx";
import { Select } from "../../ui/select.tsx";
import { moment } from "../../lib/moment.ts";
import { actorName, eventDetails, groupLabels, kindLabel, describeEvent } from "./audit-labels.ts";
import { type AuditView, useAudit } from "./use-audit.ts";

/** Filtered by the URL, with export. */
export function AuditLog({ workspaceId }: { workspaceId: string }) {
  const log = useAudit(workspaceId);
  const { lines, error, view, isNarrowed } = log;
  return (
    <Stack as="section" aria-label="Audit log">
      <Filters view={view} actors={log.actors} isNarrowed={isNarrowed} narrow={log.narrow} />
      <Row gap={3} justify="between">
        <Note as="span" role="status">
          {lines && lines.length > 0 && formatCount(lines.length, Boolean(log.more))}
        </Note>
        <ExportButtons isNarrowed={isNarrowed} file={log.file} />
      </Row>
      <DataTable
        aria-label="Audit log"
        columns={columns}
        rows={lines}
        rowKey={({ id }) => id}
        load={{ noun: "the audit log", error, onRetry: log.reload, skeletons: 6 }}
        empty={
          isNarrowed ? (
            <EmptyState drawing="search" title="No matching events" text="Try another period or fewer filters." />
          ) : (
            <EmptyState drawing="page" title="No events yet" text="Security-related events of this workspace will appear here." />
          )
        }
        older={{ busy: log.isLoadingMore, onShow: log.more }}
      />
    </Stack>
  );
}

const columns: readonly Column<AuditLine>[] = [
  {
    header: "When",
    cell: ({ happened_at }) => (
      <time dateTime={happened_at} title={happened_at}>
        {moment(happened_at)}
      </time>
    ),
    width: "10rem",
    style: "small",
  },
  {
    header: "Who",
    cell: ({ actor }) => (
      <Row as="span" nowrap align="baseline">
        <Text as="span" tone="muted">
          <Icon name={actor.kind === "person" ? "user" : actor.kind === "key" ? "lock" : "cog"} />
        </Text>
        <Text as="span" tone={actor.name === null ? "muted" : undefined}>
          <span className="visually-hidden">{actor.kind === "key" && actor.person === null ? "API key " : ""}</span>
          {actorName(actor)}
        </Text>
      </Row>
    ),
    width: "10rem",
    card: "title",
  },
  { header: "What", cell: (line) => <Sentence line={line} />, card: "wide" },
  { header: "Network", cell: ({ network }) => network ?? "unknown", width: "7rem", style: "small" },
];

function formatCount(count: number, more: boolean): string {
  if (more) return `The latest ${count.toLocaleString()} events`;
  return count === 1 ? "1 event" : `${count.toLocaleString()} events`;
}

function Sentence({ line }: { line: AuditLine }) {
  const { before, what, after } = describeEvent(line);
  const details = eventDetails(line);
  return (
    <>
      {before}
      {what !== null && (
        <>
          {" "}
          <strong>{what}</strong>
        </>
      )}{" "}
      {after}
      {details.length > 0 && (
        <ul role="list">
          {details.map(({ field, before, after }) => (
            <Note as="li" key={field}>
              {`${field}: `}
              {before !== undefined && (
                <>
                  <del>{before}</del> <span aria-hidden="true">→ </span>
                </>
              )}
              {after}
            </Note>
          ))}
        </ul>
      )}
    </>
  );
}

interface FiltersProps {
  view: AuditView;
  actors: readonly AuditActor[];
  isNarrowed: boolean;
  narrow: (changes: AuditView) => void;
}

function Filters({ view, actors, isNarrowed, narrow }: FiltersProps) {
  const groups = Object.keys(auditGroups) as AuditGroup[];
  return (
    <TableFilters label="Audit log">
      <Select aria-label="Who" value={view.actor ?? ""} onChange={(actor) => narrow({ actor })}>
        <option value="">Anyone</option>
        {actors.map((actor) => (
          <option key={actor.id} value={actor.id!}>
            {actor.kind === "key" && actor.person === null ? `Key: ${actorName(actor)}` : actorName(actor)}
          </option>
        ))}
        <option value="system">System</option>
        {view.actor && view.actor !== "system" && !actors.some(({ id }) => id === view.actor) && (
          <option value={view.actor}>Someone else</option>
        )}
      </Select>
      <Select aria-label="What" value={view.kind ?? ""} onChange={(kind) => narrow({ kind })}>
        <option value="">Anything</option>
        {groups.map((group) => (
          <optgroup key={group} label={groupLabels[group]}>
            <option value={group}>{groupLabels[group]}: all</option>
            {auditGroups[group].length > 1 &&
              auditGroups[group].map((kind) => (
                <option key={kind} value={kind}>
                  {kindLabel(kind)}
                </option>
              ))}
          </optgroup>
        ))}
      </Select>
      <Day label="From" value={view.from} max={view.until} onChange={(from) => narrow({ from })} />
      <Day label="to" value={view.until} min={view.from} onChange={(until) => narrow({ until })} />
      {isNarrowed && (
        <Button variant="quiet" icon="filter-slash" onClick={() => narrow({ actor: "", kind: "", from: "", until: "" })}>
          Clear filters
        </Button>
      )}
    </TableFilters>
  );
}

interface DayProps {
  label: string;
  value: string | undefined;
  min?: string | undefined;
  max?: string | undefined;
  onChange: (day: string) => void;
}

function Day({ label, value = "", onChange, ...limits }: DayProps) {
  const id = useId();
  return (
    <Row as="span" nowrap>
      <Note as="label" htmlFor={id}>
        {label}
      </Note>
      <Input id={id} type="date" value={value} {...limits} onChange={({ target }) => onChange(target.value)} />
    </Row>
  );
}

function ExportButtons({ isNarrowed, file }: { isNarrowed: boolean; file: (format: "csv" | "jsonl") => Promise<File> }) {
  const failure = "Couldn't export the audit log";
  return (
    <Row role="group" aria-label={isNarrowed ? "Export filtered events" : "Export all events"}>
      <DownloadButton file={() => file("csv")} failure={failure}>
        {isNarrowed ? "Filtered CSV" : "CSV"}
      </DownloadButton>
      <DownloadButton file={() => file("jsonl")} failure={failure}>
        {isNarrowed ? "Filtered JSONL" : "JSONL"}
      </DownloadButton>
    </Row>
  );
}
