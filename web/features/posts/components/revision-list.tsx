import type { RevisionSummary } from "#contract/revisions.ts";
import { moment } from "../model/moment.ts";
import { StatusIcon } from "./status-icon.tsx";
import css from "./history-dialog.module.css";

interface RevisionListProps {
  revisions: readonly RevisionSummary[];
  chosen: number;
  onChoose(version: number): void;
}

/** Versions to choose from, newest first. */
export function RevisionList({ revisions, chosen, onChoose }: RevisionListProps) {
  return (
    <ul role="list" className={css.list} aria-label="Versions">
      {revisions.map(({ version, status, author_name, created_at }) => (
        <li key={version}>
          <button type="button" className={css.revision} aria-pressed={version === chosen} onClick={() => onChoose(version)}>
            <StatusIcon status={status} />
            <span className={css.who}>{author_name ?? "Unknown"}</span>
            <time dateTime={created_at} className={css.when}>
              {moment(created_at)}
            </time>
          </button>
        </li>
      ))}
    </ul>
  );
}
