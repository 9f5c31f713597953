import { onAnswer, onFailure, onFound } from "./answers.ts";
import { answerConflict, enqueue, followIfHeard, onChecked, read, rebase } from "./jobs.ts";
import { onMerged, onShown, onYielded } from "./merging.ts";
import { onRead } from "./sending.ts";
import { autosaveLongestMs, isAllSaved, isDirty, pauseMs, savesItself, type Command, type Event, type State } from "./state.ts";
import { clearDraft, stop, storeDraft, wait, willPass, type Turn } from "./turn.ts";

/** Without a copy on this device the server has to be fast, also while the person goes on typing. */
const hastyMs = 500;
/** From a change to its copy on this device: below the second that may be lost at most, with room for reading the editor and writing. */
export const draftDelayMs = 500;

/** The next state and what is to be done for it. Neither argument is changed. */
export function step(state: State, event: Event): [State, Command[]] {
  const turn: Turn = { state: { ...state }, commands: [] };
  take(turn, event);
  return [turn.state, turn.commands];
}

function take(turn: Turn, event: Event): void {
  const { state, commands } = turn;
  switch (event.type) {
    case "changed":
      return change(turn, event);
    case "upload":
      state.uploads += event.state === "begun" ? 1 : -1;
      if (event.state === "begun") state.letGo = false;
      if (event.state === "changed") change(turn, {});
      if (event.state !== "begun" && isAllSaved(state)) clearDraft(turn);
      return;
    case "write":
      return enqueue(turn, { do: "write", id: event.id, intent: event.intent });
    case "overwrite":
      return answerConflict(turn, event.id, null);
    case "save-merged":
      return answerConflict(turn, event.id, event.choices);
    case "rebased":
      if (state.server === null) return;
      state.rebased = event.base;
      if (state.phase.at === "sending" || state.phase.at === "repeating" || state.unanswered) return; // its answer is awaited first
      rebase(state);
      return followIfHeard(turn);
    case "cancel-conflict":
      if (state.phase.at !== "conflict") return;
      state.declined = true;
      state.phase = { at: "idle" };
      return followIfHeard(turn);
    case "save-as-new":
      state.server = null;
      state.unanswered = null;
      state.newer = state.base = state.open = state.rebased = null;
      state.fresh = true;
      return enqueue(turn, { do: "write", id: event.id, intent: { kind: "save" } });
    case "let-go":
      state.letGo = true;
      return;
    case "entered":
      state.left = false;
      return wait(turn, "pause", pauseMs);
    case "left":
      for (const timer of ["autosave", "longest", "pause"] as const) stop(turn, timer);
      storeDraft(turn); // whatever takes the editor away, its last words are kept
      state.left = true;
      return;
    case "settled":
      return state.phase.at === "settling" ? read(turn, state.phase.work) : undefined;
    case "read":
      return state.phase.at === "reading" ? onRead(turn, state.phase.work, event) : undefined;
    case "answered":
      return onAnswer(turn, event.post);
    case "found":
      return onFound(turn, event);
    case "failed":
      return onFailure(turn, event.error);
    case "checked":
      return onChecked(turn, event.isCurrent);
    case "shown":
      return onShown(turn, event.done);
    case "merged":
      return onMerged(turn, event.together);
    case "again-due":
      state.running = { ...state.running, again: false };
      return onYielded(turn);
    case "heard":
      if (state.server?.id !== event.postId) return;
      state.heard = Math.max(state.heard, event.version);
      state.refetchFailed = false;
      return followIfHeard(turn);
    case "autosave-due":
      state.running = { ...state.running, autosave: false };
      if (state.phase.at === "conflict") state.phase = { ...state.phase, waits: false };
      state.refetchFailed = false;
      autosave(turn);
      return followIfHeard(turn);
    case "longest-due":
      state.running = { ...state.running, longest: false };
      if (state.newer === null) autosave(turn); // else it would only bring up a question in the middle of a word
      return;
    case "pause-over":
      state.running = { ...state.running, pause: false };
      state.paused = true;
      return;
    case "online":
      state.refetchFailed = false;
      autosave(turn);
      return followIfHeard(turn);
    case "hidden":
      storeDraft(turn);
      if (savesItself(state)) autosave(turn); // the page may never be seen again
      return;
    case "keep-draft":
      return storeDraft(turn);
    case "drop-draft":
      return clearDraft(turn);
    case "draft-settled": {
      const before = state.draftProblem;
      state.draftProblem = event.problem;
      if (event.problem && !before && state.running.autosave) wait(turn, "autosave", hastyMs);
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

function change(turn: Turn, { title, tags, summary, cover }: Omit<Extract<Event, { type: "changed" }>, "type">): void {
  const { state } = turn;
  if (title !== undefined) state.title = title;
  if (tags !== undefined) state.tags = tags;
  if (summary !== undefined) state.summary = summary;
  if (cover !== undefined) state.cover = cover;
  state.changes += 1;
  state.letGo = false;
  if (!state.running.draft) wait(turn, "draft", draftDelayMs);
  const hasty = state.draftProblem !== null && !willPass(state.trouble);
  if (!hasty) wait(turn, "autosave", state.restMs);
  else if (!state.running.autosave) wait(turn, "autosave", hastyMs);
  if (!state.running.longest && savesItself(state)) wait(turn, "longest", Math.max(autosaveLongestMs, state.restMs));
}

/** Drafts save themselves; of anything else only a save is repeated that the person asked for and that got no answer. */
function autosave(turn: Turn): void {
  const { state } = turn;
  const { server, unanswered, phase, newer, open } = state;
  const attempt = phase.at === "sending" || phase.at === "repeating" ? phase.attempt : unanswered; // under way: if it gets no answer
  const promised = server === null && attempt !== null && attempt.intent.kind !== "autosave"; // how it turned out is said
  if (isDirty(state) && savesItself(state) && !promised) {
    stop(turn, "longest");
    const waiting = state.queue.some((job) => job.do === "write" && job.id === null);
    return waiting ? undefined : enqueue(turn, { do: "write", id: null, intent: { kind: "autosave" } });
  }
  if (attempt) enqueue(turn, { do: "resolve", id: null, attempt });
  else if (newer && !open && !state.declined && phase.at === "idle") enqueue(turn, { do: "follow", id: null }); // it did not get in between the words
}
