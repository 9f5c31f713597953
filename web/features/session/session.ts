import { cleanBlocks, unlimited } from "#contract/blocks/clean.ts";
import { fieldsOf } from "#contract/rules/post-content.ts";
import { giveIds } from "#contract/blocks/give-ids.ts";
import type { Choices } from "#contract/merge/types.ts";
import type { EditorOutput } from "#contract/blocks/schema.ts";
import type { Post } from "#contract/posts.ts";
import type { Template } from "#contract/templates.ts";
import type { CoverImage } from "#contract/rules/cover.ts";
import type { PostDetails } from "#contract/rules/post-details.ts";
import { ApiError } from "../../lib/api-client.ts";
import { createListeners } from "../../lib/listeners.ts";
import { toasts } from "../../lib/toasts.ts";
import { loadPart } from "../../lib/load-part.ts";
import { readRevision } from "../history/revision-calls.ts";
import { createPost, isCurrentVersion, readPost, updatePost } from "../posts/post-calls.ts";
import { emitPostEvent, onAnnounced, onMissed, onPostEvent } from "../posts/post-events.ts";
import { summaryOf } from "../posts/post-summary.ts";
import { createDraftKeeper, type DraftKeeper } from "./draft-keeper.ts";
import { holdSession, orphanedDrafts } from "./draft-session.ts";
import { deleteDraft, draftsOf, type LocalDraft } from "./draft-store.ts";
import { step } from "./machine.ts";
import {
  visibleConflict,
  firstState,
  busyWith,
  isBehind,
  isDirty,
  isTransientTrouble,
  isAutosaveTrouble,
  autosaves,
  type Attempt,
  type Command,
  type Event,
  type State,
  type Timer,
} from "./state.ts";
import { atVersion, contentOf } from "./versions.ts";
import { isSaved, type Intent, type Notice, type Writing } from "./write.ts";

export interface BodyEditor {
  read(): Promise<EditorOutput>;
  replace(content: EditorOutput): Promise<void>;
  /** Replaces without moving the caret. False if the user typed meanwhile or the blocks aren't `from` any longer. */
  show(content: EditorOutput, from?: EditorOutput): Promise<boolean>;
  settled(): Promise<void>;
}

export interface Clock {
  now(): Date;
  after(ms: number, work: () => void): () => void;
}

export interface Calls {
  create: typeof createPost;
  update: typeof updatePost;
  read: typeof readPost;
  check: typeof isCurrentVersion;
  revision: typeof readRevision;
}

export interface PostSessionOptions {
  workspaceId: string;
  userId: string;
  opened: Post | null;
  template?: Template | null;
  body: { readonly current: BodyEditor | null };
  onCreated(post: Post): void;
  onCompare?(version: number): void;
}

/** The session's view state; the same object while nothing changes. */
export type PostView = Readonly<ReturnType<typeof viewOf>>;

const viewOf = (state: State) => ({
  /** The post as the server last returned it; null until the first save. */
  post: state.server,
  ...fieldsOf(state),
  busy: busyWith(state),
  conflict: visibleConflict(state),
  conflictCanWait: state.phase.at === "conflict" && state.phase.isAutomatic,
  /** A colleague's newer version that isn't fully in the editor. */
  newer: state.newer,
  openConflicts: state.openConflicts,
  behind: isBehind(state),
  autosaves: autosaves(state),
  trouble: state.trouble,
  slugProblem: state.slugProblem,
  isAutosaveTrouble: isAutosaveTrouble(state),
  isTransient: isTransientTrouble(state),
  dirty: isDirty(state),
  uploading: state.uploads > 0,
  draftProblem: state.draftProblem,
  offered: state.offered,
});

const browserClock: Clock = {
  now: () => new Date(),
  after: (ms, work) => {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  },
};
const serverCalls: Calls = { create: createPost, update: updatePost, read: readPost, check: isCurrentVersion, revision: readRevision };
const timersEvent: Record<Timer, Event["type"] & ("store-draft" | "autosave-due" | "max-wait-due" | "pause-over" | "backoff-due")> = {
  draft: "store-draft",
  autosave: "autosave-due",
  maxWait: "max-wait-due",
  pause: "pause-over",
  backoff: "backoff-due",
};

/** A visit of one post: runs the state machine (./machine.ts) and its commands. */
export class PostSession {
  readonly initialContent: EditorOutput;
  readonly #options: PostSessionOptions;
  readonly #clock: Clock;
  readonly #calls: Calls;
  readonly #drafts: DraftKeeper;
  readonly #changes = createListeners();
  readonly #timers: Partial<Record<Timer, () => void>> = {};
  readonly #waiting = new Map<number, (done: boolean) => void>();
  readonly #events: Event[] = [];
  #state: State;
  #view: PostView;
  #dispatching = false;
  #jobs = 0;
  readonly #uploads = new Set<Promise<unknown>>();
  #stored: Promise<boolean> = Promise.resolve(true);

  constructor(options: PostSessionOptions, clock: Clock = browserClock, calls: Calls = serverCalls) {
    const { workspaceId, opened, template } = options;
    this.#options = options;
    this.#clock = clock;
    this.#calls = calls;
    this.initialContent = opened
      ? contentOf(opened)
      : template
        ? giveIds(cleanBlocks(JSON.parse(template.content_raw), unlimited))
        : cleanBlocks([]);
    this.#state = firstState({ visitId: crypto.randomUUID(), workspaceId, opened });
    this.#view = viewOf(this.#state);
    this.#drafts = createDraftKeeper({
      sessionId: this.#state.visitId,
      snapshot: this.#snapshot,
      onProblem: (problem) => this.#dispatch({ type: "draft-settled", problem }),
    });
  }

  /** Subscribes to events while the editor is mounted. Returns a cleanup function; requests in progress continue. */
  enter = (): (() => void) => {
    const stay = new AbortController();
    const { signal } = stay;
    this.#dispatch({ type: "entered" });
    this.#beginWithTemplate();
    const release = holdSession(this.#state.visitId);
    const unsubscribers = [
      onPostEvent((event) => event.type === "post-upserted" && this.#onAnnounced(event.post.id, event.post.version)),
      onAnnounced((postId, version) => this.#onAnnounced(postId, version)),
      onMissed((workspaceId) => {
        const { server } = this.#state;
        if (server?.workspace_id === workspaceId) this.#onAnnounced(server.id, server.version + 1);
      }),
    ];
    window.addEventListener("online", () => this.#dispatch({ type: "online" }), { signal });
    window.addEventListener("beforeunload", (event) => this.isDirty() && event.preventDefault(), { signal });
    document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && this.#dispatch({ type: "hidden" }), {
      signal,
    });
    orphanedDrafts(draftsOf(this.#draftKey())).then(
      (drafts) => {
        const { opened } = this.#options;
        const [saved, unsaved] = [drafts.filter((draft) => isSaved(draft, opened)), drafts.filter((draft) => !isSaved(draft, opened))];
        this.#dispatch({ type: "drafts-found", drafts: unsaved });
        for (const { sessionId } of saved) this.#dispatch({ type: "draft-forgotten", sessionId }); // saved, only the response was lost
      },
      () => {},
    );
    return () => {
      this.#dispatch({ type: "left" });
      stay.abort();
      for (const unsubscribe of unsubscribers) unsubscribe();
      release();
    };
  };

  #beginWithTemplate(): void {
    const { opened, template } = this.#options;
    if (opened || !template || this.isDirty() || this.#state.server) return;
    const { title, summary, tags } = template;
    this.#dispatch({ type: "changed", title, summary: summary ?? "", tags });
  }

  subscribe = this.#changes.listen;
  getSnapshot = (): PostView => this.#view;

  /** True if there are unsaved changes; for handlers that run before the next render. */
  isDirty = (): boolean => isDirty(this.#state);

  /** The editor's content; throws while the editor isn't ready. */
  read = async (): Promise<Writing> => {
    const editor = this.#options.body.current;
    if (!editor) throw new Error("The editor isn't on the screen");
    const { changes } = this.#state;
    return { ...fieldsOf(this.#state), changes, content: await editor.read() };
  };
  readWhole = async (): Promise<Writing> => {
    await this.#uploadsSettled();
    return await this.read();
  };

  setTitle = (title: string): void => this.#dispatch({ type: "changed", title });
  setTags = (tags: string[]): void => this.#dispatch({ type: "changed", tags });
  setSummary = (summary: string): void => this.#dispatch({ type: "changed", summary });
  setDetails = (details: PostDetails): void => this.#dispatch({ type: "changed", details });
  setCover = (cover_image: CoverImage): void => this.#dispatch({ type: "changed", cover_image });
  bodyChanged = (): void => this.#dispatch({ type: "changed" });
  /** Upload state of the body's images: `changed` when it arrived, `over` when it failed. */
  uploaded = (state: "begun" | "changed" | "over"): void => this.#dispatch({ type: "upload", state });
  trackUpload = async <Made>(work: Promise<Made>): Promise<Made> => {
    this.#uploads.add(work);
    this.uploaded("begun");
    try {
      return await work;
    } finally {
      this.#uploads.delete(work);
      this.uploaded("over");
    }
  };

  /** Saves with an intent and shows toasts. True when saved. */
  write = (intent: Intent): Promise<boolean> => this.#request((id) => ({ type: "write", id, intent }));
  /** Autosaves before leaving, even if incomplete. True when saved. */
  autosave = (): Promise<boolean> => this.write({ kind: "autosave" });
  /** 'Save anyway': overwrites the newer version; an archived post is restored. True when saved. */
  overwrite = (): Promise<boolean> => this.#request((id) => ({ type: "overwrite", id }));
  saveMerged = (choices: Choices): Promise<boolean> => this.#request((id) => ({ type: "save-merged", id, choices }));
  cancelConflict = (): void => this.#dispatch({ type: "cancel-conflict" });
  saveAsNew = (): Promise<boolean> => this.#request((id) => ({ type: "save-as-new", id }));

  /** Abandons unsaved changes: leaving no longer asks; the local draft stays. */
  abandonChanges = async (): Promise<void> => {
    await this.storeDraft();
    this.#dispatch({ type: "abandon" });
  };

  /** Stores the draft on this device; the snapshot is taken synchronously. False on failure. */
  storeDraft = (): Promise<boolean> => {
    this.#dispatch({ type: "store-draft" });
    return this.#stored;
  };
  clearDraft = (): Promise<boolean> => {
    this.#dispatch({ type: "clear-draft" });
    return this.#stored;
  };
  forgetDraft = ({ sessionId }: LocalDraft): void => this.#dispatch({ type: "draft-forgotten", sessionId });
  /** Loads a draft into the editor; false while the editor isn't ready. */
  restore = async (draft: LocalDraft): Promise<boolean> => {
    const editor = this.#options.body.current;
    if (!editor) return false;
    const { changes } = this.#state;
    const base = await this.#baseOf(draft);
    if (this.#state.changes !== changes) return false; // typed meanwhile
    await editor.replace(giveIds(cleanBlocks(draft.content, unlimited)));
    this.#dispatch({ type: "changed", ...fieldsOf(draft) });
    if (base) this.#dispatch({ type: "rebased", base });
    if (await this.storeDraft()) this.forgetDraft(draft); // only after this visit's draft is stored
    return true;
  };

  /** The version a draft is based on, if it is outdated; null if current or no longer in the history. */
  async #baseOf({ baseVersion }: LocalDraft): Promise<Post | null> {
    const { server } = this.#state;
    if (!server || baseVersion === null || baseVersion >= server.version) return null;
    const revision = await this.#calls.revision(server.id, baseVersion).catch(() => null);
    if (!revision || this.#state.server !== server) return null;
    return atVersion(server, revision);
  }

  #onAnnounced = (postId: string, version: number): void => this.#dispatch({ type: "announced", postId, version });

  #draftKey(): string {
    const { server, workspaceId } = this.#state;
    return `${this.#options.userId}:${server?.id ?? `new:${workspaceId}`}`;
  }

  #snapshot = async (): Promise<LocalDraft | null> => {
    if (!this.isDirty() || !this.#options.body.current) return null;
    const { changes: _, ...writing } = await this.read();
    const { visitId, workspaceId, server } = this.#state;
    return {
      ...{ sessionId: visitId, key: this.#draftKey(), workspaceId, ...writing },
      ...{ baseVersion: server?.version ?? null, savedAt: this.#clock.now().getTime() },
    };
  };

  #request(event: (id: number) => Event): Promise<boolean> {
    const id = ++this.#jobs;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#dispatch(event(id));
    });
  }

  /** Events from commands are queued until all commands have run. */
  #dispatch(event: Event): void {
    this.#events.push(event);
    if (this.#dispatching) return;
    this.#dispatching = true;
    try {
      for (let next = this.#events.shift(); next; next = this.#events.shift()) {
        const [state, commands] = step(this.#state, next);
        this.#state = state;
        this.#show();
        for (const command of commands) this.#runSafely(command);
      }
    } finally {
      this.#dispatching = false;
    }
  }

  #show(): void {
    const view = viewOf(this.#state);
    if (Object.entries(view).every(([name, value]) => this.#view[name as keyof PostView] === value)) return;
    this.#view = view;
    this.#changes.notify();
  }

  #runSafely(command: Command): void {
    try {
      this.#run(command);
    } catch (error) {
      reportError(error);
    }
  }

  #run(command: Command): void {
    switch (command.do) {
      case "settle":
        return void this.#settled();
      case "read":
        return void this.read()
          .catch(() => null)
          .then((writing) => this.#dispatch({ type: "read", writing, now: this.#clock.now() }));
      case "send":
        return this.#send(command.attempt);
      case "fetch":
        return void this.#calls
          .read(command.postId)
          .then((post) => this.#dispatch({ type: "fetched", post, now: this.#clock.now() }), this.#failed);
      case "check":
        return void this.#calls
          .check(command.postId, command.version)
          .then((isCurrent) => this.#dispatch({ type: "checked", isCurrent }), this.#failed);
      case "show":
        return void this.#shown(contentOf(command.post));
      case "merge":
        return void this.#merge(command);
      case "place":
        return void this.#shown(command.content, command.from);
      case "finish":
        this.#waiting.get(command.id)?.(command.done);
        return void this.#waiting.delete(command.id);
      case "notify":
        return this.#notify(command.tone, command.notice);
      case "announce":
        return emitPostEvent({ type: "post-upserted", workspaceId: command.post.workspace_id, post: summaryOf(command.post) });
      case "enter-created":
        return this.#options.onCreated(command.post);
      case "start":
        this.#timers[command.timer]?.();
        this.#timers[command.timer] = this.#clock.after(command.ms, () => this.#dispatch({ type: timersEvent[command.timer] }));
        return;
      case "stop":
        return this.#timers[command.timer]?.();
      case "store-draft":
        this.#stored = this.#drafts.store();
        return;
      case "clear-draft":
        this.#stored = this.#drafts.clear();
        return;
      case "delete-draft":
        return void deleteDraft(command.sessionId).catch(() => {});
    }
  }

  async #uploadsSettled(): Promise<void> {
    await Promise.allSettled(this.#uploads);
    await this.#options.body.current?.settled().catch(() => {});
  }

  async #settled(): Promise<void> {
    await this.#uploadsSettled();
    this.#dispatch({ type: "settled" });
  }

  async #shown(content: EditorOutput, from?: EditorOutput): Promise<void> {
    const done = await this.#options.body.current?.show(content, from).catch(() => false);
    this.#dispatch({ type: "shown", done: done ?? false });
  }

  async #merge({ base, writing, theirs, choices }: Command & { do: "merge" }): Promise<void> {
    try {
      const { mergeNewer } = await loadPart(() => import("./merge.ts"));
      this.#dispatch({ type: "merged", result: mergeNewer(base, writing, theirs, choices) });
    } catch (error) {
      reportError(error);
      this.#dispatch({ type: "merged", result: null });
    }
  }

  #notify(tone: "success" | "warning" | "error", { title, description, compare }: Notice): void {
    const { onCompare } = this.#options;
    if (tone !== "success" || compare === undefined || !onCompare) return toasts[tone](title, description);
    toasts.success(title, description, { label: "Compare", onClick: () => onCompare(compare) });
  }

  #send({ request: { id, body }, key }: Attempt): void {
    const { create, update } = this.#calls;
    const answer = id === null ? create(body, key) : update(id, body, key);
    answer.then((post) => this.#dispatch({ type: "answered", post }), this.#failed);
  }

  #failed = (error: unknown): void => {
    // An error that isn't a server response doesn't tell if the write arrived.
    this.#dispatch({ type: "failed", error: error instanceof ApiError ? error : new ApiError(0, "network", String(error)) });
  };
}
