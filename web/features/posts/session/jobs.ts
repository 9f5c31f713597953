import type { Post, PostSummary } from "#contract/posts.ts";
import { errorCatalogue } from "#contract/errors.ts";
import { ApiError } from "../../../lib/api-client.ts";
import type { Choices, Merge } from "#contract/merge/types.ts";
import type { Together } from "./bring-together.ts";
import {
  autosaveLongestMs,
  conflictOf,
  intentOf,
  isAllSaved,
  isDirty,
  pauseMs,
  type Attempt,
  type Job,
  type Merged,
  type State,
  type Taking,
  type Work,
} from "./state.ts";
import { versionOf } from "./versions.ts";
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
  mergedNotice,
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

/** 'Save anyway', or with choices 'Save merged': only a question that waits can be answered. */
export function answerConflict(turn: Turn, id: number, choices: Choices | null): void {
  const { state, commands } = turn;
  if (state.phase.at !== "conflict") return void commands.push({ do: "finish", id, done: false });
  const { conflict } = state.phase;
  start(turn, choices ? { do: "merge", id, conflict, choices } : { do: "overwrite", id, conflict });
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
    case "merge": {
      const { theirs } = job.conflict;
      if (!theirs) return finish(turn, job, false);
      return settle(turn, { ...work, taking: { theirs, refused: null, choices: job.choices, tries: 0 } });
    }
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
  const { server, heard, newer, unanswered, phase, blind } = turn.state;
  if (blind || phase.at !== "idle" || !server || unanswered || heard <= Math.max(server.version, newer?.version ?? 0)) return;
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
  turn.state.blind = false;
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
    repeat(turn, work, creation(state, newest, kept, attempt), newest);
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

function written(turn: Turn, { job, merged }: Work): void {
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
  if (!state.newer) state.base = state.open = null;
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
      if (!state.server) return ask(turn, phase.work, phase.attempt.writing, error, null, null);
      return phase.work.merges ? yieldFirst(turn, phase.work, phase.attempt, error) : compare(turn, phase.work, phase.attempt, error);
    case "repeating": {
      const { attempt, work, writing } = phase;
      if (attempt.earlier && "idempotency_key" in error.fields) return repeat(turn, work, attempt.earlier, writing); // the key is of what arrived
      remember(turn, attempt, error);
      return refuse(turn, work, error);
    }
    case "looking":
      return refuse(turn, phase.work, error);
    case "comparing":
      return ask(turn, phase.work, phase.attempt.writing, phase.error, null, null);
    case "following":
      if (isUnanswered(error)) {
        state.blind = true;
        if (!state.running.autosave) wait(turn, "autosave", autosaveLongestMs);
      } else state.heard = 0;
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
      if (!server || !isSameText(server, post) || !isNoMatter(server, post)) {
        const taking = { theirs: post, refused: { attempt, error }, choices: null, tries: 0 };
        return isMergeable(state, post) ? read(turn, { ...work, taking }) : ask(turn, work, attempt.writing, error, post, null);
      }
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
      else if (isDirty(state)) return takeIn(turn, phase.work, post);
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
  if (phase.at === "placing") return onPlaced(turn, phase, done);
  if (phase.at !== "showing") return;
  const { post, work } = phase;
  if (!done) return takeIn(turn, work, post);
  if (server) {
    if (state.title === server.title) state.title = post.title;
    if (isSameTags(state.tags, server.tags)) state.tags = post.tags;
    if (isSameSummary(state.summary, server.summary)) state.summary = post.summary ?? "";
    if (isSameCover(state.cover, server.cover_image)) state.cover = post.cover_image;
  }
  state.server = post;
  state.newer = state.base = state.open = null;
  finish(turn, work.job, true);
}

// A newer version is taken into what is unsaved here. Source: docs/decisions/0024-merging-by-block.md.

/** While somebody types, so often at most; then it is left to the next rest. */
const mostTries = 12;
/** Whoever comes too late so often is asked; a save that nobody asked for has its next rest. */
const mostMerges = 12;
const breathMs = 40;

/** Whether a text can be merged into a newer version: one that is archived takes nothing. */
const isMergeable = ({ server }: State, theirs: Post): boolean => server?.status !== "archived" && theirs.status !== "archived";

/** Whether what would be done is another thing by now: then it is for the person to say. What was a draft may have readers. */
function isAnotherMatter({ server }: State, { job }: Work, theirs: Post): boolean {
  if (server && theirs.status !== server.status && theirs.status !== "draft") return true;
  if (job.do === "follow") return false;
  const { kind } = intentOf(job);
  return kind === "publish" || kind === "schedule";
}

/** Over unsaved words, unless its status says that these are another matter now. */
function takeIn(turn: Turn, work: Work, theirs: Post): void {
  const { state } = turn;
  if (isMergeable(state, theirs) && !isAnotherMatter(state, work, theirs)) {
    return read(turn, { ...work, taking: { theirs, refused: null, choices: null, tries: 0 } });
  }
  state.newer = theirs;
  finish(turn, work.job, false);
}

function bringTogether({ state, commands }: Turn, work: Work, taking: Taking, writing: Writing): void {
  const { theirs, choices } = taking;
  state.phase = { at: "merging", work, taking, writing };
  commands.push({ do: "merge", base: state.base ?? state.server ?? theirs, writing, theirs, choices });
}

export function onMerged(turn: Turn, together: Together | null): void {
  const { state, commands } = turn;
  const { phase } = state;
  if (phase.at !== "merging") return;
  const { work, taking, writing } = phase;
  if (!together) return giveUp(turn, work, taking, null);
  const decided = taking.choices !== null; // the person has seen this version
  const late = (work.merges ?? 0) >= mostMerges;
  if (work.job.do !== "follow" && (together.open || (!decided && (late || isAnotherMatter(state, work, taking.theirs))))) {
    return giveUp(turn, work, taking, together.merge);
  }
  state.phase = { at: "placing", work, taking, writing, together };
  if (together.content) commands.push({ do: "place", from: writing.content, content: together.content });
  else onPlaced(turn, state.phase, true);
}

function onPlaced(turn: Turn, { work, taking, writing, together }: State["phase"] & { at: "placing" }, done: boolean): void {
  const { state } = turn;
  if (!done) return again(turn, work, taking);
  const { server } = state;
  const raced = takeFields(state, writing, together.fields);
  if (together.base || raced.length > 0) {
    const theirs = together.base ?? versionOf(taking.theirs);
    const before = state.base ?? (server && versionOf(server)) ?? theirs;
    state.base = { ...theirs, ...Object.fromEntries(raced.map((field) => [field, before[field]])) };
    state.newer = taking.theirs;
    state.open = together.open;
    if (raced.length > 0) return again(turn, work, taking);
    return finish(turn, work.job, true);
  }
  state.server = taking.theirs;
  state.newer = state.base = state.open = null;
  state.declined = false;
  const { taking: _, ...rest } = work;
  if (work.job.do === "follow") {
    if (together.isTheirs && state.changes === writing.changes && state.uploads === 0) {
      state.savedChanges = state.changes; // both wrote the same
      clearDraft(turn);
    }
    return finish(turn, work.job, true);
  }
  const names = [...new Set([...(work.merged?.names ?? []), taking.theirs.updated_by_name ?? "somebody"])];
  const merged = { names, from: work.merged?.from ?? server?.version ?? taking.theirs.version };
  read(turn, { ...rest, merged, merges: (work.merges ?? 0) + 1 });
}

/** What of it was typed in meanwhile stays as it is, and is merged once more. */
function takeFields(state: State, writing: Writing, { title, tags, summary, cover }: Together["fields"]): (keyof Together["fields"])[] {
  const typed = {
    title: state.title !== writing.title,
    tags: !isSameTags(state.tags, writing.tags),
    summary: state.summary !== writing.summary,
    cover: !isSameCover(state.cover, writing.cover),
  };
  if (title !== undefined && !typed.title) state.title = title;
  if (tags !== undefined && !typed.tags) state.tags = tags;
  if (summary !== undefined && !typed.summary) state.summary = summary;
  if (cover !== undefined && !typed.cover) state.cover = cover;
  const taken = { title, tags, summary, cover };
  return (["title", "tags", "summary", "cover"] as const).filter((field) => typed[field] && taken[field] !== undefined);
}

/** Somebody types: a moment later it may go. */
function again(turn: Turn, work: Work, taking: Taking): void {
  const tries = taking.tries + 1;
  if (tries >= mostTries) return giveUp(turn, work, taking, null);
  read(turn, { ...work, taking: { ...taking, tries } });
}

/** Not merged: the person is asked, or told that there is a newer version. */
function giveUp(turn: Turn, work: Work, { theirs, refused }: Taking, merge: Merge | null): void {
  const { state } = turn;
  const { job } = work;
  if (job.do === "merge") return ask(turn, work, job.conflict.mine, null, theirs, merge);
  if (refused) return ask(turn, work, refused.attempt.writing, refused.error, theirs, merge);
  state.newer = theirs;
  finish(turn, job, false);
}

function compare({ state, commands }: Turn, work: Work, attempt: Attempt, error: ApiError): void {
  state.phase = { at: "comparing", work, attempt, error };
  if (attempt.request.id !== null) commands.push({ do: "look", postId: attempt.request.id });
}

/** Many save at once: each waits for a while of its own, so that not all of them come back at the same moment. */
function yieldFirst(turn: Turn, work: Work, attempt: Attempt, error: ApiError): void {
  const { state } = turn;
  const merges = work.merges ?? 0;
  if (merges >= mostMerges && work.job.id === null) {
    if (!state.running.autosave) wait(turn, "autosave", state.restMs); // at the next rest
    return finish(turn, work.job, false);
  }
  if (state.left || merges >= mostMerges) return compare(turn, work, attempt, error);
  state.phase = { at: "yielding", work, attempt, error };
  wait(turn, "again", breathMs + (sumOf(attempt.key) % (breathMs * 2 ** Math.min(merges, 5))));
}

/** A number that follows from a write's name: the machine itself throws no dice. */
const sumOf = (name: string): number => [...name].reduce((sum, letter) => (Math.imul(sum, 31) + letter.codePointAt(0)!) >>> 0, 7);

export function onYielded(turn: Turn): void {
  const { phase } = turn.state;
  if (phase.at === "yielding") compare(turn, phase.work, phase.attempt, phase.error);
}

/** Whether a newer version needs no answer. Without a word of one's own that would have to be restored with it, an archived post is shown as it is. */
export const mayFollow = (state: State, server: Post, newer: PostSummary): boolean =>
  isNoMatter(server, newer) || (newer.status === "archived" && !isDirty(state));

/** `mine`: what was refused. `error` is null when nothing was sent. */
function ask(turn: Turn, { job }: Work, mine: Writing, error: ApiError | null, theirs: Post | null, merge: Merge | null): void {
  if (job.do === "follow") return finish(turn, job, false);
  const { state, commands } = turn;
  const dropped = state.queue;
  const waits = job.id === null && state.running.autosave && state.changes > mine.changes;
  const conflict = error?.conflict;
  state.queue = [];
  setTrouble(turn, null);
  stop(turn, "longest");
  if (job.id !== null) commands.push({ do: "finish", id: job.id, done: false });
  if (theirs) state.newer = theirs;
  state.phase = {
    at: "conflict",
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
function overwriteFailed(turn: Turn, job: Job & { do: "overwrite" | "merge" }, error: ApiError | null): void {
  setTrouble(turn, error ? saveTrouble(error, intentOf(job)) : noAnswerTo(intentOf(job)));
  say(turn, "error", { title: error && error.status > 0 ? error.message : "Failed to save your changes." });
  finish(turn, job, false);
}
