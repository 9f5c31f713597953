import { type ReactNode, useState } from "react";
import type { RevisionSummary } from "#contract/revisions.ts";
import { Button } from "../../ui/button.tsx";
import { toasts } from "../../lib/toasts.ts";
import { moment } from "../../lib/moment.ts";
import { StatusIcon } from "../posts/list/status-icon.tsx";
import { Row, Text } from "../../ui/layout.tsx";
import css from "./history.module.css";

interface RevisionListProps {
  revisions: readonly RevisionSummary[];
  present?: RevisionSummary;
  chosen: number;
  onChoose(version: number): void;
  readOlder: (() => Promise<void>) | null;
}

export function RevisionList({ revisions, present, chosen, onChoose, readOlder }: RevisionListProps) {
  const before = new Map(revisions.map((revision, index) => [revision.version, revisions[index + 1]]));
  const version = ({ revision, event }: Saved) => (
    <li key={revision.version}>
      <Row
        as="button"
        choice
        type="button"
        className={css.revision}
        style={{ gap: "0 var(--space-3)" }}
        aria-pressed={revision.version === chosen}
        onClick={() => onChoose(revision.version)}
      >
        <StatusIcon status={revision.status} />
        <Text as="span" strong truncate>
          {revision.author_name ?? "Unknown"}
        </Text>
        <Text as="span" size="small" tone="muted" className={css.time}>
          <time dateTime={revision.created_at}>{moment(revision.created_at)}</time>
          {event && <strong> · {event}</strong>}
        </Text>
        <PublicationChange now={revision} before={before.get(revision.version)} />
      </Row>
    </li>
  );
  return (
    <ul role="list" className={css.list} aria-label="Versions">
      {present && (
        <li className={css.revision}>
          <StatusIcon status={present.status} />
          <Text as="span" strong truncate>
            {present.author_name ?? "Unknown"}
          </Text>
          <Text as="span" size="small" tone="muted" className={css.time}>
            Current since {moment(present.created_at)}
          </Text>
          <PublicationChange now={present} before={revisions[0]} />
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

function RunOfSaves({ run: { author, saves }, chosen, version }: RunOfSavesProps) {
  const [opened, setOpened] = useState(false);
  const [newest, ...others] = saves;
  const isOpen = opened || others.some(({ revision }) => revision.version === chosen);
  return (
    <>
      {version(newest!)}
      {others.length > 0 && (
        <li>
          <Button
            variant="quiet"
            size="small"
            className={css.earlier}
            aria-expanded={isOpen}
            aria-label={`${savesWords(others.length)} by ${author}`}
            onClick={() => setOpened(!isOpen)}
          >
            {savesWords(others.length)}
          </Button>
        </li>
      )}
      {isOpen && others.map(version)}
    </>
  );
}

const savesWords = (count: number): string => (count === 1 ? "1 earlier save" : `${count} earlier saves`);

type Publication = Pick<RevisionSummary, "post_author_name" | "published_at">;

function PublicationChange({ now, before }: { now: Publication; before: Publication | undefined }) {
  const dated = before?.published_at && now.published_at && before.published_at !== now.published_at;
  const renamed = before?.post_author_name && now.post_author_name && before.post_author_name !== now.post_author_name;
  return (
    <>
      {dated && (
        <Text as="span" size="small" tone="muted" className={css.time}>
          Publish date: {moment(now.published_at!)}
        </Text>
      )}
      {renamed && (
        <Text as="span" size="small" tone="muted" className={css.time}>
          Author: {now.post_author_name}
        </Text>
      )}
    </>
  );
}

function OlderVersions({ read }: { read(): Promise<void> }) {
  const [busy, setBusy] = useState(false);

  async function loadMore() {
    setBusy(true);
    await read().catch(() => toasts.error("Couldn't load older versions", "Please try again"));
    setBusy(false);
  }

  return (
    <Button variant="quiet" size="small" wide busy={busy} onClick={() => void loadMore()}>
      Older versions
    </Button>
  );
}

const pauseMs = 30 * 60_000;

interface Saved {
  revision: RevisionSummary;
  event: "Created" | "Published" | "Scheduled" | "Unscheduled" | "Archived" | "Restored" | null;
}

interface Run {
  author: string;
  saves: Saved[];
}

function eventOf(now: RevisionSummary, before: RevisionSummary | undefined): Saved["event"] {
  if (now.version === 1) return "Created";
  if (!before || before.status === now.status) return null;
  if (now.status === "published") return "Published";
  if (now.status === "scheduled") return "Scheduled";
  if (now.status === "archived") return "Archived";
  return before.status === "archived" ? "Restored" : "Unscheduled";
}

function runsOf(revisions: readonly RevisionSummary[]): Run[] {
  const runs: Run[] = [];
  for (const [index, revision] of revisions.entries()) {
    const before = revisions[index + 1];
    const author = revision.author_name ?? "Unknown";
    const save = { revision, event: eventOf(revision, before) };
    const run = runs.at(-1);
    const last = run?.saves.at(-1);
    const continuesRun =
      run &&
      last &&
      run.author === author &&
      last.event === null &&
      save.event === null &&
      Date.parse(last.revision.created_at) - Date.parse(revision.created_at) <= pauseMs;
    if (continuesRun) run.saves.push(save);
    else runs.push({ author, saves: [save] });
  }
  return runs;
}
