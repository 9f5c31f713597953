import { cleanBlocks, unlimited } from "#contract/blocks/clean.ts";
import { giveIds } from "#contract/blocks/give-ids.ts";
import type { Choices } from "#contract/merge/types.ts";
import type { EditorOutput } from "#contract/blocks/schema.ts";
import type { Post } from "#contract/posts.ts";
import type { Template } from "#contract/templates.ts";
import type { CoverImage } from "#contract/rules/cover.ts";
import { ApiError } from "../../../lib/api-client.ts";
import { createListeners } from "../../../lib/listeners.ts";
import { toasts } from "../../../lib/toasts.ts";
import { loadPart } from "../../../lib/load-part.ts";
import { readRevision } from "../history/revision-calls.ts";
import { createPost, isCurrentVersion, readPost, updatePost } from "../post-calls.ts";
import { emitPostEvent, onAnnounced, onMissed, onPostEvent } from "../post-events.ts";
import { summaryOf } from "../post-summary.ts";
import { createDraftKeeper, type DraftKeeper } from "./draft-keeper.ts";
import { holdSession, orphaned } from "./draft-session.ts";
import { deleteDraft, draftsOf, type LocalDraft } from "./draft-store.ts";
import { step } from "./machine.ts";
import {
  askedConflict,
  firstState,
  busyWith,
  isBehind,
  isDirty,
  isPassing,
  isUnasked,
  savesItself,
  type Attempt,
  type Command,
  type Event,
  type State,
  type Timer,
} from "./state.ts";
import { contentOf } from "./versions.ts";
import { isSaved, type Intent, type Notice, type Writing } from "./write.ts";

/** The running block editor, as far as a writing session needs it. */
export interface BodyEditor {
  read(): Promise<EditorOutput>;
  replace(content: EditorOutput): Promise<void>;
  /**
   * The same where the person reads on or has the caret; false when something was written in that moment, which is left alone, or when the
   * blocks are others than `from` by then.
   */
  show(content: EditorOutput, from?: EditorOutput): Promise<boolean>;
  settled(): Promise<void>;
}

export interface Clock {
  now(): Date;
  /** Returns how to call it off. */
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
  /** What a new post begins with. */
  template?: Template | null;
  /** The editor; null while it is not on the screen. */
  body: { readonly current: BodyEditor | null };
  /** The server has made the post: it has an address now. */
  onCreated(post: Post): void;
  /** The person wants to see what is another since a version. */
  onCompare?(version: number): void;
}

/** What the page shows of a session. The same object as long as nothing in it changes. */
export type PostView = Readonly<ReturnType<typeof viewOf>>;

const viewOf = (state: State) => ({
  /** As the server last knew it; null until the first save. */
  post: state.server,
  title: state.title,
  tags: state.tags,
  summary: state.summary,
  cover: state.cover,
  /** The write under way. */
  busy: busyWith(state),
  /** While set, nothing is sent. */
  conflict: askedConflict(state),
  /** It is about a save that nobody asked for: it can wait for what is open. */
  conflictWaits: state.phase.at === "conflict" && state.phase.unasked,
  /** A colleague's newer version, which is not on the screen, or not all of it. */
  newer: state.newer,
  /** What both changed in ways that do not go together, which the next save will ask about; null when that is not known. */
  open: state.open,
  /** There is a newer version, and the screen is not what it says. */
  behind: isBehind(state),
  /** What is unsaved goes to the server by itself. */
  savesItself: savesItself(state),
  trouble: state.trouble,
  /** The trouble is that of a save nobody asked for; `passing`: it may be over in a moment. */
  unasked: isUnasked(state),
  passing: isPassing(state),
  /** Something on the screen is not on the server. */
  dirty: isDirty(state),
  /** An image is on its way: it would not be kept. */
  uploading: state.uploads > 0,
  /** Why this device keeps no copy of what is unsaved; null when it does. */
  draftProblem: state.draftProblem,
  /** What an earlier visit of this post left behind, newest first; offered once. */
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
const timersEvent: Record<Timer, Event["type"] & ("keep-draft" | "autosave-due" | "longest-due" | "pause-over" | "again-due")> = {
  draft: "keep-draft",
  autosave: "autosave-due",
  longest: "longest-due",
  pause: "pause-over",
  again: "again-due",
};

/** One visit of one post: asks the machine what to do (./machine.ts) and does it. */
export class PostSession {
  /** What the editor begins with. */
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
  /** Images on their way elsewhere than into the body. */
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

  /** Listens to the world for as long as the editor is on the screen. Returns how to end that; what is under way goes on. */
  enter = (): (() => void) => {
    const stay = new AbortController();
    const { signal } = stay;
    this.#dispatch({ type: "entered" });
    this.#beginWithTemplate();
    const release = holdSession(this.#state.visitId);
    const stops = [
      onPostEvent((event) => event.type === "post-upserted" && this.#heard(event.post.id, event.post.version)),
      onAnnounced((postId, version) => this.#heard(postId, version)),
      onMissed((workspaceId) => {
        const { server } = this.#state;
        if (server?.workspace_id === workspaceId) this.#heard(server.id, server.version + 1); // perhaps
      }),
    ];
    window.addEventListener("online", () => this.#dispatch({ type: "online" }), { signal });
    window.addEventListener("beforeunload", (event) => this.isDirty() && event.preventDefault(), { signal }); // closing the tab asks
    document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && this.#dispatch({ type: "hidden" }), {
      signal,
    });
    orphaned(draftsOf(this.#draftKey())).then(
      (drafts) => {
        const { opened } = this.#options;
        const [had, lost] = [drafts.filter((draft) => isSaved(draft, opened)), drafts.filter((draft) => !isSaved(draft, opened))];
        this.#dispatch({ type: "drafts-found", drafts: lost });
        for (const { sessionId } of had) this.#dispatch({ type: "draft-forgotten", sessionId }); // its save arrived, only the answer did not
      },
      () => {}, // no storage: the problem shows at the first change
    );
    return () => {
      this.#dispatch({ type: "left" });
      stay.abort();
      for (const stop of stops) stop();
      release();
    };
  };

  /** Its words are the person's own from now on: kept, and saved, like what is typed. */
  #beginWithTemplate(): void {
    const { opened, template } = this.#options;
    if (opened || !template || this.isDirty() || this.#state.server) return; // entered before
    const { title, summary, tags } = template;
    this.#dispatch({ type: "changed", title, summary: summary ?? "", tags });
  }

  // For useSyncExternalStore.
  subscribe = this.#changes.listen;
  getSnapshot = (): PostView => this.#view;

  /** Something on the screen is not on the server; for handlers that run before the next render. */
  isDirty = (): boolean => isDirty(this.#state);

  /** What is on the screen; throws while the editor is not there. */
  read = async (): Promise<Writing> => {
    const editor = this.#options.body.current;
    if (!editor) throw new Error("The editor is not on the screen");
    const { title, tags, summary, cover, changes } = this.#state;
    return { title, tags, summary, cover, changes, content: await editor.read() };
  };
  /** The same once no image is on its way any more. */
  readWhole = async (): Promise<Writing> => {
    await this.#arrived();
    return await this.read();
  };

  setTitle = (title: string): void => this.#dispatch({ type: "changed", title });
  setTags = (tags: string[]): void => this.#dispatch({ type: "changed", tags });
  setSummary = (summary: string): void => this.#dispatch({ type: "changed", summary });
  setCover = (cover: CoverImage): void => this.#dispatch({ type: "changed", cover });
  /** The body was changed; called at every keystroke. */
  bodyChanged = (): void => this.#dispatch({ type: "changed" });
  /** An image is on its way into the body, or no more: `changed` when it arrived, `over` when nothing came of it. */
  uploaded = (state: "begun" | "changed" | "over"): void => this.#dispatch({ type: "upload", state });
  /** The same of an image that goes elsewhere than into the body, on its way as long as `work` is. */
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

  /** Sends what is on the screen; says how it went. True when the server has it. */
  write = (intent: Intent): Promise<boolean> => this.#ask((id) => ({ type: "write", id, intent }));
  /** Brings what is on the screen to the server before the person leaves it, complete or not. True when the server has it. */
  keep = (): Promise<boolean> => this.write({ kind: "autosave" });
  /** 'Save anyway': repeats the refused write over the newer version; one that was archived is restored with it. True when the server has it. */
  overwrite = (): Promise<boolean> => this.#ask((id) => ({ type: "overwrite", id }));
  /** 'Save merged': both texts as one, with what was decided where they do not go together. True when the server has it. */
  saveMerged = (choices: Choices): Promise<boolean> => this.#ask((id) => ({ type: "save-merged", id, choices }));
  /** 'Cancel': goes on writing; the next save asks again. */
  cancelConflict = (): void => this.#dispatch({ type: "cancel-conflict" });
  /** The post was deleted by somebody: what is on the screen becomes a new one. */
  saveAsNew = (): Promise<boolean> => this.#ask((id) => ({ type: "save-as-new", id }));

  /** Leaves what is on the screen behind on purpose: leaving asks no more, the local draft stays. */
  letGo = async (): Promise<void> => {
    await this.keepDraft();
    this.#dispatch({ type: "let-go" });
  };

  /** Stores what is unsaved on this device: it is taken before this returns. False when the device could not keep it. */
  keepDraft = (): Promise<boolean> => {
    this.#dispatch({ type: "keep-draft" });
    return this.#stored;
  };
  /** Nothing is left that the server does not have. */
  dropDraft = (): Promise<boolean> => {
    this.#dispatch({ type: "drop-draft" });
    return this.#stored;
  };
  /** Takes a draft out of the offer and off this device. */
  forget = ({ sessionId }: LocalDraft): void => this.#dispatch({ type: "draft-forgotten", sessionId });
  /** Puts a draft on the screen; does nothing, and answers false, while the editor is not there. */
  restore = async (draft: LocalDraft): Promise<boolean> => {
    const editor = this.#options.body.current;
    if (!editor) return false;
    const base = await this.#baseOf(draft);
    await editor.replace(giveIds(cleanBlocks(draft.content, unlimited)));
    const { title, tags, summary, cover } = draft;
    this.#dispatch({ type: "changed", title, tags, summary, cover });
    if (base) this.#dispatch({ type: "rebased", base });
    if (await this.keepDraft()) this.forget(draft); // only once it is kept under this visit's name
    return true;
  };

  /** The version that a draft was written on, when the post is newer by now; null when it is not, or is in the history no more. */
  async #baseOf({ baseVersion }: LocalDraft): Promise<Post | null> {
    const { server } = this.#state;
    if (!server || baseVersion === null || baseVersion >= server.version) return null;
    const revision = await this.#calls.revision(server.id, baseVersion).catch(() => null);
    if (!revision || this.#state.server !== server) return null;
    const { version, title, summary, tags, cover_image, content_raw, content_md } = revision;
    return { ...server, version, title, summary, tags, cover_image, content_raw, content_md };
  }

  #heard = (postId: string, version: number): void => this.#dispatch({ type: "heard", postId, version });

  #draftKey(): string {
    const { server, workspaceId } = this.#state;
    return `${this.#options.userId}:${server?.id ?? `new:${workspaceId}`}`;
  }

  #snapshot = async (): Promise<LocalDraft | null> => {
    if (!this.isDirty() || !this.#options.body.current) return null;
    const { title, tags, summary, cover, content } = await this.read();
    const { visitId, workspaceId, server } = this.#state;
    return {
      ...{ sessionId: visitId, key: this.#draftKey(), workspaceId, title, tags, summary, cover, content },
      ...{ baseVersion: server?.version ?? null, savedAt: this.#clock.now().getTime() },
    };
  };

  #ask(event: (id: number) => Event): Promise<boolean> {
    const id = ++this.#jobs;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#dispatch(event(id));
    });
  }

  /** Events that commands bring about wait for the commands before them. */
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
    this.#changes.tell();
  }

  #runSafely(command: Command): void {
    try {
      this.#run(command);
    } catch (error) {
      reportError(error); // a listener threw: saving goes on
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
      case "look":
        return void this.#calls
          .read(command.postId)
          .then((post) => this.#dispatch({ type: "found", post, now: this.#clock.now() }), this.#failed);
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
      case "say":
        return this.#say(command.tone, command.notice);
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
        return void deleteDraft(command.sessionId).catch(() => {}); // it will be offered once more: better than lost
    }
  }

  /** No image is on its way any more; what did not arrive is not in the post. */
  async #arrived(): Promise<void> {
    await Promise.allSettled(this.#uploads);
    await this.#options.body.current?.settled().catch(() => {});
  }

  async #settled(): Promise<void> {
    await this.#arrived();
    this.#dispatch({ type: "settled" });
  }

  async #shown(content: EditorOutput, from?: EditorOutput): Promise<void> {
    const done = await this.#options.body.current?.show(content, from).catch(() => false);
    this.#dispatch({ type: "shown", done: done ?? false });
  }

  async #merge({ base, writing, theirs, choices }: Command & { do: "merge" }): Promise<void> {
    try {
      const { bringTogether } = await loadPart(() => import("./bring-together.ts"));
      this.#dispatch({ type: "merged", together: bringTogether(base, writing, theirs, choices) });
    } catch (error) {
      reportError(error);
      this.#dispatch({ type: "merged", together: null }); // then it is for the person to choose
    }
  }

  #say(tone: "success" | "warning" | "error", { title, description, compare }: Notice): void {
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
    // What is no answer of the server says nothing about whether it has the write.
    this.#dispatch({ type: "failed", error: error instanceof ApiError ? error : new ApiError(0, "network", String(error)) });
  };
}
