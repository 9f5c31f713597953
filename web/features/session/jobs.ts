import type { Choices } from "#contract/merge/types.ts";
import { conflictOf, isDirty, isUnwritten, pauseMs, autosaves, type Attempt, type Job, type State, type Work } from "./state.ts";
import { startTimer, type Turn } from "./turn.ts";
import { atVersion } from "./versions.ts";
import { createBody, coversIntent, isPlainSave, type Intent, type Writing } from "./write.ts";

// Job queue: one job at a time, none while a conflict is open. Source: specification, section 4; product decision 7.

export function enqueue(turn: Turn, job: Job): void {
  const { state, commands } = turn;
  if (conflictOf(state)) {
    if (job.id !== null && state.phase.at === "conflict") state.phase = { ...state.phase, isAutomatic: false, isDeferred: false };
    if (job.id !== null) commands.push({ do: "finish", id: job.id, done: false });
  } else if (state.phase.at === "idle") start(turn, job);
  else state.queue = [...state.queue, job];
}

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
      if (job.id === null && !isDirty(turn.state)) return finish(turn, job, true); // the previous write included everything
      if (!server || !paused || unanswered) return prepare(turn, work);
      turn.state.phase = { at: "checking", work };
      turn.commands.push({ do: "check", postId: server.id, version: server.version });
      return;
    case "overwrite":
      return settle(turn, work);
    case "merge": {
      const { theirs } = job.conflict;
      if (!theirs) return finish(turn, job, false);
      return settle(turn, { ...work, incoming: { theirs, refused: null, choices: job.choices, tries: 0 } });
    }
    case "resolve":
      if (unanswered !== job.attempt) return finish(turn, job, true);
      return job.attempt.request.id === null ? read(turn, work) : resolve(turn, work, job.attempt, job.attempt.writing);
    case "refetch":
      if (!server) return finish(turn, job, false);
      turn.state.phase = { at: "refetching", work, announcedVersion: turn.state.announcedVersion };
      turn.commands.push({ do: "fetch", postId: server.id });
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
  if (!state.trouble && isUnwritten(state) && autosaves(state) && !state.running.autosave) startTimer(turn, "autosave", state.debounceMs);
  refetchIfAnnounced(turn);
}

/** The editor's text was written on an earlier version than the one that just arrived. */
export function rebase(state: State): void {
  const { rebased, server } = state;
  if (!rebased) return;
  state.rebased = null;
  if (!server) return;
  state.announcedVersion = Math.max(state.announcedVersion, server.version);
  state.server = atVersion(server, rebased);
}

/** Fetches an announced version, unless it may be this session's own unanswered write or is known. */
export function refetchIfAnnounced(turn: Turn): void {
  const { server, announcedVersion, newer, unanswered, phase, refetchFailed } = turn.state;
  if (refetchFailed || phase.at !== "idle" || !server || unanswered || announcedVersion <= Math.max(server.version, newer?.version ?? 0))
    return;
  start(turn, { do: "refetch", id: null });
}

export function prepare(turn: Turn, work: Work): void {
  const { job } = work;
  if (job.do === "write" && job.intent.kind === "autosave" && job.id === null) read(turn, work);
  else settle(turn, work);
}

/** Only an early warning: the write's own response decides. */
export function onChecked(turn: Turn, isCurrent: boolean): void {
  const { phase } = turn.state;
  if (phase.at !== "checking") return;
  inTouch(turn);
  prepare(turn, isCurrent ? phase.work : { ...phase.work, stale: true });
}

export function inTouch(turn: Turn): void {
  turn.state.paused = false;
  turn.state.refetchFailed = false;
  startTimer(turn, "pause", pauseMs);
}

function settle({ state, commands }: Turn, work: Work): void {
  state.phase = { at: "settling", work };
  commands.push({ do: "settle" });
}

export function read({ state, commands }: Turn, work: Work): void {
  state.phase = { at: "reading", work };
  commands.push({ do: "read" });
}

export function resolve(turn: Turn, work: Work, before: Attempt, writing: Writing): void {
  const { state, commands } = turn;
  const { job } = work;
  const intent = job.do === "write" ? job.intent : null;
  if (before.request.id === null) return retry(turn, work, creation(state, writing, intent ?? before.intent, before), writing);
  if (isPlainSave(before.intent) || (intent && coversIntent(before.intent, intent))) return retry(turn, work, before, writing);
  state.phase = { at: "verifying", work, attempt: before, writing }; // never done twice, no conflict with oneself
  commands.push({ do: "fetch", postId: before.request.id });
}

export function retry({ state, commands }: Turn, work: Work, attempt: Attempt, writing: Writing): void {
  state.phase = { at: "retrying", work, attempt, writing };
  commands.push({ do: "send", attempt });
}

/** Creates the post, in place of an unanswered creation. `requestedIntent`: what the user requested. */
export function creation(
  state: State,
  writing: Writing,
  intent: Intent,
  earlier: Attempt | null,
  requestedIntent = requestedIntentOf(intent, earlier),
): Attempt {
  const request = { id: null, body: createBody(writing, intent, state.workspaceId) };
  return { intent, requestedIntent, writing, key: earlier?.key ?? nextKey(state), request, earlier };
}

/** An autosave requests nothing; after a save, the outcome of an earlier publication is still reported. */
function requestedIntentOf(intent: Intent, earlier: Attempt | null): Intent {
  if (!earlier || !isPlainSave(intent)) return intent;
  return intent.kind === "autosave" || !isPlainSave(earlier.requestedIntent) ? earlier.requestedIntent : intent;
}

export const nextKey = (state: State): string => `${state.visitId}:${++state.attempts}`;
