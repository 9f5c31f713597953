import type { CoverImage } from "#contract/rules/cover.ts";
import type { EditorOutput } from "#contract/blocks/schema.ts";
import type { Choices, Merge, Version } from "#contract/merge/types.ts";
import type { Post } from "#contract/posts.ts";
import type { ApiError } from "../../../lib/api-client.ts";
import type { LocalDraft } from "./draft-store.ts";
import type { Open, Together } from "./bring-together.ts";
import type { Intent, Notice, Request, SaveTrouble, Writing } from "./write.ts";

/** Rest after the last change before a draft goes to the server by itself; doubled with every failure. */
export const autosaveRestMs = 2_000;
/** Whoever goes on writing without a rest is saved this long after the first change all the same. */
export const autosaveLongestMs = 15_000;
/** After so long without a word from the server a write asks first whether its version is still the newest. */
export const pauseMs = 60_000;

/** One write as it goes out. Repeated with its key it is the same write: never refused because of itself, a post never made twice. */
export interface Attempt {
  intent: Intent;
  /** What the person asked for last: of a publication that got no answer only the text is kept by itself. */
  wish: Intent;
  writing: Writing;
  key: string;
  request: Request;
  /** What went out with the same key before; the server has at most one of them. */
  earlier: Attempt | null;
}

/** Somebody saved a newer version than the one written on, which is the state's `server`. */
export interface Conflict {
  intent: Intent;
  /** They archived the post: it takes nothing before it is restored. */
  archived: boolean;
  updatedAt: string | null;
  updatedByName: string | null;
  /** What was refused. */
  mine: Writing;
  /** The newer version; null when it could not be read. */
  theirs: Post | null;
  /** Both, brought together as far as that goes without asking; null where that could not be tried. */
  merge: Merge | null;
}

/** A newer version on its way into what is on the screen. */
export interface Taking {
  theirs: Post;
  /** The refused write that found it; null when it was heard of. */
  refused: { attempt: Attempt; error: ApiError } | null;
  /** What the person decided already. */
  choices: Choices | null;
  /** How often the screen was read for it: while somebody types, it may be another by the time both are merged. */
  tries: number;
}

/** With whom a write was merged, and the version that it had been written on. */
export interface Merged {
  names: readonly string[];
  from: number;
}

/** Work on the server, one after the other. `id` tells a caller its result; null when the session started the work by itself. */
export type Job =
  | { do: "write"; id: number | null; intent: Intent }
  /** Finds out what became of a write that got no answer. */
  | { do: "resolve"; id: null; attempt: Attempt }
  /** Goes on with a newer version that was heard of. */
  | { do: "follow"; id: null }
  /** 'Save anyway'. */
  | { do: "overwrite"; id: number; conflict: Conflict }
  /** 'Save merged'. */
  | { do: "merge"; id: number; conflict: Conflict; choices: Choices };

/** A job under way. `created`: there was no post when it began. */
export interface Work {
  job: Job;
  created: boolean;
  /** The server said beforehand that there is a newer version: the write is not even sent. */
  stale?: true;
  /** Before it goes on, the screen takes a newer version in. */
  taking?: Taking;
  merged?: Merged;
  /** How often it was merged with a newer version, and came too late with that again. */
  merges?: number;
}

export type Phase =
  | { at: "idle" }
  /** After a pause: whether the version written on is still the newest. */
  | { at: "checking"; work: Work }
  /** Images on their way to the text are waited for, then the screen is read. */
  | { at: "settling" | "reading"; work: Work }
  | { at: "sending"; work: Work; attempt: Attempt }
  /** An unanswered write is sent once more; of `writing` the rest follows. */
  | { at: "repeating"; work: Work; attempt: Attempt; writing: Writing }
  /** Whether the server has an unanswered write that must not be done behind the person's back. */
  | { at: "looking"; work: Work; attempt: Attempt; writing: Writing }
  /** A write was refused as stale: the newer version is read, which may matter or not. */
  | { at: "comparing"; work: Work; attempt: Attempt; error: ApiError }
  /** Writes were refused as stale several times in a row: after a pause (backoff) the newest version is read. */
  | { at: "yielding"; work: Work; attempt: Attempt; error: ApiError }
  /** What is on the screen and the newer version are brought together. */
  | { at: "merging"; work: Work; taking: Taking; writing: Writing }
  /** What came of that is put on the screen. */
  | { at: "placing"; work: Work; taking: Taking; writing: Writing; together: Together }
  /** A version that was told of is looked at. `heard`: which one; what is told of meanwhile may come too late for the answer. */
  | { at: "following"; work: Work; heard: number }
  /** A newer version is put on the screen, over a post that nobody has touched here. */
  | { at: "showing"; work: Work; post: Post }
  /** Nothing is sent before the person has answered. `unasked`: a save that nobody asked for met it; `waits`: in the middle of a word, it is asked at the next rest. */
  | { at: "conflict"; conflict: Conflict; unasked: boolean; waits: boolean };

export type DraftProblem = "full" | "unavailable" | null;
export type Timer = "autosave" | "longest" | "draft" | "pause" | "again";

export interface State {
  /** Names this visit: its local draft, and its writes (their keys begin with it). */
  readonly visitId: string;
  readonly workspaceId: string;
  /** The post as the server last knew it; null until the first save. What the next write builds on. */
  server: Post | null;
  /** The newest version number that was announced and not read yet; 0 when there is none. */
  heard: number;
  /** Reading the version in `heard` failed: the next autosave tries again. */
  refetchFailed: boolean;
  /** A colleague's newer version that is not on the screen, or not all of it, because something here is unsaved. */
  newer: Post | null;
  /** What the screen and `newer` have in common, once some of that stands here; null: what `server` says. */
  base: Version | null;
  /** What both changed in ways that do not go together: here it stands as it was written here. */
  open: Open | null;
  /** Nothing was heard from the server for a while. */
  paused: boolean;
  /** What the screen was written on, while a write of what stood there before is under way. */
  rebased: Post | null;
  /** A new post that the person has not saved by hand so far. */
  fresh: boolean;
  title: string;
  tags: string[];
  summary: string;
  cover: CoverImage;
  /** How many changes there were, and how many of them the server has. */
  changes: number;
  savedChanges: number;
  /** Images on their way into the text: until they are there nothing counts as saved. */
  uploads: number;
  /** What is unsaved is left behind on purpose. */
  letGo: boolean;
  phase: Phase;
  queue: readonly Job[];
  /** A write whose answer never came: the server may have it or not. */
  unanswered: Attempt | null;
  /** Why the last write is not on the server; null when it is. */
  trouble: SaveTrouble | null;
  /** A conflict was cancelled: nothing goes out by itself before the person saves again. */
  declined: boolean;
  attempts: number;
  restMs: number;
  running: Readonly<Record<Timer, boolean>>;
  draftProblem: DraftProblem;
  /** What an earlier visit of this post left behind, newest first. */
  offered: readonly LocalDraft[];
  /** The editor is off the screen: no timer begins any more. */
  left: boolean;
}

export type Event =
  | ({ type: "changed" } & Partial<Pick<Writing, "title" | "tags" | "summary" | "cover">>)
  | { type: "upload"; state: "begun" | "changed" | "over" }
  | { type: "write"; id: number; intent: Intent }
  | { type: "overwrite"; id: number }
  | { type: "cancel-conflict" }
  /** The post is gone: what is on the screen becomes a new one. */
  | { type: "save-as-new"; id: number }
  | { type: "let-go" }
  | { type: "entered" | "left" }
  | { type: "settled" }
  | { type: "read"; writing: Writing | null; now: Date }
  | { type: "answered"; post: Post }
  | { type: "found"; post: Post; now: Date }
  | { type: "checked"; isCurrent: boolean }
  /** What a colleague saved is on the screen, or could not be put there. */
  | { type: "shown"; done: boolean }
  /** Null: they could not be merged. */
  | { type: "merged"; together: Together | null }
  /** 'Save merged'. */
  | { type: "save-merged"; id: number; choices: Choices }
  /** What is on the screen was written on an earlier version, and not on the newest one that is known. */
  | { type: "rebased"; base: Post }
  | { type: "failed"; error: ApiError }
  /** Realtime, or another part of the page, tells of a post. */
  | { type: "heard"; postId: string; version: number }
  | { type: "autosave-due" | "longest-due" | "pause-over" | "again-due" | "online" | "hidden" }
  /** Whatever is unsaved goes onto this device now: its time has come, the page is hidden, or somebody asks for it. */
  | { type: "keep-draft" }
  | { type: "drop-draft" }
  | { type: "draft-settled"; problem: DraftProblem }
  | { type: "drafts-found"; drafts: readonly LocalDraft[] }
  | { type: "draft-forgotten"; sessionId: string };

export type Command =
  /** Each of the first eight is answered by one event: settled, read, answered, found, checked, shown or merged; those that ask the server may fail. */
  | { do: "settle" }
  | { do: "read" }
  | { do: "send"; attempt: Attempt }
  | { do: "look"; postId: string }
  | { do: "check"; postId: string; version: number }
  | { do: "show"; post: Post }
  | { do: "merge"; base: Version | Post; writing: Writing; theirs: Post; choices: Choices | null }
  /** Shown, unless the screen says something else than `from` by now. */
  | { do: "place"; from: EditorOutput; content: EditorOutput }
  | { do: "finish"; id: number; done: boolean }
  | { do: "say"; tone: "success" | "warning" | "error"; notice: Notice }
  | { do: "announce"; post: Post }
  | { do: "enter-created"; post: Post }
  | { do: "start"; timer: Timer; ms: number }
  | { do: "stop"; timer: Timer }
  | { do: "store-draft" }
  | { do: "delete-draft"; sessionId: string }
  | { do: "clear-draft" };

export function firstState({ visitId, workspaceId, opened }: { visitId: string; workspaceId: string; opened: Post | null }): State {
  return {
    visitId,
    workspaceId,
    server: opened,
    heard: 0,
    refetchFailed: false,
    newer: null,
    base: null,
    open: null,
    rebased: null,
    paused: false,
    fresh: opened === null,
    title: opened?.title ?? "",
    tags: opened?.tags ?? [],
    summary: opened?.summary ?? "",
    cover: opened?.cover_image ?? null,
    changes: 0,
    savedChanges: 0,
    uploads: 0,
    letGo: false,
    phase: { at: "idle" },
    queue: [],
    unanswered: null,
    trouble: null,
    declined: false,
    attempts: 0,
    restMs: autosaveRestMs,
    running: { autosave: false, longest: false, draft: false, pause: false, again: false },
    draftProblem: null,
    offered: [],
    left: false,
  };
}

export const isAllSaved = ({ changes, savedChanges, uploads }: State): boolean => savedChanges === changes && uploads === 0;

/** Something was changed since the server got it last, images on their way aside. */
export const isUnwritten = ({ changes, savedChanges, letGo }: State): boolean => !letGo && savedChanges !== changes;

/** Something on the screen is not on the server. */
export const isDirty = (state: State): boolean => !state.letGo && !isAllSaved(state);

/** There is a newer version, and the screen is not what it says. */
export const isBehind = ({ server, heard, newer }: State): boolean => newer !== null || (server !== null && heard > server.version);

/** The question that waits for an answer, or is being answered: meanwhile nothing else is sent. */
export function conflictOf({ phase }: State): Conflict | null {
  if (phase.at === "idle") return null;
  if (phase.at === "conflict") return phase.conflict;
  const { job } = phase.work;
  return job.do === "overwrite" || job.do === "merge" ? job.conflict : null;
}

/** The question as the person sees it: not in the middle of a word. */
export const askedConflict = (state: State): Conflict | null =>
  state.phase.at === "conflict" && state.phase.waits ? null : conflictOf(state);

/** What is on the screen goes to the server by itself, complete or not. */
export const savesItself = ({ server, declined }: State): boolean => (server === null || server.status === "draft") && !declined;

/** What did not get through is a save that nobody asked for. */
export const isUnasked = ({ trouble, unanswered }: State): boolean =>
  trouble?.reason === "unanswered" && (unanswered === null || unanswered.intent.kind === "autosave");

/** Of that it is too early to make a fuss. */
export const isPassing = (state: State): boolean => isUnasked(state) && state.restMs <= 4 * autosaveRestMs;

/** The write under way, as the person sees it. */
export function busyWith({ phase }: State): Intent["kind"] | null {
  if (phase.at === "idle" || phase.at === "conflict" || phase.work.job.do === "follow") return null;
  const { kind } = intentOf(phase.work.job);
  return kind === "autosave" && (phase.at === "reading" || phase.at === "checking") ? null : kind;
}

export function intentOf(job: Exclude<Job, { do: "follow" }>): Intent {
  if (job.do === "write") return job.intent;
  if (job.do === "resolve") return job.attempt.wish;
  return job.conflict.archived ? { kind: "restore" } : job.conflict.intent;
}
