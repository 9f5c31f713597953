import type { PostFields } from "#contract/rules/post-content.ts";
import { onAnswer, onFailure, onFetched } from "./answers.ts";
import { answerConflict, enqueue, refetchIfAnnounced, onChecked, read, rebase } from "./jobs.ts";
import { onMerged, onShown, onBackoffOver } from "./merging.ts";
import { onRead } from "./sending.ts";
import { autosaveMaxWaitMs, isAllSaved, isDirty, pauseMs, autosaves, type Command, type Event, type State } from "./state.ts";
import { clearDraft, stopTimer, storeDraft, startTimer, willRetry, type Turn } from "./turn.ts";

/** Autosave debounce without a local draft, also while typing continues. */
const urgentDebounceMs = 500;
/** Delay before the local draft is stored: at most one second of text may be lost. */
export const draftDelayMs = 500;

/** Pure state machine: returns the next state and its commands. */
export function step(state: State, event: Event): [State, Command[]] {
  const turn: Turn = { state: { ...state }, commands: [] };
  handle(turn, event);
  return [turn.state, turn.commands];
}

function handle(turn: Turn, event: Event): void {
  const { state, commands } = turn;
  switch (event.type) {
    case "changed": {
      const { type: _, ...fields } = event;
      return change(turn, fields);
    }
    case "upload":
      state.uploads += event.state === "begun" ? 1 : -1;
      if (event.state === "begun") state.abandoned = false;
      if (event.state === "changed") change(turn, {});
      if (event.state !== "begun" && isAllSaved(state)) clearDraft(turn);
      return;
    case "write":
      state.slugProblem = null;
      return enqueue(turn, { do: "write", id: event.id, intent: event.intent });
    case "overwrite":
      return answerConflict(turn, event.id, null);
    case "save-merged":
      return answerConflict(turn, event.id, event.choices);
    case "rebased":
      if (state.server === null) return;
      state.rebased = event.base;
      if (state.phase.at === "sending" || state.phase.at === "retrying" || state.unanswered) return; // wait for its response first
      rebase(state);
      return refetchIfAnnounced(turn);
    case "cancel-conflict":
      if (state.phase.at !== "conflict") return;
      state.conflictDismissed = true;
      state.phase = { at: "idle" };
      return refetchIfAnnounced(turn);
    case "save-as-new":
      state.server = null;
      state.unanswered = null;
      state.newer = state.base = state.openConflicts = state.rebased = null;
      state.awaitsFirstSave = true;
      return enqueue(turn, { do: "write", id: event.id, intent: { kind: "save" } });
    case "abandon":
      state.abandoned = true;
      return;
    case "entered":
      state.hasLeft = false;
      return startTimer(turn, "pause", pauseMs);
    case "left":
      for (const timer of ["autosave", "maxWait", "pause"] as const) stopTimer(turn, timer);
      storeDraft(turn);
      state.hasLeft = true;
      return;
    case "settled":
      return state.phase.at === "settling" ? read(turn, state.phase.work) : undefined;
    case "read":
      return state.phase.at === "reading" ? onRead(turn, state.phase.work, event) : undefined;
    case "answered":
      return onAnswer(turn, event.post);
    case "fetched":
      return onFetched(turn, event);
    case "failed":
      return onFailure(turn, event.error);
    case "checked":
      return onChecked(turn, event.isCurrent);
    case "shown":
      return onShown(turn, event.done);
    case "merged":
      return onMerged(turn, event.result);
    case "backoff-due":
      state.running = { ...state.running, backoff: false };
      return onBackoffOver(turn);
    case "announced":
      if (state.server?.id !== event.postId) return;
      state.announcedVersion = Math.max(state.announcedVersion, event.version);
      state.refetchFailed = false;
      return refetchIfAnnounced(turn);
    case "autosave-due":
      state.running = { ...state.running, autosave: false };
      if (state.phase.at === "conflict") state.phase = { ...state.phase, isDeferred: false };
      state.refetchFailed = false;
      autosave(turn);
      return refetchIfAnnounced(turn);
    case "max-wait-due":
      state.running = { ...state.running, maxWait: false };
      if (state.newer === null) autosave(turn); // else it would open a conflict while typing
      return;
    case "pause-over":
      state.running = { ...state.running, pause: false };
      state.paused = true;
      return;
    case "online":
      state.refetchFailed = false;
      autosave(turn);
      return refetchIfAnnounced(turn);
    case "hidden":
      storeDraft(turn);
      if (autosaves(state)) autosave(turn);
      return;
    case "store-draft":
      return storeDraft(turn);
    case "clear-draft":
      return clearDraft(turn);
    case "draft-settled": {
      const before = state.draftProblem;
      state.draftProblem = event.problem;
      if (event.problem && !before && state.running.autosave) startTimer(turn, "autosave", urgentDebounceMs);
      return;
    }
    case "drafts-found":
      state.offered = event.drafts;
      return;
    case "draft-forgotten":
      state.offered = state.offered.filter(({ sessionId }) => sessionId !== event.sessionId);
      commands.push({ do: "delete-draft", sessionId: event.sessionId });
  }
}

function change(turn: Turn, fields: Partial<PostFields>): void {
  const { state } = turn;
  Object.assign(state, fields);
  state.changes += 1;
  state.abandoned = false;
  if (!state.running.draft) startTimer(turn, "draft", draftDelayMs);
  const isUrgent = state.draftProblem !== null && !willRetry(state.trouble);
  if (!isUrgent) startTimer(turn, "autosave", state.debounceMs);
  else if (!state.running.autosave) startTimer(turn, "autosave", urgentDebounceMs);
  if (!state.running.maxWait && autosaves(state)) startTimer(turn, "maxWait", Math.max(autosaveMaxWaitMs, state.debounceMs));
}

/** Autosaves drafts. Of other posts it only retries a requested save without an answer. */
function autosave(turn: Turn): void {
  const { state } = turn;
  const { server, unanswered, phase, newer, openConflicts } = state;
  const attempt = phase.at === "sending" || phase.at === "retrying" ? phase.attempt : unanswered;
  const reportsOutcome = server === null && attempt !== null && attempt.intent.kind !== "autosave";
  if (isDirty(state) && autosaves(state) && !reportsOutcome) {
    stopTimer(turn, "maxWait");
    const isQueued = state.queue.some((job) => job.do === "write" && job.id === null);
    return isQueued ? undefined : enqueue(turn, { do: "write", id: null, intent: { kind: "autosave" } });
  }
  if (attempt) enqueue(turn, { do: "resolve", id: null, attempt });
  else if (newer && !openConflicts && !state.conflictDismissed && phase.at === "idle") enqueue(turn, { do: "refetch", id: null });
}
