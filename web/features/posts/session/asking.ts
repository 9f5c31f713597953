import type { Merge } from "#contract/merge/types.ts";
import type { Post } from "#contract/posts.ts";
import { ApiError } from "../../../lib/api-client.ts";
import { enqueue, finish } from "./jobs.ts";
import { intentOf, type Job, type Work } from "./state.ts";
import { say, setTrouble, stop, type Turn } from "./turn.ts";
import { noAnswerTo, saveTrouble, type Writing } from "./write.ts";

// What cannot be saved without an answer of the person.

/** `mine`: what was refused. `error` is null when nothing was sent. */
export function ask(turn: Turn, { job }: Work, mine: Writing, error: ApiError | null, theirs: Post | null, merge: Merge | null): void {
  if (job.do === "follow") return finish(turn, job, false);
  const { state, commands } = turn;
  const dropped = state.queue;
  const unasked = job.id === null;
  const waits = unasked && state.running.autosave && state.changes > mine.changes;
  const conflict = error?.conflict;
  state.queue = [];
  setTrouble(turn, null);
  stop(turn, "longest");
  if (job.id !== null) commands.push({ do: "finish", id: job.id, done: false });
  if (theirs) state.newer = theirs;
  state.phase = {
    at: "conflict",
    unasked,
    waits,
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
  for (const waiting of dropped) enqueue(turn, waiting); // none waits while somebody is asked
}

/** Closes with a sentence. `error` is null when the screen could not be read. */
export function overwriteFailed(turn: Turn, job: Job & { do: "overwrite" | "merge" }, error: ApiError | null): void {
  if (error?.code === "unauthenticated") return finish(turn, job, false); // the session's end has a dialog of its own; the next save asks again
  setTrouble(turn, error ? saveTrouble(error, intentOf(job)) : noAnswerTo(intentOf(job)));
  say(turn, "error", { title: error && error.status > 0 ? error.message : "Failed to save your changes." });
  finish(turn, job, false);
}
