import { errorCatalogue } from "#contract/errors.ts";
import type { Post } from "#contract/posts.ts";
import { ApiError } from "../../../lib/api-client.ts";
import { overwriteFailed } from "./asking.ts";
import { creation, finish, inTouch, nextKey, rebase, repeat, resolve } from "./jobs.ts";
import { bringTogether, giveUp } from "./merging.ts";
import { autosaveLongestMs, intentOf, isAllSaved, type Attempt, type Job, type Merged, type State, type Work } from "./state.ts";
import { clearDraft, say, setTrouble, wait, type Turn } from "./turn.ts";
import {
  failureNotice,
  isNothing,
  isSameCover,
  isSameIntent,
  isSameSummary,
  isSameTags,
  isSaving,
  mergedNotice,
  onlyKeptNotice,
  successNotice,
  updateBody,
  writingProblem,
  type Intent,
  type Notice,
  type Writing,
} from "./write.ts";

// What is on the screen becomes a write, and what follows once the server has it.

const unreadNotice: Notice = { title: "Unable to get editor data", description: "Please try again" };

export function onRead(turn: Turn, work: Work, { writing, now }: { writing: Writing | null; now: Date }): void {
  const { state } = turn;
  const { job } = work;
  if (work.taking) return writing ? bringTogether(turn, work, work.taking, writing) : giveUp(turn, work, work.taking, null);
  if (job.do === "write") {
    const problem = writing ? writingProblem(writing, job.intent, state.server, now) : unreadNotice;
    if (writing && !problem) {
      if (job.intent.kind === "autosave" && !state.server && !state.unanswered && isNothing(writing))
        return leaveUnmade(turn, job, writing);
      if (state.unanswered) return resolve(turn, work, state.unanswered, writing);
      return proceed(turn, work, writing, null);
    }
    if (job.intent.kind !== "autosave") say(turn, "error", problem);
    else if (writing && problem) setTrouble(turn, { reason: "refused", sentence: problem.description ?? problem.title });
    else wait(turn, "autosave", autosaveLongestMs); // there is no editor yet
    return finish(turn, job, false);
  }
  if (job.do === "overwrite" || job.do === "merge") {
    if (!writing) return overwriteFailed(turn, job, null);
    const version = job.do === "merge" ? state.server?.version : undefined;
    return send(turn, work, nextAttempt(turn, writing, insisting(state, job, writing, now), version));
  }
  if (job.do === "resolve") {
    // What was not done is not done by itself any more, but the text is kept.
    const { attempt } = job;
    const kept: Intent = isSaving(attempt.intent) ? attempt.intent : { kind: "save" };
    const newest = writing && !writingProblem(writing, kept, null, now) ? writing : attempt.writing;
    repeat(turn, work, creation(state, newest, kept, attempt, attempt.wish), newest);
  }
}

/** What a person insists on is a save by hand, unless it is a draft that lacks what that needs. */
function insisting(state: State, job: Job & { do: "overwrite" | "merge" }, writing: Writing, now: Date): Intent {
  const { conflict } = job;
  const intent = intentOf(job);
  if (intent.kind !== "autosave") return intent;
  const save: Intent = { kind: "save" };
  return conflict.theirs?.status === "draft" && writingProblem(writing, save, state.server, now) ? intent : save;
}

/** A new post with nothing in it, or nothing any more. */
function leaveUnmade(turn: Turn, job: Job, { changes }: Writing): void {
  turn.state.savedChanges = changes;
  if (isAllSaved(turn.state)) clearDraft(turn);
  finish(turn, job, true);
}

/** Sends what the server does not have yet; `known` is the unanswered write that it turned out to have. */
export function proceed(turn: Turn, work: Work, writing: Writing, known: Attempt | null): void {
  const { state } = turn;
  const { job } = work;
  if (job.do !== "write") return resolved(turn, job, known);
  if (known && isSaving(job.intent)) {
    if (!isSaving(known.intent)) succeed(turn, known.intent, false);
    else if (isOnlyKept(known)) say(turn, "error", onlyKeptNotice(known.wish));
  }
  if (job.intent.kind === "autosave" && state.server && state.server.status !== "draft") return finish(turn, job, false); // now it is for the person to say
  if (known && isSameIntent(known.intent, job.intent) && known.writing.changes === writing.changes) return written(turn, work);
  send(turn, work, nextAttempt(turn, writing, job.intent, state.server?.version));
}

/** A job of its own for an unanswered write: says how it turned out. */
function resolved(turn: Turn, job: Job, has: Attempt | null): void {
  if (job.do !== "resolve") return;
  const { wish, request } = job.attempt;
  if (!has) {
    setTrouble(turn, null);
    say(turn, "error", failureNotice(wish, false));
  } else if (isOnlyKept(has)) say(turn, "error", onlyKeptNotice(wish));
  else succeed(turn, has.intent, request.id === null);
  finish(turn, job, true);
}

/** The text is there; what else was asked for was not done. */
const isOnlyKept = ({ intent, wish }: Attempt): boolean => isSaving(intent) && !isSaving(wish);

export function written(turn: Turn, { job, merged }: Work): void {
  const { server } = turn.state;
  if (job.do === "write") succeed(turn, job.intent, turn.state.fresh && server?.status === "draft", merged);
  if (job.do === "overwrite" || job.do === "merge") {
    const notice = successNotice(intentOf(job), false, server?.public_changelog_enabled) ?? { title: "Saved" };
    say(turn, "success", mergedNotice(notice, merged));
  }
  finish(turn, job, true);
}

/** `first`: the first time that a person saves a new post. */
function succeed(turn: Turn, intent: Intent, first: boolean, merged?: Merged): void {
  say(turn, "success", mergedNotice(successNotice(intent, first, turn.state.server?.public_changelog_enabled), merged));
  if (intent.kind !== "autosave") turn.state.fresh = false;
}

/** Without `version` it overwrites whatever is there. */
export function nextAttempt(turn: Turn, writing: Writing, intent: Intent, version: number | undefined): Attempt {
  const { state } = turn;
  if (!state.server) return creation(state, writing, intent, null);
  const request = { id: state.server.id, body: updateBody(writing, intent, version, state.server) };
  return { intent, wish: intent, writing, key: nextKey(state), request, earlier: null };
}

export function send({ state, commands }: Turn, { stale, ...work }: Work, attempt: Attempt): void {
  if (stale && attempt.request.id !== null) {
    state.phase = {
      at: "comparing",
      work,
      attempt,
      error: new ApiError(409, "version_conflict", errorCatalogue.version_conflict.sentence),
    };
    commands.push({ do: "look", postId: attempt.request.id });
    return;
  }
  state.phase = { at: "sending", work, attempt };
  commands.push({ do: "send", attempt });
}

/** The server has a write. */
export function arrived(turn: Turn, { writing, request }: Attempt, post: Post): void {
  const { state, commands } = turn;
  state.server = post;
  state.unanswered = null;
  state.declined = false;
  if (state.newer && state.newer.version <= post.version) state.newer = null;
  if (!state.newer) state.base = state.open = null;
  rebase(state);
  inTouch(turn);
  state.savedChanges = writing.changes;
  // A colleague's that were left as they are.
  if (isSameTags(state.tags, writing.tags)) state.tags = post.tags;
  if (state.summary === writing.summary && !isSameSummary(state.summary, post.summary)) state.summary = post.summary ?? "";
  if (isSameCover(state.cover, writing.cover) && !isSameCover(state.cover, post.cover_image)) state.cover = post.cover_image;
  setTrouble(turn, null);
  commands.push({ do: "announce", post });
  if (isAllSaved(state)) clearDraft(turn);
  if (request.id === null) commands.push({ do: "enter-created", post });
}
