import { useId } from "react";
import { type AuditActor, auditGroups, type AuditGroup, type AuditLine } from "#contract/audit.ts";
import { Button } from "../../ui/button.tsx";
import { DownloadButton } from "../../ui/download-button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Input } from "../../ui/input.tsx";
import { ListLoading, StaleRowsError } from "../../ui/list-loading.tsx";
import { moment } from "../../lib/moment.ts";
import { actorName, eventDetails, groupLabels, kindLabel, describeEvent } from "./audit-labels.ts";
import { type AuditView, useAudit } from "./use-audit.ts";
import css from "./audit-log.module.css";

/** Filtered by the URL, fifty lines at a time, with export. */
export function AuditLog({ workspaceId }: { workspaceId: string }) {
  const log = useAudit(workspaceId);
  const { lines, error, view, isNarrowed } = log;
  return (
    <section aria-label="Audit log">
      <div className={css.tools}>
        <Filters view={view} actors={log.actors} isNarrowed={isNarrowed} narrow={log.narrow} />
        <span role="status" className={css.muted}>
          {lines && lines.length > 0 && formatCount(lines.length, Boolean(log.more))}
        </span>
        <ExportButtons isNarrowed={isNarrowed} file={log.file} />
      </div>
      {!lines || (error && lines.length === 0) ? (
        <ListLoading label="the audit log" error={error} rows={6} onRetry={log.reload} />
      ) : lines.length === 0 ? (
        isNarrowed ? (
          <EmptyState drawing="search" title="No matching events" text="Try another period or fewer filters." />
        ) : (
          <EmptyState drawing="page" title="No events yet" text="Security-related events of this workspace will appear here." />
        )
      ) : (
        <>
          <Lines lines={lines} />
          {log.more && (
            <footer className={css.foot}>
              <Button busy={log.isLoadingMore} onClick={log.more}>
                Show older
              </Button>
            </footer>
          )}
          {error && <StaleRowsError error={error} onRetry={log.reload} />}
        </>
      )}
    </section>
  );
}

function formatCount(count: number, more: boolean): string {
  if (more) return `The latest ${count.toLocaleString()} events`;
  return count === 1 ? "1 event" : `${count.toLocaleString()} events`;
}

function Lines({ lines }: { lines: readonly AuditLine[] }) {
  return (
    <table className={css.table} aria-label="Audit log">
      <thead>
        <tr>
          <th scope="col">WHEN</th>
          <th scope="col">WHO</th>
          <th scope="col">WHAT</th>
          <th scope="col">NETWORK</th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <tr key={line.id}>
            <td className={css.when}>
              <time dateTime={line.happened_at} title={line.happened_at}>
                {moment(line.happened_at)}
              </time>
            </td>
            <td className={css.who}>
              <Icon name={line.actor.kind === "person" ? "user" : line.actor.kind === "key" ? "lock" : "cog"} className={css.icon} />
              <span className="visually-hidden">{line.actor.kind === "key" && line.actor.person === null ? "API key " : ""}</span>
              <span className={line.actor.name === null ? css.nobody : undefined}>{actorName(line.actor)}</span>
            </td>
            <td className={css.what}>
              <Sentence line={line} />
            </td>
            <td className={css.network}>{line.network ?? <span className={css.muted}>unknown</span>}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
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
        <ul role="list" className={css.details}>
          {details.map(({ field, before, after }) => (
            <li key={field}>
              {`${field}: `}
              {before !== undefined && (
                <>
                  <del>{before}</del> <span aria-hidden="true">→ </span>
                </>
              )}
              {after}
            </li>
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
  const id = useId();
  return (
    <div className={css.filters} role="search" aria-label="Audit log">
      <select aria-label="Who" className={css.select} value={view.actor ?? ""} onChange={({ target }) => narrow({ actor: target.value })}>
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
      </select>
      <select aria-label="What" className={css.select} value={view.kind ?? ""} onChange={({ target }) => narrow({ kind: target.value })}>
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
      </select>
      <span className={css.day}>
        <label htmlFor={`${id}-from`}>From</label>
        <Input
          id={`${id}-from`}
          type="date"
          value={view.from ?? ""}
          max={view.until}
          onChange={({ target }) => narrow({ from: target.value })}
        />
      </span>
      <span className={css.day}>
        <label htmlFor={`${id}-until`}>to</label>
        <Input
          id={`${id}-until`}
          type="date"
          value={view.until ?? ""}
          min={view.from}
          onChange={({ target }) => narrow({ until: target.value })}
        />
      </span>
      {isNarrowed && (
        <Button variant="quiet" icon="filter-slash" onClick={() => narrow({ actor: "", kind: "", from: "", until: "" })}>
          Clear filters
        </Button>
      )}
    </div>
  );
}

function ExportButtons({ isNarrowed, file }: { isNarrowed: boolean; file: (format: "csv" | "jsonl") => Promise<File> }) {
  const failure = "Couldn't export the audit log";
  return (
    <div className={css.exports} role="group" aria-label={isNarrowed ? "Export filtered events" : "Export all events"}>
      <DownloadButton file={() => file("csv")} failure={failure}>
        {isNarrowed ? "Filtered CSV" : "CSV"}
      </DownloadButton>
      <DownloadButton file={() => file("jsonl")} failure={failure}>
        {isNarrowed ? "Filtered JSONL" : "JSONL"}
      </DownloadButton>
    </div>
  );
}
