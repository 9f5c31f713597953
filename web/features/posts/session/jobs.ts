import type { Choices } from "#contract/merge/types.ts";
import { conflictOf, isDirty, isUnwritten, pauseMs, savesItself, type Attempt, type Job, type State, type Work } from "./state.ts";
import { wait, type Turn } from "./turn.ts";
import { createBody, isSameIntent, isSaving, type Intent, type Writing } from "./write.ts";

// One job after the other, and none while a conflict waits for an answer. Source: specification, section 4; product decision 7.

export function enqueue(turn: Turn, job: Job): void {
  const { state, commands } = turn;
  if (conflictOf(state)) {
    if (job.id !== null && state.phase.at === "conflict") state.phase = { ...state.phase, unasked: false, waits: false };
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
      if (!server || !paused || unanswered) return prepare(turn, work);
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
      turn.state.phase = { at: "following", work, heard: turn.state.heard };
      turn.commands.push({ do: "look", postId: server.id });
  }
}

export function finish(turn: Turn, { id }: Job, done: boolean): void {
  const { state, commands } = turn;
  if (id !== null) commands.push({ do: "finish", id, done });
  state.phase = { at: "idle" };
  const [next, ...rest] = state.queue;
  state.queue = rest;
  if (!state.unanswered) rebase(state);
  if (next) return start(turn, next);
  if (!state.trouble && isUnwritten(state) && savesItself(state) && !state.running.autosave) wait(turn, "autosave", state.restMs);
  followIfHeard(turn);
}

/** What stands there now was written on an earlier version than what has just arrived. */
export function rebase(state: State): void {
  const { rebased, server } = state;
  if (!rebased) return;
  state.rebased = null;
  if (!server) return;
  const { version, title, tags, summary, cover_image, content_raw, content_md } = rebased;
  state.heard = Math.max(state.heard, server.version);
  state.server = { ...server, version, title, tags, summary, cover_image, content_raw, content_md }; // a post that is live stays that
}

/** Reads a newer version that was announced, unless it may be this session's own unanswered write, or is known already. */
export function followIfHeard(turn: Turn): void {
  const { server, heard, newer, unanswered, phase, refetchFailed } = turn.state;
  if (refetchFailed || phase.at !== "idle" || !server || unanswered || heard <= Math.max(server.version, newer?.version ?? 0)) return;
  start(turn, { do: "follow", id: null });
}

/** Uploads of images are waited for, except by an autosave. */
export function prepare(turn: Turn, work: Work): void {
  const { job } = work;
  if (job.do === "write" && job.intent.kind === "autosave" && job.id === null) read(turn, work);
  else settle(turn, work);
}

/** Only an early warning: whether a write is stale is decided by its own answer. */
export function onChecked(turn: Turn, isCurrent: boolean): void {
  const { phase } = turn.state;
  if (phase.at !== "checking") return;
  inTouch(turn);
  prepare(turn, isCurrent ? phase.work : { ...phase.work, stale: true });
}

/** The server has answered. */
export function inTouch(turn: Turn): void {
  turn.state.paused = false;
  turn.state.refetchFailed = false;
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

/** Before anything else is written it has to be known what became of a write that got no answer. */
export function resolve(turn: Turn, work: Work, before: Attempt, writing: Writing): void {
  const { state, commands } = turn;
  const { job } = work;
  const wanted = job.do === "write" ? job.intent : null;
  if (before.request.id === null) return repeat(turn, work, creation(state, writing, wanted ?? before.intent, before), writing);
  if (isSaving(before.intent) || (wanted && isSameIntent(before.intent, wanted))) return repeat(turn, work, before, writing);
  state.phase = { at: "looking", work, attempt: before, writing }; // never done twice, and no conflict with oneself
  commands.push({ do: "look", postId: before.request.id });
}

export function repeat({ state, commands }: Turn, work: Work, attempt: Attempt, writing: Writing): void {
  state.phase = { at: "repeating", work, attempt, writing };
  commands.push({ do: "send", attempt });
}

/** A write that makes the post, in the place of an unanswered one that would have made it; `wish`: what the person asked for. */
export function creation(state: State, writing: Writing, intent: Intent, earlier: Attempt | null, wish = wishOf(intent, earlier)): Attempt {
  const request = { id: null, body: createBody(writing, intent, state.workspaceId) };
  return { intent, wish, writing, key: earlier?.key ?? nextKey(state), request, earlier };
}

/** What saves itself is nobody's wish, and whoever saves still wants to know what became of a publication. */
function wishOf(intent: Intent, earlier: Attempt | null): Intent {
  if (!earlier || !isSaving(intent)) return intent;
  return intent.kind === "autosave" || !isSaving(earlier.wish) ? earlier.wish : intent;
}

export const nextKey = (state: State): string => `${state.visitId}:${++state.attempts}`;
