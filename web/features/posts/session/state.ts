import type { CoverImage } from "#contract/rules/cover.ts";
import type { EditorOutput } from "#contract/blocks/schema.ts";
import type { Choices, Merge, Version } from "#contract/merge/types.ts";
import type { Post } from "#contract/posts.ts";
import type { ApiError } from "../../../lib/api-client.ts";
import type { LocalDraft } from "./draft-store.ts";
import type { OpenConflicts, MergeResult } from "./bring-together.ts";
import type { Intent, Notice, Request, SaveTrouble, Writing } from "./write.ts";

/** Autosave debounce; doubled after every failure. */
export const autosaveDebounceMs = 2_000;
/** Maximum wait before an autosave while typing continues. */
export const autosaveMaxWaitMs = 15_000;
/** Pause without server responses after which a write checks the version first. */
export const pauseMs = 60_000;

/** A write request. Retries use the same idempotency key: they never conflict with themselves or create a second post. */
export interface Attempt {
  intent: Intent;
  /** The intent the user last requested: an unanswered publication only saves the text automatically. */
  requestedIntent: Intent;
  writing: Writing;
  key: string;
  request: Request;
  /** The previous request with the same key; the server has at most one of them. */
  earlier: Attempt | null;
}

/** A newer version than the one written on (the state's `server`). */
export interface Conflict {
  intent: Intent;
  /** The newer version is archived. */
  archived: boolean;
  updatedAt: string | null;
  updatedByName: string | null;
  /** The refused content. */
  mine: Writing;
  /** The newer version; null if it couldn't be loaded. */
  theirs: Post | null;
  /** The automatic merge; null if not possible. */
  merge: Merge | null;
}

/** A newer version being merged into the editor. */
export interface IncomingVersion {
  theirs: Post;
  /** The refused write; null if the version was announced. */
  refused: { attempt: Attempt; error: ApiError } | null;
  /** The user's choices so far. */
  choices: Choices | null;
  /** Number of attempts: text typed meanwhile makes another necessary. */
  tries: number;
}

/** Authors a write was merged with, and the version it was based on. */
export interface Merged {
  names: readonly string[];
  from: number;
}

/** A job of the queue. `id` returns its result to a caller; null for automatic jobs. */
export type Job =
  | { do: "write"; id: number | null; intent: Intent }
  /** Finds out what became of an unanswered write. */
  | { do: "resolve"; id: null; attempt: Attempt }
  /** Fetches an announced version. */
  | { do: "refetch"; id: null }
  /** 'Save anyway'. */
  | { do: "overwrite"; id: number; conflict: Conflict }
  /** 'Save merged'. */
  | { do: "merge"; id: number; conflict: Conflict; choices: Choices };

/** A running job. `created`: it creates the post. */
export interface Work {
  job: Job;
  created: boolean;
  /** The version check failed: the write isn't sent. */
  stale?: true;
  /** A newer version to merge first. */
  incoming?: IncomingVersion;
  merged?: Merged;
  /** Number of merges with newer versions so far. */
  mergeCount?: number;
}

export type Phase =
  | { at: "idle" }
  /** After a pause: checks the version. */
  | { at: "checking"; work: Work }
  /** Waits for uploads, then reads the editor. */
  | { at: "settling" | "reading"; work: Work }
  | { at: "sending"; work: Work; attempt: Attempt }
  /** Retries an unanswered write, then sends the rest of `writing`. */
  | { at: "retrying"; work: Work; attempt: Attempt; writing: Writing }
  /** Checks for an unanswered publication, which isn't retried automatically. */
  | { at: "verifying"; work: Work; attempt: Attempt; writing: Writing }
  /** A write was refused as stale: fetches the newer version. */
  | { at: "comparing"; work: Work; attempt: Attempt; error: ApiError }
  /** Backoff after several stale writes in a row. */
  | { at: "backing-off"; work: Work; attempt: Attempt; error: ApiError }
  /** Merges the editor's content with the newer version. */
  | { at: "merging"; work: Work; incoming: IncomingVersion; writing: Writing }
  /** Puts the merge into the editor. */
  | { at: "placing"; work: Work; incoming: IncomingVersion; writing: Writing; result: MergeResult }
  /** Fetches an announced version. `heard`: its number, because newer ones may be announced meanwhile. */
  | { at: "refetching"; work: Work; announcedVersion: number }
  /** Shows a newer version without unsaved changes here. */
  | { at: "showing"; work: Work; post: Post }
  /** Nothing is sent. `unasked`: found by an autosave; `waits`: deferred while the user types. */
  | { at: "conflict"; conflict: Conflict; isAutomatic: boolean; isDeferred: boolean };

export type DraftProblem = "full" | "unavailable" | null;
export type Timer = "autosave" | "maxWait" | "draft" | "pause" | "backoff";

export interface State {
  /** Id of this visit: names its draft and prefixes its idempotency keys. */
  readonly visitId: string;
  readonly workspaceId: string;
  /** The post as the server last returned it; null until the first save. Base of the next write. */
  server: Post | null;
  /** The newest announced version not fetched yet; 0 if none. */
  announcedVersion: number;
  /** Fetching the announced version failed: the next autosave retries. */
  refetchFailed: boolean;
  /** A colleague's newer version that isn't fully in the editor, because of unsaved changes. */
  newer: Post | null;
  /** Common base of the editor and `newer` after a partial merge; null: `server`. */
  base: Version | null;
  /** Open conflicts with `newer`; the editor has the local text. */
  openConflicts: OpenConflicts | null;
  /** No server response for a while. */
  paused: boolean;
  /** The base of a restored draft, while an earlier write is in progress. */
  rebased: Post | null;
  /** A new post without a manual save so far. */
  awaitsFirstSave: boolean;
  title: string;
  tags: string[];
  summary: string;
  cover: CoverImage;
  /** Number of changes, and number of saved ones. */
  changes: number;
  savedChanges: number;
  /** Uploads in progress: nothing counts as saved meanwhile. */
  uploads: number;
  /** Unsaved changes were abandoned. */
  abandoned: boolean;
  phase: Phase;
  queue: readonly Job[];
  /** A write without an answer: it may have arrived. */
  unanswered: Attempt | null;
  /** Reason why the last write failed, or null. */
  trouble: SaveTrouble | null;
  /** A conflict was cancelled: no autosave before the next manual save. */
  conflictDismissed: boolean;
  attempts: number;
  debounceMs: number;
  running: Readonly<Record<Timer, boolean>>;
  draftProblem: DraftProblem;
  /** Drafts of earlier visits, newest first. */
  offered: readonly LocalDraft[];
  /** The editor is unmounted: no timers start. */
  hasLeft: boolean;
}

export type Event =
  | ({ type: "changed" } & Partial<Pick<Writing, "title" | "tags" | "summary" | "cover">>)
  | { type: "upload"; state: "begun" | "changed" | "over" }
  | { type: "write"; id: number; intent: Intent }
  | { type: "overwrite"; id: number }
  | { type: "cancel-conflict" }
  /** The post was deleted: creates a new one. */
  | { type: "save-as-new"; id: number }
  | { type: "abandon" }
  | { type: "entered" | "left" }
  | { type: "settled" }
  | { type: "read"; writing: Writing | null; now: Date }
  | { type: "answered"; post: Post }
  | { type: "fetched"; post: Post; now: Date }
  | { type: "checked"; isCurrent: boolean }
  /** A colleague's version was shown, or couldn't be. */
  | { type: "shown"; done: boolean }
  /** Null: merging failed. */
  | { type: "merged"; result: MergeResult | null }
  /** 'Save merged'. */
  | { type: "save-merged"; id: number; choices: Choices }
  /** The editor's content is based on an earlier version than the newest known one. */
  | { type: "rebased"; base: Post }
  | { type: "failed"; error: ApiError }
  /** A version was announced by Realtime or another part of the page. */
  | { type: "announced"; postId: string; version: number }
  | { type: "autosave-due" | "max-wait-due" | "pause-over" | "backoff-due" | "online" | "hidden" }
  /** Stores the local draft now. */
  | { type: "store-draft" }
  | { type: "clear-draft" }
  | { type: "draft-settled"; problem: DraftProblem }
  | { type: "drafts-found"; drafts: readonly LocalDraft[] }
  | { type: "draft-forgotten"; sessionId: string };

export type Command =
  /** Each of the first eight is answered by an event: settled, read, answered, found, checked, shown or merged. Requests may fail. */
  | { do: "settle" }
  | { do: "read" }
  | { do: "send"; attempt: Attempt }
  | { do: "fetch"; postId: string }
  | { do: "check"; postId: string; version: number }
  | { do: "show"; post: Post }
  | { do: "merge"; base: Version | Post; writing: Writing; theirs: Post; choices: Choices | null }
  /** Only if the editor's content is still `from`. */
  | { do: "place"; from: EditorOutput; content: EditorOutput }
  | { do: "finish"; id: number; done: boolean }
  | { do: "notify"; tone: "success" | "warning" | "error"; notice: Notice }
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
    announcedVersion: 0,
    refetchFailed: false,
    newer: null,
    base: null,
    openConflicts: null,
    rebased: null,
    paused: false,
    awaitsFirstSave: opened === null,
    title: opened?.title ?? "",
    tags: opened?.tags ?? [],
    summary: opened?.summary ?? "",
    cover: opened?.cover_image ?? null,
    changes: 0,
    savedChanges: 0,
    uploads: 0,
    abandoned: false,
    phase: { at: "idle" },
    queue: [],
    unanswered: null,
    trouble: null,
    conflictDismissed: false,
    attempts: 0,
    debounceMs: autosaveDebounceMs,
    running: { autosave: false, maxWait: false, draft: false, pause: false, backoff: false },
    draftProblem: null,
    offered: [],
    hasLeft: false,
  };
}

export const isAllSaved = ({ changes, savedChanges, uploads }: State): boolean => savedChanges === changes && uploads === 0;

/** True with unsaved changes, not counting uploads. */
export const isUnwritten = ({ changes, savedChanges, abandoned }: State): boolean => !abandoned && savedChanges !== changes;

/** True with unsaved changes or uploads. */
export const isDirty = (state: State): boolean => !state.abandoned && !isAllSaved(state);

/** True if there is a newer version than the editor's content. */
export const isBehind = ({ server, announcedVersion, newer }: State): boolean =>
  newer !== null || (server !== null && announcedVersion > server.version);

/** The conflict that is open or being resolved; nothing else is sent meanwhile. */
export function conflictOf({ phase }: State): Conflict | null {
  if (phase.at === "idle") return null;
  if (phase.at === "conflict") return phase.conflict;
  const { job } = phase.work;
  return job.do === "overwrite" || job.do === "merge" ? job.conflict : null;
}

/** The conflict to show: deferred while the user types. */
export const visibleConflict = (state: State): Conflict | null =>
  state.phase.at === "conflict" && state.phase.isDeferred ? null : conflictOf(state);

/** True if changes are autosaved, even if incomplete. */
export const autosaves = ({ server, conflictDismissed }: State): boolean =>
  (server === null || server.status === "draft") && !conflictDismissed;

/** True if an autosave failed. */
export const isAutosaveTrouble = ({ trouble, unanswered }: State): boolean =>
  trouble?.reason === "unanswered" && (unanswered === null || unanswered.intent.kind === "autosave");

/** True if a failed autosave is recent: no notice yet. */
export const isTransientTrouble = (state: State): boolean => isAutosaveTrouble(state) && state.debounceMs <= 4 * autosaveDebounceMs;

/** The write in progress to show. */
export function busyWith({ phase }: State): Intent["kind"] | null {
  if (phase.at === "idle" || phase.at === "conflict" || phase.work.job.do === "refetch") return null;
  const { kind } = intentOf(phase.work.job);
  return kind === "autosave" && (phase.at === "reading" || phase.at === "checking") ? null : kind;
}

export function intentOf(job: Exclude<Job, { do: "refetch" }>): Intent {
  if (job.do === "write") return job.intent;
  if (job.do === "resolve") return job.attempt.requestedIntent;
  return job.conflict.archived ? { kind: "restore" } : job.conflict.intent;
}
