import type { RevisionSummary } from "#contract/revisions.ts";

/** Versions that one person saved one after the other, newest first, with no more than this between two. */
const pauseMs = 30 * 60_000;

export interface Saved {
  revision: RevisionSummary;
  /** What was done with it, beside writing; null: it was only saved. */
  did: "Created" | "Published" | "Scheduled" | "Unscheduled" | "Archived" | "Restored" | null;
}

export interface Run {
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
export function runsOf(revisions: readonly RevisionSummary[]): Run[] {
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
