import type { Merge } from "#contract/merge/types.ts";
import type { Post } from "#contract/posts.ts";
import { ApiError } from "../../lib/api-client.ts";
import { enqueue, finish } from "./jobs.ts";
import { intentOf, type Job, type Work } from "./state.ts";
import { notify, setTrouble, stopTimer, type Turn } from "./turn.ts";
import { noAnswerTo, saveTrouble, type Writing } from "./write.ts";

/** Opens a conflict. `mine`: the refused text; `error`: null if nothing was sent. */
export function openConflict(
  turn: Turn,
  { job }: Work,
  mine: Writing,
  error: ApiError | null,
  theirs: Post | null,
  merge: Merge | null,
): void {
  if (job.do === "refetch") return finish(turn, job, false);
  const { state, commands } = turn;
  const queued = state.queue;
  const isAutomatic = job.id === null;
  const isDeferred = isAutomatic && state.running.autosave && state.changes > mine.changes;
  const conflict = error?.conflict;
  state.queue = [];
  setTrouble(turn, null);
  stopTimer(turn, "maxWait");
  if (job.id !== null) commands.push({ do: "finish", id: job.id, done: false });
  if (theirs) state.newer = theirs;
  state.phase = {
    at: "conflict",
    isAutomatic,
    isDeferred,
    conflict: {
      intent: job.do === "merge" ? job.conflict.intent : intentOf(job),
      archived: theirs?.status === "archived",
      updatedAt: conflict?.updated_at ?? theirs?.updated_at ?? null,
      updatedByName: conflict?.updated_by_name ?? theirs?.updated_by_name ?? null,
      mine,
      theirs,
      merge,
    },
  };
  for (const next of queued) enqueue(turn, next);
}

export function overwriteFailed(turn: Turn, job: Job & { do: "overwrite" | "merge" }, error: ApiError | null): void {
  if (error?.code === "unauthenticated") return finish(turn, job, false);
  setTrouble(turn, error ? saveTrouble(error, intentOf(job)) : noAnswerTo(intentOf(job)));
  notify(turn, "error", { title: error && error.status > 0 ? error.message : "Failed to save your changes." });
  finish(turn, job, false);
}
