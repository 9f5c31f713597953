import { useState } from "react";
import type { RevisionSummary } from "#contract/revisions.ts";
import { Button } from "../../../components/button.tsx";
import { toasts } from "../../../lib/toasts.ts";
import { moment } from "../../../lib/moment.ts";
import { StatusIcon } from "../list/status-icon.tsx";
import css from "./history-dialog.module.css";

interface RevisionListProps {
  revisions: readonly RevisionSummary[];
  /** The one on the screen: it stands above them, and there is nothing to choose. */
  present?: RevisionSummary;
  chosen: number;
  onChoose(version: number): void;
  /** Adds older versions to the list; null when it has them all. */
  readOlder: (() => Promise<void>) | null;
}

/** Versions to choose from, newest first. */
export function RevisionList({ revisions, present, chosen, onChoose, readOlder }: RevisionListProps) {
  return (
    <ul role="list" className={css.list} aria-label="Versions">
      {present && (
        <li className={css.present}>
          <StatusIcon status={present.status} />
          <span className={css.who}>{present.author_name ?? "Unknown"}</span>
          <span className={css.when}>Now, since {moment(present.created_at)}</span>
          <Around now={present} before={revisions[0]} />
        </li>
      )}
      {revisions.map(({ version, status, author_name, created_at, ...revision }, index) => (
        <li key={version}>
          <button type="button" className={css.revision} aria-pressed={version === chosen} onClick={() => onChoose(version)}>
            <StatusIcon status={status} />
            <span className={css.who}>{author_name ?? "Unknown"}</span>
            <time dateTime={created_at} className={css.when}>
              {moment(created_at)}
            </time>
            <Around now={revision} before={revisions[index + 1]} />
          </button>
        </li>
      ))}
      {readOlder && (
        <li>
          <OlderVersions read={readOlder} />
        </li>
      )}
    </ul>
  );
}

type Publication = Pick<RevisionSummary, "post_author_name" | "published_at">;

/** What a version changed beside the text: the date of publication, whom readers are told. Versions from before these were kept say nothing. */
function Around({ now, before }: { now: Publication; before: Publication | undefined }) {
  const dated = before?.published_at && now.published_at && before.published_at !== now.published_at;
  const renamed = before?.post_author_name && now.post_author_name && before.post_author_name !== now.post_author_name;
  return (
    <>
      {dated && <span className={css.when}>Dated {moment(now.published_at!)}</span>}
      {renamed && <span className={css.when}>Author: {now.post_author_name}</span>}
    </>
  );
}

function OlderVersions({ read }: { read(): Promise<void> }) {
  const [busy, setBusy] = useState(false);

  async function more() {
    setBusy(true);
    await read().catch(() => toasts.error("The older versions could not be read", "Please try again"));
    setBusy(false);
  }

  return (
    <Button variant="quiet" size="small" wide busy={busy} onClick={() => void more()}>
      Older versions
    </Button>
  );
}
