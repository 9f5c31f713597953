import type { EditorOutput } from "#contract/blocks/schema.ts";
import type { Choices, Merge } from "#contract/merge/types.ts";
import type { Post } from "#contract/posts.ts";
import { emptyFields, fieldsOf, type PostContent, type PostFields } from "#contract/rules/post-content.ts";
import type { ApiError } from "../../lib/api-client.ts";
import type { LocalDraft } from "./draft-store.ts";
import type { OpenConflicts, MergeResult } from "./merge.ts";
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
  archived: boolean;
  updatedAt: string | null;
  updatedByName: string | null;
  mine: Writing;
  theirs: Post | null;
  merge: Merge | null;
}

export interface IncomingVersion {
  theirs: Post;
  refused: { attempt: Attempt; error: ApiError } | null;
  choices: Choices | null;
  tries: number;
}

export interface Merged {
  names: readonly string[];
  from: number;
}

/** A job of the queue. `id` returns its result to a caller; null for automatic jobs. */
export type Job =
  | { do: "write"; id: number | null; intent: Intent }
  /** Finds out what became of an unanswered write. */
  | { do: "resolve"; id: null; attempt: Attempt }
  | { do: "refetch"; id: null }
  | { do: "overwrite"; id: number; conflict: Conflict }
  | { do: "merge"; id: number; conflict: Conflict; choices: Choices };

export interface Work {
  job: Job;
  created: boolean;
  /** The version check failed: the write isn't sent. */
  stale?: true;
  incoming?: IncomingVersion;
  merged?: Merged;
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
  | { at: "backing-off"; work: Work; attempt: Attempt; error: ApiError }
  | { at: "merging"; work: Work; incoming: IncomingVersion; writing: Writing }
  | { at: "placing"; work: Work; incoming: IncomingVersion; writing: Writing; result: MergeResult }
  /** Fetches an announced version. `announcedVersion`: newer ones may be announced meanwhile. */
  | { at: "refetching"; work: Work; announcedVersion: number }
  | { at: "showing"; work: Work; post: Post }
  /** Nothing is sent. `isAutomatic`: found by an autosave; `isDeferred`: deferred while the user types. */
  | { at: "conflict"; conflict: Conflict; isAutomatic: boolean; isDeferred: boolean };

export type DraftProblem = "full" | "unavailable" | null;
export type Timer = "autosave" | "maxWait" | "draft" | "pause" | "backoff";

export interface State extends PostFields {
  /** Id of this visit: names its draft and prefixes its idempotency keys. */
  readonly visitId: string;
  readonly workspaceId: string;
  /** The post as the server last returned it; null until the first save. Base of the next write. */
  server: Post | null;
  /** The newest announced version not fetched yet; 0 if none. */
  announcedVersion: number;
  refetchFailed: boolean;
  /** A colleague's newer version that isn't fully in the editor, because of unsaved changes. */
  newer: Post | null;
  /** Common base of the editor and `newer` after a partial merge; null: `server`. */
  base: PostContent | null;
  openConflicts: OpenConflicts | null;
  paused: boolean;
  /** The base of a restored draft, while an earlier write is in progress. */
  rebased: Post | null;
  awaitsFirstSave: boolean;
  changes: number;
  savedChanges: number;
  uploads: number;
  abandoned: boolean;
  phase: Phase;
  queue: readonly Job[];
  /** A write without an answer: it may have arrived. */
  unanswered: Attempt | null;
  trouble: SaveTrouble | null;
  /** Why the chosen slug was refused, for its field. */
  slugProblem: string | null;
  /** A conflict was cancelled: no autosave before the next manual save. */
  conflictDismissed: boolean;
  attempts: number;
  debounceMs: number;
  running: Readonly<Record<Timer, boolean>>;
  draftProblem: DraftProblem;
  offered: readonly LocalDraft[];
  hasLeft: boolean;
}

export type Event =
  | ({ type: "changed" } & Partial<PostFields>)
  | { type: "upload"; state: "begun" | "changed" | "over" }
  | { type: "write"; id: number; intent: Intent }
  | { type: "overwrite"; id: number }
  | { type: "cancel-conflict" }
  | { type: "save-as-new"; id: number }
  | { type: "abandon" }
  | { type: "entered" | "left" }
  | { type: "settled" }
  | { type: "read"; writing: Writing | null; now: Date }
  | { type: "answered"; post: Post }
  | { type: "fetched"; post: Post; now: Date }
  | { type: "checked"; isCurrent: boolean }
  | { type: "shown"; done: boolean }
  | { type: "merged"; result: MergeResult | null }
  | { type: "save-merged"; id: number; choices: Choices }
  /** The editor's content is based on an earlier version than the newest known one. */
  | { type: "rebased"; base: Post }
  | { type: "failed"; error: ApiError }
  | { type: "announced"; postId: string; version: number }
  | { type: "autosave-due" | "max-wait-due" | "pause-over" | "backoff-due" | "online" | "hidden" }
  | { type: "store-draft" }
  | { type: "clear-draft" }
  | { type: "draft-settled"; problem: DraftProblem }
  | { type: "drafts-found"; drafts: readonly LocalDraft[] }
  | { type: "draft-forgotten"; sessionId: string };

export type Command =
  /** Each of the first eight is answered by an event: settled, read, answered, fetched, checked, shown or merged. Requests may fail. */
  | { do: "settle" }
  | { do: "read" }
  | { do: "send"; attempt: Attempt }
  | { do: "fetch"; postId: string }
  | { do: "check"; postId: string; version: number }
  | { do: "show"; post: Post }
  | { do: "merge"; base: PostContent | Post; writing: Writing; theirs: Post; choices: Choices | null }
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
    ...(opened ? fieldsOf(opened) : emptyFields),
    changes: 0,
    savedChanges: 0,
    uploads: 0,
    abandoned: false,
    phase: { at: "idle" },
    queue: [],
    unanswered: null,
    trouble: null,
    slugProblem: null,
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

export const isUnwritten = ({ changes, savedChanges, abandoned }: State): boolean => !abandoned && savedChanges !== changes;

export const isDirty = (state: State): boolean => !state.abandoned && !isAllSaved(state);

export const isBehind = ({ server, announcedVersion, newer }: State): boolean =>
  newer !== null || (server !== null && announcedVersion > server.version);

/** The conflict that is open or being resolved; nothing else is sent meanwhile. */
export function conflictOf({ phase }: State): Conflict | null {
  if (phase.at === "idle") return null;
  if (phase.at === "conflict") return phase.conflict;
  const { job } = phase.work;
  return job.do === "overwrite" || job.do === "merge" ? job.conflict : null;
}

export const visibleConflict = (state: State): Conflict | null =>
  state.phase.at === "conflict" && state.phase.isDeferred ? null : conflictOf(state);

export const autosaves = ({ server, conflictDismissed }: State): boolean =>
  (server === null || server.status === "draft") && !conflictDismissed;

export const isAutosaveTrouble = ({ trouble, unanswered }: State): boolean =>
  trouble?.reason === "unanswered" && (unanswered === null || unanswered.intent.kind === "autosave");

/** True if a failed autosave is recent: no notice yet. */
export const isTransientTrouble = (state: State): boolean => isAutosaveTrouble(state) && state.debounceMs <= 4 * autosaveDebounceMs;

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
