import { errorCatalogue } from "#contract/errors.ts";
import type { Post } from "#contract/posts.ts";
import { fieldsOf, takeUnchanged } from "#contract/rules/post-content.ts";
import { ApiError } from "../../lib/api-client.ts";
import { overwriteFailed } from "./asking.ts";
import { creation, finish, inTouch, nextKey, rebase, retry, resolve } from "./jobs.ts";
import { startMerge, giveUp } from "./merging.ts";
import { autosaveMaxWaitMs, intentOf, isAllSaved, type Attempt, type Job, type Merged, type State, type Work } from "./state.ts";
import { clearDraft, notify, setTrouble, startTimer, type Turn } from "./turn.ts";
import {
  failureNotice,
  isEmptyWriting,
  coversIntent,
  isPlainSave,
  mergedNotice,
  onlySavedNotice,
  successNotice,
  updateBody,
  writingProblem,
  type Intent,
  type Notice,
  type Writing,
} from "./write.ts";

const unreadNotice: Notice = { title: "Unable to get editor data", description: "Please try again" };

export function onRead(turn: Turn, work: Work, { writing, now }: { writing: Writing | null; now: Date }): void {
  const { state } = turn;
  const { job } = work;
  if (work.incoming) return writing ? startMerge(turn, work, work.incoming, writing) : giveUp(turn, work, work.incoming, null);
  if (job.do === "write") {
    const problem = writing ? writingProblem(writing, job.intent, state.server, now) : unreadNotice;
    if (writing && !problem) {
      if (job.intent.kind === "autosave" && !state.server && !state.unanswered && isEmptyWriting(writing))
        return skipCreation(turn, job, writing);
      if (state.unanswered) return resolve(turn, work, state.unanswered, writing);
      return proceed(turn, work, writing, null);
    }
    if (job.intent.kind !== "autosave") notify(turn, "error", problem);
    else if (writing && problem) setTrouble(turn, { reason: "refused", sentence: problem.description ?? problem.title });
    else startTimer(turn, "autosave", autosaveMaxWaitMs);
    return finish(turn, job, false);
  }
  if (job.do === "overwrite" || job.do === "merge") {
    if (!writing) return overwriteFailed(turn, job, null);
    const version = job.do === "merge" ? state.server?.version : undefined;
    return send(turn, work, nextAttempt(turn, writing, insistedIntent(state, job, writing, now), version));
  }
  if (job.do === "resolve") {
    // An undone publication isn't retried automatically, but the text is saved.
    const { attempt } = job;
    const saving: Intent = isPlainSave(attempt.intent) ? attempt.intent : { kind: "save" };
    const newest = writing && !writingProblem(writing, saving, null, now) ? writing : attempt.writing;
    retry(turn, work, creation(state, newest, saving, attempt, attempt.requestedIntent), newest);
  }
}

/** A conflict resolution counts as a manual save, unless the draft is incomplete. */
function insistedIntent(state: State, job: Job & { do: "overwrite" | "merge" }, writing: Writing, now: Date): Intent {
  const { conflict } = job;
  const intent = intentOf(job);
  if (intent.kind !== "autosave") return intent;
  const save: Intent = { kind: "save" };
  return conflict.theirs?.status === "draft" && writingProblem(writing, save, state.server, now) ? intent : save;
}

function skipCreation(turn: Turn, job: Job, { changes }: Writing): void {
  turn.state.savedChanges = changes;
  if (isAllSaved(turn.state)) clearDraft(turn);
  finish(turn, job, true);
}

/** Sends unsaved content. `arrivedAttempt`: the unanswered write that turned out to have arrived. */
export function proceed(turn: Turn, work: Work, writing: Writing, arrivedAttempt: Attempt | null): void {
  const { state } = turn;
  const { job } = work;
  if (job.do !== "write") return reportResolved(turn, job, arrivedAttempt);
  if (arrivedAttempt && isPlainSave(job.intent)) {
    if (!isPlainSave(arrivedAttempt.intent)) notifySuccess(turn, arrivedAttempt.intent, false);
    else if (isOnlySaved(arrivedAttempt)) notify(turn, "error", onlySavedNotice(arrivedAttempt.requestedIntent));
  }
  if (job.intent.kind === "autosave" && state.server && state.server.status !== "draft") return finish(turn, job, false);
  if (arrivedAttempt && coversIntent(arrivedAttempt.intent, job.intent) && arrivedAttempt.writing.changes === writing.changes)
    return reportSaved(turn, work);
  send(turn, work, nextAttempt(turn, writing, job.intent, state.server?.version));
}

function reportResolved(turn: Turn, job: Job, arrivedAttempt: Attempt | null): void {
  if (job.do !== "resolve") return;
  const { requestedIntent, request } = job.attempt;
  if (!arrivedAttempt) {
    setTrouble(turn, null);
    notify(turn, "error", failureNotice(requestedIntent, false));
  } else if (isOnlySaved(arrivedAttempt)) notify(turn, "error", onlySavedNotice(requestedIntent));
  else notifySuccess(turn, arrivedAttempt.intent, request.id === null);
  finish(turn, job, true);
}

const isOnlySaved = ({ intent, requestedIntent }: Attempt): boolean => isPlainSave(intent) && !isPlainSave(requestedIntent);

export function reportSaved(turn: Turn, { job, merged }: Work): void {
  const { server } = turn.state;
  if (job.do === "write") notifySuccess(turn, job.intent, turn.state.awaitsFirstSave && server?.status === "draft", merged);
  if (job.do === "overwrite" || job.do === "merge") {
    const notice = successNotice(intentOf(job), false, server?.public_changelog_enabled) ?? { title: "Saved" };
    notify(turn, "success", mergedNotice(notice, merged));
  }
  finish(turn, job, true);
}

function notifySuccess(turn: Turn, intent: Intent, first: boolean, merged?: Merged): void {
  notify(turn, "success", mergedNotice(successNotice(intent, first, turn.state.server?.public_changelog_enabled), merged));
  if (intent.kind !== "autosave") turn.state.awaitsFirstSave = false;
}

/** Without `version` it overwrites. */
export function nextAttempt(turn: Turn, writing: Writing, intent: Intent, version: number | undefined): Attempt {
  const { state } = turn;
  if (!state.server) return creation(state, writing, intent, null);
  const request = { id: state.server.id, body: updateBody(writing, intent, version, state.server) };
  return { intent, requestedIntent: intent, writing, key: nextKey(state), request, earlier: null };
}

export function send({ state, commands }: Turn, { stale, ...work }: Work, attempt: Attempt): void {
  if (stale && attempt.request.id !== null) {
    state.phase = {
      at: "comparing",
      work,
      attempt,
      error: new ApiError(409, "version_conflict", errorCatalogue.version_conflict.sentence),
    };
    commands.push({ do: "fetch", postId: attempt.request.id });
    return;
  }
  state.phase = { at: "sending", work, attempt };
  commands.push({ do: "send", attempt });
}

export function onSaved(turn: Turn, { writing, request }: Attempt, post: Post): void {
  const { state, commands } = turn;
  state.server = post;
  state.unanswered = null;
  state.conflictDismissed = false;
  if (state.newer && state.newer.version <= post.version) state.newer = null;
  if (!state.newer) state.base = state.openConflicts = null;
  rebase(state);
  inTouch(turn);
  state.savedChanges = writing.changes;
  takeUnchanged(state, writing, fieldsOf(post)); // a colleague's, of fields that weren't sent
  setTrouble(turn, null);
  commands.push({ do: "announce", post });
  if (isAllSaved(state)) clearDraft(turn);
  if (request.id === null) commands.push({ do: "enter-created", post });
}
