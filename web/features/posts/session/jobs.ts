import type { Post, PostSummary } from "#contract/posts.ts";
import { errorCatalogue } from "#contract/errors.ts";
import { ApiError } from "../../../lib/api-client.ts";
import { conflictOf, intentOf, isAllSaved, isDirty, pauseMs, type Attempt, type Job, type State, type Work } from "./state.ts";
import { clearDraft, say, setTrouble, stop, wait, type Turn } from "./turn.ts";
import {
  createBody,
  failureNotice,
  isNoMatter,
  isNothing,
  isOutcomeOf,
  isSameCover,
  isSameIntent,
  isSameSummary,
  isSameTags,
  isSameText,
  isSaving,
  isUnanswered,
  lockedNotice,
  noAnswerTo,
  onlyKeptNotice,
  saveTrouble,
  successNotice,
  updateBody,
  writingProblem,
  type Intent,
  type Notice,
  type Writing,
} from "./write.ts";

// One job after the other, and none while a conflict waits for an answer. Source: specification, section 4; product decision 7.

export function enqueue(turn: Turn, job: Job): void {
  const { state, commands } = turn;
  if (conflictOf(state)) {
    if (job.id !== null && state.phase.at === "conflict") state.phase = { ...state.phase, waits: false };
    if (job.id !== null) commands.push({ do: "finish", id: job.id, done: false });
  } else if (state.phase.at === "idle") start(turn, job);
  else state.queue = [...state.queue, job];
}

/** 'Save anyway': only a question that waits can be answered. */
export function overwrite(turn: Turn, id: number): void {
  const { state, commands } = turn;
  if (state.phase.at === "conflict") start(turn, { do: "overwrite", id, conflict: state.phase.conflict });
  else commands.push({ do: "finish", id, done: false });
}

function start(turn: Turn, job: Job): void {
  const { server, unanswered, paused } = turn.state;
  const work: Work = { job, created: server === null };
  switch (job.do) {
    case "write":
      if (job.id === null && !isDirty(turn.state)) return finish(turn, job, true); // the one before it took everything along
      if (!server || !paused || unanswered) return begin(turn, work);
      turn.state.phase = { at: "checking", work };
      turn.commands.push({ do: "check", postId: server.id, version: server.version });
      return;
    case "overwrite":
      return settle(turn, work);
    case "resolve":
      if (unanswered !== job.attempt) return finish(turn, job, true); // another write was faster
      return job.attempt.request.id === null ? read(turn, work) : resolve(turn, work, job.attempt, job.attempt.writing);
    case "follow":
      if (!server) return finish(turn, job, false);
      turn.state.phase = { at: "following", work };
      turn.commands.push({ do: "look", postId: server.id });
  }
}

function finish(turn: Turn, { id }: Job, done: boolean): void {
  const { state, commands } = turn;
  if (id !== null) commands.push({ do: "finish", id, done });
  state.phase = { at: "idle" };
  const [next, ...rest] = state.queue;
  state.queue = rest;
  if (next) start(turn, next);
  else followIfHeard(turn);
}

/** Looks at a newer version that was told of, unless it is one's own that is on its way, or known already. */
export function followIfHeard(turn: Turn): void {
  const { server, heard, newer, unanswered, phase } = turn.state;
  if (phase.at !== "idle" || !server || unanswered || heard <= Math.max(server.version, newer?.version ?? 0)) return;
  start(turn, { do: "follow", id: null });
}

/** Images are waited for, but not by a save that nobody waits for. */
function begin(turn: Turn, work: Work): void {
  const { job } = work;
  if (job.do === "write" && job.intent.kind === "autosave" && job.id === null) read(turn, work);
  else settle(turn, work);
}

/** An early warning only: the answer to the write itself is what counts. */
export function onChecked(turn: Turn, isCurrent: boolean): void {
  const { phase } = turn.state;
  if (phase.at !== "checking") return;
  inTouch(turn);
  begin(turn, isCurrent ? phase.work : { ...phase.work, stale: true });
}

/** The server has been heard of. */
function inTouch(turn: Turn): void {
  turn.state.paused = false;
  wait(turn, "pause", pauseMs);
}

function settle({ state, commands }: Turn, work: Work): void {
  state.phase = { at: "settling", work };
  commands.push({ do: "settle" });
}

export function read({ state, commands }: Turn, work: Work): void {
  state.phase = { at: "reading", work };
  commands.push({ do: "read" });
}

const unreadNotice: Notice = { title: "Unable to get editor data", description: "Please try again" };

export function onRead(turn: Turn, work: Work, { writing, now }: { writing: Writing | null; now: Date }): void {
  const { state } = turn;
  const { job } = work;
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
    return finish(turn, job, false);
  }
  if (job.do === "overwrite") {
    if (!writing) return overwriteFailed(turn, job, null);
    return send(turn, work, nextAttempt(turn, writing, insisting(state, job, writing, now), undefined));
  }
  if (job.do === "resolve") {
    // What was not done is not done by itself any more, but the text is kept.
    const { attempt } = job;
    const kept: Intent = isSaving(attempt.intent) ? attempt.intent : { kind: "save" };
    const newest = writing && !writingProblem(writing, kept, null, now) ? writing : attempt.writing;
    repeat(turn, work, creation(state, newest, kept, attempt), newest);
  }
}

/** What a person insists on is a save by hand, unless it is a draft that lacks what that needs. */
function insisting(state: State, { conflict }: Job & { do: "overwrite" }, writing: Writing, now: Date): Intent {
  const intent = intentOf({ do: "overwrite", id: 0, conflict });
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

/** Before anything else is written it has to be known what became of a write that got no answer. */
function resolve(turn: Turn, work: Work, before: Attempt, writing: Writing): void {
  const { state, commands } = turn;
  const { job } = work;
  const wanted = job.do === "write" ? job.intent : null;
  if (before.request.id === null) return repeat(turn, work, creation(state, writing, wanted ?? before.intent, before), writing);
  if (isSaving(before.intent) || (wanted && isSameIntent(before.intent, wanted))) return repeat(turn, work, before, writing);
  state.phase = { at: "looking", work, attempt: before, writing }; // never done twice, and no conflict with oneself
  commands.push({ do: "look", postId: before.request.id });
}

function repeat({ state, commands }: Turn, work: Work, attempt: Attempt, writing: Writing): void {
  state.phase = { at: "repeating", work, attempt, writing };
  commands.push({ do: "send", attempt });
}

/** Sends what the server does not have yet; `known` is the unanswered write that it turned out to have. */
function proceed(turn: Turn, work: Work, writing: Writing, known: Attempt | null): void {
  const { state } = turn;
  const { job } = work;
  if (job.do !== "write") return resolved(turn, job, known);
  if (job.intent.kind === "autosave" && state.server && state.server.status !== "draft") return finish(turn, job, false); // now it is for the person to say
  if (known && isSameIntent(known.intent, job.intent) && known.writing.changes === writing.changes) return written(turn, work);
  send(turn, work, nextAttempt(turn, writing, job.intent, state.server?.version));
}

/** A job of its own for an unanswered write: says how it turned out. */
function resolved(turn: Turn, job: Job, has: Attempt | null): void {
  if (job.do !== "resolve") return;
  const { intent, request } = job.attempt;
  if (!has) {
    setTrouble(turn, null);
    say(turn, "error", failureNotice(intent, false));
  } else if (isSaving(has.intent) && !isSaving(intent)) say(turn, "error", onlyKeptNotice(intent));
  else succeed(turn, has.intent, request.id === null);
  finish(turn, job, true);
}

function written(turn: Turn, { job }: Work): void {
  const { server } = turn.state;
  if (job.do === "write") succeed(turn, job.intent, turn.state.fresh && server?.status === "draft");
  if (job.do === "overwrite") {
    say(turn, "success", successNotice(intentOf(job), false, server?.public_changelog_enabled) ?? { title: "Saved" });
  }
  finish(turn, job, true);
}

/** `first`: the first time that a person saves a new post. */
function succeed(turn: Turn, intent: Intent, first: boolean): void {
  say(turn, "success", successNotice(intent, first, turn.state.server?.public_changelog_enabled));
  if (intent.kind !== "autosave") turn.state.fresh = false;
}

/** Without `version` it overwrites whatever is there. */
function nextAttempt(turn: Turn, writing: Writing, intent: Intent, version: number | undefined): Attempt {
  const { state } = turn;
  if (!state.server) return creation(state, writing, intent, null);
  const request = { id: state.server.id, body: updateBody(writing, intent, version, state.server) };
  return { intent, writing, key: nextKey(state), request, earlier: null };
}

/** A write that makes the post, in the place of an unanswered one that would have made it. */
function creation(state: State, writing: Writing, intent: Intent, earlier: Attempt | null): Attempt {
  const request = { id: null, body: createBody(writing, intent, state.workspaceId) };
  return { intent, writing, key: earlier?.key ?? nextKey(state), request, earlier };
}

const nextKey = (state: State): string => `${state.visitId}:${++state.attempts}`;

function send({ state, commands }: Turn, { stale, ...work }: Work, attempt: Attempt): void {
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

export function onAnswer(turn: Turn, post: Post): void {
  const { phase } = turn.state;
  if (phase.at === "sending") {
    arrived(turn, phase.attempt, post);
    written(turn, phase.work);
  } else if (phase.at === "repeating") {
    arrived(turn, phase.attempt, post);
    proceed(turn, phase.work, phase.writing, phase.attempt);
  }
}

/** The server has a write. */
function arrived(turn: Turn, { writing, request }: Attempt, post: Post): void {
  const { state, commands } = turn;
  state.server = post;
  state.unanswered = null;
  state.declined = false;
  if (state.newer && state.newer.version <= post.version) state.newer = null;
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

export function onFailure(turn: Turn, error: ApiError): void {
  const { state } = turn;
  const { phase } = state;
  switch (phase.at) {
    case "checking":
      return begin(turn, phase.work);
    case "sending":
      remember(turn, phase.attempt, error);
      if (phase.work.job.do === "overwrite") return overwriteFailed(turn, phase.work.job, error);
      if (error.code !== "version_conflict") return refuse(turn, phase.work, error);
      if (!state.server) return ask(turn, phase.work, phase.attempt, error, null);
      state.phase = { at: "comparing", work: phase.work, attempt: phase.attempt, error };
      return void turn.commands.push({ do: "look", postId: state.server.id });
    case "repeating": {
      const { attempt, work, writing } = phase;
      if (attempt.earlier && "idempotency_key" in error.fields) return repeat(turn, work, attempt.earlier, writing); // the key is of what arrived
      remember(turn, attempt, error);
      return refuse(turn, work, error);
    }
    case "looking":
      return refuse(turn, phase.work, error);
    case "comparing":
      return ask(turn, phase.work, phase.attempt, phase.error, null);
    case "following":
      state.heard = 0; // the next write finds out
      return finish(turn, phase.work.job, false);
  }
}

/** Keeps what may be on the server: a write without an answer, and those before a refused one with the same key; of a post that was given up, nothing. */
function remember({ state }: Turn, attempt: Attempt, error: ApiError): void {
  const isOfThisPost = attempt.request.id === (state.server?.id ?? null);
  state.unanswered = !isOfThisPost ? null : isUnanswered(error) ? attempt : attempt.earlier;
}

function refuse(turn: Turn, { job, created }: Work, error: ApiError): void {
  if (job.do === "follow") return finish(turn, job, false);
  const intent = intentOf(job);
  if (error.code === "published_post_locked") say(turn, "error", lockedNotice);
  else if (error.code === "unauthenticated") {
    // The session's end has a dialog of its own; the text stays, and what saved itself does so again afterwards.
    if (intent.kind === "autosave") setTrouble(turn, { reason: "unanswered" });
  } else {
    const trouble = saveTrouble(error, intent);
    setTrouble(turn, trouble);
    const quiet = job.do === "resolve" || intent.kind === "autosave"; // what nobody asked for fails quietly
    const notice = failureNotice(intent, created);
    if (!quiet) say(turn, "error", trouble.reason === "refused" ? { ...notice, description: trouble.sentence } : notice);
  }
  finish(turn, job, false);
}

export function onFound(turn: Turn, { post, now }: { post: Post; now: Date }): void {
  const { state } = turn;
  const { phase, server } = state;
  switch (phase.at) {
    case "looking": {
      const { attempt, work, writing } = phase;
      const has = server !== null && post.version === server.version + 1 && isOutcomeOf(attempt.writing, attempt.intent, post);
      state.unanswered = null;
      if (has) arrived(turn, attempt, post);
      return proceed(turn, work, writing, has ? attempt : null);
    }
    case "comparing": {
      const { attempt, work, error } = phase;
      if (!server || !isSameText(server, post) || !isNoMatter(server, post)) return ask(turn, work, attempt, error, post);
      state.server = post;
      const problem = writingProblem(attempt.writing, attempt.intent, post, now);
      if (!problem) return send(turn, work, nextAttempt(turn, attempt.writing, attempt.intent, post.version));
      say(turn, "error", problem);
      return finish(turn, work.job, false);
    }
    case "following": {
      state.heard = 0;
      inTouch(turn);
      if (!server || post.id !== server.id || post.version <= server.version) return finish(turn, phase.work.job, false);
      if (isSameText(server, post) && mayFollow(state, server, post)) state.server = post;
      else if (isDirty(state)) state.newer = post;
      else if (isSameText(server, post)) state.server = post;
      else {
        state.phase = { at: "showing", work: phase.work, post };
        turn.commands.push({ do: "show", post });
        return;
      }
      return finish(turn, phase.work.job, true);
    }
  }
}

/** What a colleague saved stands on the screen; what was written here in that moment stands with it. */
export function onShown(turn: Turn, done: boolean): void {
  const { state } = turn;
  const { phase, server } = state;
  if (phase.at !== "showing") return;
  if (!done) state.newer = phase.post;
  else {
    if (state.title === server?.title) state.title = phase.post.title;
    if (server && isSameTags(state.tags, server.tags)) state.tags = phase.post.tags;
    state.server = phase.post;
    state.newer = null;
  }
  finish(turn, phase.work.job, done);
}

/** Whether a newer version needs no answer. Without a word of one's own that would have to be restored with it, an archived post is shown as it is. */
export const mayFollow = (state: State, server: Post, newer: PostSummary): boolean =>
  isNoMatter(server, newer) || (newer.status === "archived" && !isDirty(state));

function ask(turn: Turn, { job }: Work, { intent, writing }: Attempt, { conflict }: ApiError, theirs: Post | null): void {
  const { state, commands } = turn;
  const dropped = state.queue;
  const waits = job.id === null && state.running.autosave && state.changes > writing.changes;
  state.queue = [];
  setTrouble(turn, null);
  stop(turn, "longest");
  if (job.id !== null) commands.push({ do: "finish", id: job.id, done: false });
  if (theirs) state.newer = theirs;
  state.phase = {
    at: "conflict",
    waits,
    conflict: {
      intent,
      archived: theirs?.status === "archived",
      updatedAt: conflict?.updated_at ?? theirs?.updated_at ?? null,
      updatedByName: conflict?.updated_by_name ?? theirs?.updated_by_name ?? null,
      mine: writing,
      theirs,
    },
  };
  for (const waiting of dropped) enqueue(turn, waiting); // none waits while somebody is asked
}

/** Closes with a sentence. `error` is null when the screen could not be read. */
function overwriteFailed(turn: Turn, job: Job & { do: "overwrite" }, error: ApiError | null): void {
  setTrouble(turn, error ? saveTrouble(error, intentOf(job)) : noAnswerTo(intentOf(job)));
  say(turn, "error", { title: error && error.status > 0 ? error.message : "Failed to save your changes." });
  finish(turn, job, false);
}
