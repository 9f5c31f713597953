import { type ReactNode, useState } from "react";
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

/** Versions to choose from, newest first, by who saved and when: a run of one person's is its newest, the others behind a button. */
export function RevisionList({ revisions, present, chosen, onChoose, readOlder }: RevisionListProps) {
  const before = new Map(revisions.map((revision, index) => [revision.version, revisions[index + 1]]));
  const version = ({ revision, did }: Saved) => (
    <li key={revision.version}>
      <button type="button" className={css.revision} aria-pressed={revision.version === chosen} onClick={() => onChoose(revision.version)}>
        <StatusIcon status={revision.status} />
        <span className={css.who}>{revision.author_name ?? "Unknown"}</span>
        <span className={css.when}>
          <time dateTime={revision.created_at}>{moment(revision.created_at)}</time>
          {did && <span className={css.did}>{did}</span>}
        </span>
        <Around now={revision} before={before.get(revision.version)} />
      </button>
    </li>
  );
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
      {runsOf(revisions).map((run) => (
        <RunOfSaves key={run.saves[0]!.revision.version} run={run} chosen={chosen} version={version} />
      ))}
      {readOlder && (
        <li>
          <OlderVersions read={readOlder} />
        </li>
      )}
    </ul>
  );
}

interface RunOfSavesProps {
  run: Run;
  chosen: number;
  version(saved: Saved): ReactNode;
}

/** What one person saved in one go. Open where the chosen one is among the others. */
function RunOfSaves({ run: { author, saves }, chosen, version }: RunOfSavesProps) {
  const [opened, setOpened] = useState(false);
  const [newest, ...others] = saves;
  const isOpen = opened || others.some(({ revision }) => revision.version === chosen);
  return (
    <>
      {version(newest!)}
      {others.length > 0 && (
        <li>
          <button
            type="button"
            className={css.others}
            aria-expanded={isOpen}
            aria-label={`${savesWords(others.length)} by ${author} before it`}
            onClick={() => setOpened(!isOpen)}
          >
            {savesWords(others.length)} before it
          </button>
        </li>
      )}
      {isOpen && others.map(version)}
    </>
  );
}

const savesWords = (count: number): string => (count === 1 ? "1 save" : `${count} saves`);

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

/** Versions that one person saved one after the other, newest first, with no more than this between two. */
const pauseMs = 30 * 60_000;

interface Saved {
  revision: RevisionSummary;
  /** What was done with it, beside writing; null: it was only saved. */
  did: "Created" | "Published" | "Scheduled" | "Unscheduled" | "Archived" | "Restored" | null;
}

interface Run {
  author: string;
  saves: Saved[];
}

/** What a version did by the one before it; of the oldest that is known nothing is said but that it is the first. */
function did(now: RevisionSummary, before: RevisionSummary | undefined): Saved["did"] {
  if (now.version === 1) return "Created";
  if (!before || before.status === now.status) return null;
  if (now.status === "published") return "Published";
  if (now.status === "scheduled") return "Scheduled";
  if (now.status === "archived") return "Archived";
  return before.status === "archived" ? "Restored" : "Unscheduled";
}

/** Saves, newest first, by who did them and when: a run of one person's is one, until something was done with the post. */
function runsOf(revisions: readonly RevisionSummary[]): Run[] {
  const runs: Run[] = [];
  for (const [index, revision] of revisions.entries()) {
    const before = revisions[index + 1];
    const author = revision.author_name ?? "Unknown";
    const save = { revision, did: did(revision, before) };
    const run = runs.at(-1);
    const last = run?.saves.at(-1);
    const follows =
      run &&
      last &&
      run.author === author &&
      last.did === null &&
      save.did === null &&
      Date.parse(last.revision.created_at) - Date.parse(revision.created_at) <= pauseMs;
    if (follows) run.saves.push(save);
    else runs.push({ author, saves: [save] });
  }
  return runs;
}
