import type { Merge } from "#contract/merge/types.ts";
import type { Post } from "#contract/posts.ts";
import { type FieldName, fieldsOf, isSameField, pickFields, takeUnchanged } from "#contract/rules/post-content.ts";
import { ApiError } from "../../lib/api-client.ts";
import { openConflict } from "./asking.ts";
import type { MergeResult } from "./merge.ts";
import { finish, read } from "./jobs.ts";
import { intentOf, type Attempt, type State, type IncomingVersion, type Work } from "./state.ts";
import { clearDraft, startTimer, type Turn } from "./turn.ts";
import { versionOf } from "./versions.ts";
import type { Writing } from "./write.ts";

// Merging newer versions into unsaved changes. Source: docs/decisions/0024-merging-by-block.md.

export function onShown(turn: Turn, done: boolean): void {
  const { state } = turn;
  const { phase, server } = state;
  if (phase.at === "placing") return onPlaced(turn, phase, done);
  if (phase.at !== "showing") return;
  const { post, work } = phase;
  if (!done) return mergeIncoming(turn, work, post);
  if (server) takeUnchanged(state, fieldsOf(server), fieldsOf(post));
  state.server = post;
  state.newer = state.base = state.openConflicts = null;
  finish(turn, work.job, true);
}

const maxTries = 12;
/** Maximum number of merges per save; then the user is asked, or the autosave waits. */
const maxMerges = 12;
const backoffMs = 40;

export const isMergeable = ({ server }: State, theirs: Post): boolean => server?.status !== "archived" && theirs.status !== "archived";

/** True if the status makes it another decision: a draft may now have readers. */
function needsDecision({ server }: State, { job }: Work, theirs: Post): boolean {
  if (server && theirs.status !== server.status && theirs.status !== "draft") return true;
  if (job.do === "refetch") return false;
  const { kind } = intentOf(job);
  return kind === "publish" || kind === "schedule";
}

export function mergeIncoming(turn: Turn, work: Work, theirs: Post): void {
  const { state } = turn;
  if (isMergeable(state, theirs) && !needsDecision(state, work, theirs)) {
    return read(turn, { ...work, incoming: { theirs, refused: null, choices: null, tries: 0 } });
  }
  state.newer = theirs;
  finish(turn, work.job, false);
}

export function startMerge({ state, commands }: Turn, work: Work, incoming: IncomingVersion, writing: Writing): void {
  const { theirs, choices } = incoming;
  state.phase = { at: "merging", work, incoming, writing };
  commands.push({ do: "merge", base: state.base ?? state.server ?? theirs, writing, theirs, choices });
}

export function onMerged(turn: Turn, result: MergeResult | null): void {
  const { state, commands } = turn;
  const { phase } = state;
  if (phase.at !== "merging") return;
  const { work, incoming, writing } = phase;
  if (!result) return giveUp(turn, work, incoming, null);
  const isDecided = incoming.choices !== null;
  const isLate = (work.mergeCount ?? 0) >= maxMerges;
  if (work.job.do !== "refetch" && (result.openConflicts || (!isDecided && (isLate || needsDecision(state, work, incoming.theirs))))) {
    return giveUp(turn, work, incoming, result.merge);
  }
  state.phase = { at: "placing", work, incoming, writing, result };
  if (result.content) commands.push({ do: "place", from: writing.content, content: result.content });
  else onPlaced(turn, state.phase, true);
}

function onPlaced(turn: Turn, { work, incoming, writing, result }: State["phase"] & { at: "placing" }, done: boolean): void {
  const { state } = turn;
  if (!done) return tryAgain(turn, work, incoming);
  const { server } = state;
  const raced = takeFields(state, writing, result.fields);
  if (result.base || raced.length > 0) {
    const theirs = result.base ?? versionOf(incoming.theirs);
    const before = state.base ?? (server && versionOf(server)) ?? theirs;
    state.base = { ...theirs, ...pickFields(before, raced) };
    state.newer = incoming.theirs;
    state.openConflicts = result.openConflicts;
    if (raced.length > 0) return tryAgain(turn, work, incoming);
    return finish(turn, work.job, true);
  }
  state.server = incoming.theirs;
  state.newer = state.base = state.openConflicts = null;
  state.conflictDismissed = false;
  const { incoming: _, ...rest } = work;
  if (work.job.do === "refetch") {
    if (result.isTheirs && state.changes === writing.changes && state.uploads === 0) {
      state.savedChanges = state.changes;
      clearDraft(turn);
    }
    return finish(turn, work.job, true);
  }
  const names = [...new Set([...(work.merged?.names ?? []), incoming.theirs.updated_by_name ?? "someone"])];
  const merged = { names, from: work.merged?.from ?? server?.version ?? incoming.theirs.version };
  read(turn, { ...rest, merged, mergeCount: (work.mergeCount ?? 0) + 1 });
}

/** Applies merged fields. Returns fields edited meanwhile, which are merged again. */
function takeFields(state: State, writing: Writing, merged: MergeResult["fields"]): FieldName[] {
  const names = Object.keys(merged) as FieldName[];
  const raced = names.filter((name) => !isSameField(name, state, writing));
  takeUnchanged(state, writing, { ...state, ...merged });
  return raced;
}

/** Race: the user typed meanwhile. Tries again. */
function tryAgain(turn: Turn, work: Work, incoming: IncomingVersion): void {
  const tries = incoming.tries + 1;
  if (tries >= maxTries) return giveUp(turn, work, incoming, null);
  read(turn, { ...work, incoming: { ...incoming, tries } });
}

export function giveUp(turn: Turn, work: Work, { theirs, refused }: IncomingVersion, merge: Merge | null): void {
  const { state } = turn;
  const { job } = work;
  if (job.do === "merge") return openConflict(turn, work, job.conflict.mine, null, theirs, merge);
  if (refused) return openConflict(turn, work, refused.attempt.writing, refused.error, theirs, merge);
  state.newer = theirs;
  finish(turn, job, false);
}

export function compare({ state, commands }: Turn, work: Work, attempt: Attempt, error: ApiError): void {
  state.phase = { at: "comparing", work, attempt, error };
  if (attempt.request.id !== null) commands.push({ do: "fetch", postId: attempt.request.id });
}

/** Backoff with jitter per client, so that concurrent savers don't collide again. */
export function backOff(turn: Turn, work: Work, attempt: Attempt, error: ApiError): void {
  const { state } = turn;
  const mergeCount = work.mergeCount ?? 0;
  if (mergeCount >= maxMerges && work.job.id === null) {
    if (!state.running.autosave) startTimer(turn, "autosave", state.debounceMs);
    return finish(turn, work.job, false);
  }
  if (state.hasLeft || mergeCount >= maxMerges) return compare(turn, work, attempt, error);
  state.phase = { at: "backing-off", work, attempt, error };
  startTimer(turn, "backoff", backoffMs + (hashOf(attempt.key) % (backoffMs * 2 ** Math.min(mergeCount, 5))));
}

/** Deterministic jitter from the idempotency key: the state machine is pure. */
const hashOf = (key: string): number => [...key].reduce((sum, letter) => (Math.imul(sum, 31) + letter.codePointAt(0)!) >>> 0, 7);

export function onBackoffOver(turn: Turn): void {
  const { phase } = turn.state;
  if (phase.at === "backing-off") compare(turn, phase.work, phase.attempt, phase.error);
}
