import { describe, expect, test } from "vitest";
import { cleanBlocks } from "#contract/blocks/clean.ts";
import { blocksToText } from "#contract/blocks/plain-text.ts";
import type { EditorOutput } from "#contract/blocks/schema.ts";
import { errorCatalogue, type ErrorCode } from "#contract/errors.ts";
import type { Choices } from "#contract/merge/types.ts";
import type { CreatePostInput, Post, UpdatePostInput } from "#contract/posts.ts";
import { ApiError } from "../../lib/api-client.ts";
import { mergeNewer } from "./merge.ts";
import { draftDelayMs, step } from "./machine.ts";
import {
  visibleConflict,
  autosaveMaxWaitMs,
  autosaveDebounceMs,
  firstState,
  busyWith,
  isBehind,
  isDirty,
  isTransientTrouble,
  type Attempt,
  type Command,
  type Event,
  type State,
} from "./state.ts";
import { isPlainSave, type Intent } from "./write.ts";
import { ids } from "../../../tests/support/web/fixtures.ts";
import { fullPost, paragraph } from "../../../tests/support/web/posts-support.ts";

/**
 * A visit with its commands as lines. "PUT #2 v1 One": the second write, based on version 1, with the text "One"; "over" instead of the version
 * overwrites. "+" and "-" are toasts.
 */
class Visit {
  state: State;
  lines: string[] = [];
  text: string | null = "Twice as fast.";
  placed = "";
  uploadsHeld = false;
  cannotMerge = false;
  now = new Date("2026-11-20T12:00:00Z");
  #jobs = 0;

  constructor(opened: Post | null) {
    this.state = firstState({ visitId: "visit", workspaceId: ids.acme, opened });
  }

  send(event: Event): void {
    const before = JSON.stringify(this.state);
    const [state, commands] = step(this.state, event);
    expect(JSON.stringify(this.state)).toBe(before); // pure: the state isn't mutated
    this.state = state;
    for (const command of commands) this.#take(command);
  }

  nextJob = () => ++this.#jobs;

  read(): void {
    const { title, tags, summary, cover_image, details, changes } = this.state;
    const content = this.text === null ? null : blocksOf(this.text);
    this.send({ type: "read", writing: content && { title, tags, summary, cover_image, details, changes, content }, now: this.now });
  }

  #take(command: Command): void {
    if (command.do === "settle" && !this.uploadsHeld) return this.send({ type: "settled" });
    if (command.do === "read") return this.read();
    if (command.do === "merge") {
      const { base, writing, theirs, choices } = command;
      return this.send({ type: "merged", result: this.cannotMerge ? null : mergeNewer(base, writing, theirs, choices) });
    }
    if (command.do === "place") this.placed = textOfBlocks(command.content);
    const line = lineOf(command);
    if (line) this.lines.push(line);
  }
}

function lineOf(command: Command): string | null {
  switch (command.do) {
    case "send":
      return requestLine(command.attempt);
    case "fetch":
      return "GET";
    case "check":
      return `is v${command.version} current?`;
    case "show":
      return `show ${textOf(command.post)}`;
    case "place":
      return `place ${textOfBlocks(command.content).replaceAll("\n", " | ")}`;
    case "notify":
      return `${command.tone === "success" ? "+" : "-"} ${[command.notice.title, command.notice.description].filter(Boolean).join(": ")}`;
    case "finish":
      return command.done ? "done" : "not done";
    case "enter-created":
      return "has an address";
    case "store-draft":
      return "draft kept";
    case "clear-draft":
      return "draft cleared";
    case "delete-draft":
      return `draft ${command.sessionId} deleted`;
    case "start":
      return `${command.timer} in ${command.ms}`;
    case "stop":
      return `no ${command.timer}`;
    case "announce":
      return `announced v${command.post.version}`;
    default:
      return null;
  }
}

/** One block per line; a first word with a colon is its id. */
const blocksOf = (text: string) =>
  cleanBlocks(
    text
      .split("\n")
      .flatMap((line) => (line === "" ? [] : { id: /^(\w+):/.exec(line)?.[1] ?? "body", type: "paragraph", data: { text: line } })),
  );

const textOfBlocks = ({ blocks }: EditorOutput) => blocks.map((block) => ("text" in block.data ? block.data.text : "")).join("\n");
const textOf = (post: Post) => blocksToText(cleanBlocks(JSON.parse(post.content_raw)));

function requestLine({ intent, request: { id, body }, key, writing }: Attempt): string {
  const { status, tags, title } = body;
  expect(body.autosave).toBe(intent.kind === "autosave" || undefined);
  const [method, version] =
    id === null
      ? ["POST", (body as CreatePostInput).workspace_id === ids.acme ? "" : "elsewhere"]
      : ["PUT", `v${(body as UpdatePostInput).version}`.replace("vundefined", "over")];
  expect(title).toBe(writing.title);
  const parts = [
    method,
    key.replace("visit:", "#"),
    version,
    blocksToText(writing.content),
    !isPlainSave(intent) && status && `as ${status}`,
  ];
  return [...parts, id !== null && tags && `setTags ${tags.join()}`].filter(Boolean).join(" ");
}

type Act = (visit: Visit) => void;
const sends =
  (event: Event): Act =>
  (visit) =>
    visit.send(event);
const types =
  (text: string): Act =>
  (visit) => {
    visit.text = text;
    visit.send({ type: "changed" });
  };
const writes = (requestedIntent: Intent["kind"] | Intent): Act => {
  const intent = (typeof requestedIntent === "string" ? { kind: requestedIntent } : requestedIntent) as Intent;
  return (visit) => visit.send({ type: "write", id: visit.nextJob(), intent });
};
const overwrites: Act = (visit) => visit.send({ type: "overwrite", id: visit.nextJob() });
const cancels = sends({ type: "cancel-conflict" });
const savesAsNew: Act = (visit) => visit.send({ type: "save-as-new", id: visit.nextJob() });
const answers = (fields: Partial<Post> = {}) => sends({ type: "answered", post: fullPost(fields) });
const fails = (error: ApiError) => sends({ type: "failed", error });
const refuses = (code: ErrorCode, fields?: Record<string, string>) => {
  const { status, sentence } = errorCatalogue[code];
  return fails(new ApiError(status, code, sentence, { fields }));
};
const cutOff = fails(new ApiError(0, "network", "We cannot reach the server."));
const fetches =
  (fields: Partial<Post> = {}): Act =>
  (visit) =>
    visit.send({ type: "fetched", post: fullPost(fields), now: visit.now });
const announces = ({ id = ids.post, version = 1 }: Partial<Post>) => sends({ type: "announced", postId: id, version });
const shows =
  (done = true): Act =>
  (visit) => {
    if (done && visit.state.phase.at === "placing") visit.text = visit.placed;
    visit.send({ type: "shown", done });
  };
const savesMerged =
  (blocks: Choices["blocks"] = {}, fields: Omit<Choices, "blocks"> = {}): Act =>
  (visit) =>
    visit.send({ type: "save-merged", id: visit.nextJob(), choices: { ...fields, blocks } });
const autosaveDue = sends({ type: "autosave-due" });
const maxWaitDue = sends({ type: "max-wait-due" });
const pauseOver = sends({ type: "pause-over" });
const online = sends({ type: "online" });
const setTitle = (title: string) => sends({ type: "changed", title });
const setTags = (...tags: string[]) => sends({ type: "changed", tags });
const uploads = (state: "begun" | "changed" | "over") => sends({ type: "upload", state });
const storage = (problem: "full" | null) => sends({ type: "draft-settled", problem });

const viewOf = (state: State) => ({
  ...state,
  dirty: isDirty(state),
  busy: busyWith(state),
  conflict: visibleConflict(state),
  behind: isBehind(state),
  isTransient: isTransientTrouble(state),
  version: state.server?.version ?? null,
  status: state.server?.status ?? null,
});

interface Row {
  opened?: Post | null;
  events: Act[];
  commands?: string[];
  timers?: string[];
  maxWait?: string[];
  pauses?: string[];
  drafts?: string[];
  state?: Partial<Record<keyof ReturnType<typeof viewOf> | "text", unknown>>;
}

const isPause = (line: string) => /^(no )?pause( in|$)/.test(line);
const isMaxWait = (line: string) => /^(no )?maxWait( in|$)/.test(line);
const isTimer = (line: string) => /^(no )?(autosave|draft)( in|$)/.test(line);
const isDraft = (line: string) => /^draft (?!in)/.test(line);

function rows(table: Record<string, Row>): void {
  test.each(Object.entries(table))("%s", (_, { opened = fullPost(), events, state, ...expected }) => {
    const visit = new Visit(opened);
    for (const act of events) act(visit);
    const lines = {
      commands: visit.lines.filter(
        (line) => !isTimer(line) && !isPause(line) && !isMaxWait(line) && !isDraft(line) && !line.startsWith("announced"),
      ),
      timers: visit.lines.filter(isTimer),
      maxWait: visit.lines.filter(isMaxWait),
      pauses: visit.lines.filter(isPause),
      drafts: visit.lines.filter(isDraft),
    };
    for (const kind of ["commands", "timers", "maxWait", "pauses", "drafts"] as const)
      if (expected[kind]) expect(lines[kind]).toEqual(expected[kind]);
    if (state) expect({ ...viewOf(visit.state), text: visit.text }).toMatchObject(state);
  });
}

const published = (fields: Partial<Post> = {}) => fullPost({ status: "published", ...fields });
const soon = "2026-11-20T11:00:00.000Z";
const scheduled = (fields: Partial<Post> = {}) => fullPost({ status: "scheduled", publish_at: soon, ...fields });
const live = (fields: Partial<Post> = {}) => scheduled({ status: "published", published_at: soon, version: 2, ...fields });
const withText = (text: string) => ({ content_raw: JSON.stringify(blocksOf(text)) });
const lost = "The connection dropped before that finished. Your text was saved as a draft.";
const support = "Please try again or contact support";

describe("a save", () => {
  rows({
    "is sent with its base version and shows a toast": {
      events: [types("One"), writes("save"), answers({ version: 2, ...withText("One") })],
      commands: ["PUT #1 v1 One", "+ Saved", "done"],
      state: { dirty: false, version: 2, busy: null, phase: { at: "idle" } },
    },
    "is sent even without changes": {
      events: [writes("save"), answers({ version: 2 })],
      commands: ["PUT #1 v1 Twice as fast.", "+ Saved", "done"],
    },
    "is in progress until answered": {
      events: [types("One"), writes("save")],
      commands: ["PUT #1 v1 One"],
      state: { busy: "save", dirty: true },
    },
    "leaves text typed meanwhile unsaved": {
      events: [types("One"), writes("save"), types("One, two"), answers({ version: 2 })],
      state: { dirty: true, version: 2 },
      drafts: [],
    },
    "waits for the previous one and uses its version": {
      events: [types("One"), writes("save"), writes("publish"), answers({ version: 2 }), answers({ version: 3, status: "published" })],
      commands: ["PUT #1 v1 One", "+ Saved", "done", "PUT #2 v2 One as published", "+ Post published: Your post is now live", "done"],
    },
    "is sent even if the previous one failed": {
      events: [types("One"), writes("save"), writes("publish"), refuses("forbidden"), answers({ version: 2, status: "published" })],
      commands: [
        "PUT #1 v1 One",
        `- Failed to update post: ${support}`,
        "not done",
        "PUT #2 v1 One as published",
        "+ Post published: Your post is now live",
        "done",
      ],
      state: { trouble: null },
    },
    "of a new post creates it": {
      opened: null,
      events: [setTitle("Hello"), types("One"), writes("save"), answers({ title: "Hello" })],
      commands: ["POST #1 One", "has an address", "+ Draft saved: Your post has been saved as a draft", "done"],
      state: { dirty: false, version: 1 },
    },
    "of a new post, then another, creates one post": {
      opened: null,
      events: [setTitle("Hello"), types("One"), writes("save"), answers(), types("Two"), writes("save")],
      commands: ["POST #1 One", "has an address", "+ Draft saved: Your post has been saved as a draft", "done", "PUT #2 v1 Two"],
    },
    "without own tags takes those of a colleague": {
      opened: fullPost({ tags: ["feature"] }),
      events: [types("One"), writes("save"), answers({ version: 3, tags: ["fix", "docs"] })],
      commands: ["PUT #1 v1 One", "+ Saved", "done"],
      state: { tags: ["fix", "docs"], dirty: false },
    },
    "sends changed tags and keeps those chosen meanwhile": {
      events: [setTags("fix"), writes("save"), setTags("fix", "docs"), answers({ version: 2, tags: ["fix"] })],
      commands: ["PUT #1 v1 Twice as fast. setTags fix", "+ Saved", "done"],
      state: { tags: ["fix", "docs"], dirty: true },
    },
    "without own summary and cover takes those of a colleague": {
      events: [types("One"), writes("save"), answers({ version: 2, summary: "In short.", cover_image: "none" })],
      commands: ["PUT #1 v1 One", "+ Saved", "done"],
      state: { summary: "In short.", cover_image: "none", dirty: false },
    },
    "keeps a summary as typed": {
      events: [sends({ type: "changed", summary: "In short. " }), writes("save"), answers({ version: 2, summary: "In short." })],
      commands: ["PUT #1 v1 Twice as fast.", "+ Saved", "done"],
      state: { summary: "In short. ", dirty: false },
    },
    "is announced to the page": {
      events: [writes("save"), answers({ version: 2 }), (visit) => expect(visit.lines).toContain("announced v2")],
    },
  });
});

describe("validation rejects", () => {
  const untitled = "- Title is required: Please add a title to your post";
  rows({
    "a missing title": {
      opened: null,
      events: [types("One"), writes("save")],
      commands: [untitled, "not done"],
      state: { dirty: true, busy: null },
    },
    "a blank title": { opened: null, events: [setTitle("   "), types("One"), writes("publish")], commands: [untitled, "not done"] },
    "missing content": {
      opened: null,
      events: [setTitle("Hello"), types(""), writes("save")],
      commands: ["- Content is required: Please add some content to your post", "not done"],
    },
    "a block over the limit": {
      events: [types("x".repeat(50_001)), writes("save")],
      commands: ["- The post is too long: A block can have at most 50,000 characters", "not done"],
    },
    "a block over the limit in an autosave, with a notice": {
      events: [types("x".repeat(50_001)), autosaveDue],
      commands: [],
      state: { dirty: true, trouble: { reason: "refused", sentence: "A block can have at most 50,000 characters" } },
    },
    "a save without an editor": {
      events: [(visit) => (visit.text = null), writes("save")],
      commands: ["- Unable to get editor data: Please try again", "not done"],
    },
    "an autosave without an editor, silently": { events: [types("One"), (visit) => (visit.text = null), autosaveDue], commands: [] },
    "a schedule for a published post": {
      opened: published(),
      events: [writes({ kind: "schedule", publishAt: soon })],
      commands: ["- Cannot schedule a published post: Published posts cannot be scheduled or moved back to draft status", "not done"],
    },
  });
});

describe("a failure", () => {
  rows({
    "of a save shows a toast": {
      events: [writes("save"), refuses("internal")],
      commands: ["PUT #1 v1 Twice as fast.", `- Failed to update post: ${support}`, "not done"],
    },
    "of the first save shows a toast": {
      opened: null,
      events: [setTitle("Hello"), types("One"), writes("save"), refuses("internal")],
      commands: ["POST #1 One", `- Failed to save: ${support}`, "not done"],
      state: { dirty: true },
    },
    "of publishing is reported once it is certain": {
      events: [writes("publish"), refuses("internal"), autosaveDue, fetches()],
      commands: ["PUT #1 v1 Twice as fast. as published", "not done", "GET", `- Failed to publish post: ${support}`],
    },
    "reports the server's reason": {
      events: [writes("save"), refuses("validation_failed", { content_raw: "The text is too long" })],
      commands: ["PUT #1 v1 Twice as fast.", "- Failed to update post: The text is too long", "not done"],
      state: { trouble: { reason: "refused", sentence: "The text is too long" }, unanswered: null },
    },
    "of a request that is too large is reported": {
      events: [types("One"), writes("save"), refuses("body_too_large")],
      commands: ["PUT #1 v1 One", `- Failed to update post: ${errorCatalogue.body_too_large.sentence}`, "not done"],
      state: { trouble: { reason: "refused" }, unanswered: null, dirty: true },
    },
    "of an autosave is silent": {
      events: [types("One"), autosaveDue, refuses("internal")],
      commands: ["PUT #1 v1 One"],
      state: { trouble: { reason: "unanswered" } },
    },
    "because the post went live is reported": {
      events: [writes({ kind: "schedule", publishAt: soon }), refuses("published_post_locked")],
      commands: [
        "PUT #1 v1 Twice as fast. as scheduled",
        "- Cannot schedule a published post: Published posts cannot be scheduled or moved back to draft status",
        "not done",
      ],
      state: { trouble: null },
    },
    "of a removed member is permanent": {
      events: [writes("save"), refuses("forbidden")],
      state: { trouble: { reason: "forbidden" }, unanswered: null },
    },
    "of a deleted post is permanent": {
      events: [writes("save"), refuses("not_found")],
      state: { trouble: { reason: "gone" }, unanswered: null },
    },
    "because of an ended session is silent": {
      opened: published(),
      events: [types("One"), writes("save"), refuses("unauthenticated")],
      commands: ["PUT #1 v1 One", "not done"],
      state: { dirty: true, trouble: null, busy: null },
    },
  });
});

describe("autosave", () => {
  const [rest, keep] = [`autosave in ${autosaveDebounceMs}`, `draft in ${draftDelayMs}`];
  rows({
    "is debounced, while the local draft isn't": {
      events: [types("One"), types("One, two"), autosaveDue],
      timers: [keep, rest, rest],
      commands: ["PUT #1 v1 One, two"],
    },
    "is silent": {
      events: [types("One"), autosaveDue, answers({ version: 2 })],
      commands: ["PUT #1 v1 One"],
      state: { dirty: false, busy: null },
    },
    "skips published posts": { opened: published(), events: [types("One"), autosaveDue], commands: [], state: { dirty: true } },
    "skips scheduled posts": { opened: scheduled(), events: [types("One"), autosaveDue], commands: [] },
    "creates a new post": {
      opened: null,
      events: [setTitle("Hello"), types("One"), autosaveDue, answers({ title: "Hello", ...withText("One") }), types("Two"), autosaveDue],
      commands: ["POST #1 One", "has an address", "PUT #2 v1 Two"],
    },
    "creates a post with only a title": {
      opened: null,
      events: [setTitle("Hello"), types(""), autosaveDue, answers({ title: "Hello", content_raw: paragraph("") })],
      commands: ["POST #1", "has an address"],
      state: { dirty: false },
    },
    "creates a post without a title": {
      opened: null,
      events: [types("One"), autosaveDue, answers({ title: "" })],
      commands: ["POST #1 One", "has an address"],
    },
    "doesn't create an emptied new post": {
      opened: null,
      events: [setTitle("H"), setTitle(""), types(""), autosaveDue],
      commands: [],
      drafts: ["draft cleared"],
      state: { dirty: false, server: null },
    },
    "saves an emptied draft": {
      events: [setTitle(""), types(""), autosaveDue, answers({ title: "", version: 2 })],
      commands: ["PUT #1 v1"],
    },
    "leaves 'Draft saved' to the first manual save": {
      opened: null,
      events: [
        setTitle("Hello"),
        types("One"),
        autosaveDue,
        answers({ title: "Hello" }),
        writes("save"),
        answers({ version: 2 }),
        writes("save"),
        answers(),
      ],
      commands: [
        ...["POST #1 One", "has an address", "PUT #2 v1 One", "+ Draft saved: Your post has been saved as a draft", "done"],
        ...["PUT #3 v2 One", "+ Saved", "done"],
      ],
    },
    "runs after its maximum wait while typing continues": {
      events: [types("One"), types("One, two"), maxWaitDue, answers({ version: 2 }), types("One, two, three")],
      commands: ["PUT #1 v1 One, two"],
      maxWait: [`maxWait in ${autosaveMaxWaitMs}`, `maxWait in ${autosaveMaxWaitMs}`],
    },
    "has no maximum wait where it's off": { opened: published(), events: [types("One")], maxWait: [] },
    "runs once if both timers are due": {
      events: [types("One"), maxWaitDue, autosaveDue, answers({ version: 2 })],
      commands: ["PUT #1 v1 One"],
    },
    "runs immediately when the page is hidden": {
      events: [types("One"), sends({ type: "hidden" })],
      commands: ["PUT #1 v1 One"],
      drafts: ["draft kept"],
    },
    "skips a hidden page without changes": { events: [sends({ type: "hidden" })], commands: [] },
    "is followed by a manual save": {
      events: [types("One"), autosaveDue, writes("save"), answers({ version: 2 }), answers({ version: 2 })],
      commands: ["PUT #1 v1 One", "PUT #2 v2 One", "+ Saved", "done"],
    },
    "without an answer is retried before a manual save": {
      events: [types("One"), autosaveDue, cutOff, writes("save"), answers({ version: 2 }), answers({ version: 2 })],
      commands: ["PUT #1 v1 One", "PUT #1 v1 One", "PUT #2 v2 One", "+ Saved", "done"],
    },
    "fails silently once or twice": {
      events: [types("One"), autosaveDue, cutOff, autosaveDue, cutOff],
      state: { isTransient: true, trouble: { reason: "unanswered" } },
    },
    "shows repeated failures": {
      events: [types("One"), ...Array.from({ length: 3 }, () => [autosaveDue, cutOff]).flat()],
      state: { isTransient: false },
    },
    "shows the failure of a manual save": { events: [types("One"), writes("save"), cutOff], state: { isTransient: false } },
    "never creates a post twice": {
      opened: null,
      events: [setTitle("Hello"), types("One"), autosaveDue, cutOff, types("One, two"), autosaveDue, answers({ title: "Hello" })],
      commands: ["POST #1 One", "POST #1 One, two", "has an address"],
      state: { dirty: false },
    },
    "waits for images when leaving": {
      events: [
        (visit) => (visit.uploadsHeld = true),
        types("One"),
        writes("autosave"),
        sends({ type: "settled" }),
        answers({ version: 2 }),
      ],
      commands: ["PUT #1 v1 One", "done"],
    },
    "stops without permission": {
      events: [types("One"), autosaveDue, refuses("forbidden"), types("One, two")],
      commands: ["PUT #1 v1 One"],
      state: { trouble: { reason: "forbidden" }, dirty: true },
    },
    "opens a conflict if a colleague published the post": {
      events: [types("One"), autosaveDue, refuses("version_conflict"), fetches({ ...published(), version: 2 })],
      commands: ["PUT #1 v1 One", "GET"],
      state: { conflict: { theirs: { status: "published" } } },
    },
    "needs unsaved changes": { events: [autosaveDue], commands: [] },
    "waits for a save in progress": {
      events: [types("One"), writes("save"), types("Two"), autosaveDue, answers({ version: 2 })],
      commands: ["PUT #1 v1 One", "+ Saved", "done", "PUT #2 v2 Two"],
      state: { busy: "autosave" },
    },
    "skips a post published meanwhile": {
      events: [types("One"), writes("publish"), types("Two"), autosaveDue, answers({ version: 2, status: "published" })],
      commands: ["PUT #1 v1 One as published", "+ Post published: Your post is now live", "done"],
      state: { dirty: true },
    },
    "retries with exponential backoff up to a minute": {
      events: [types("One"), ...Array.from({ length: 6 }, () => [autosaveDue, refuses("internal")]).flat()],
      timers: [keep, ...[2, 2, 4, 8, 16, 32, 60].map((seconds) => `autosave in ${seconds * 1000}`)],
    },
    "resets the backoff after a success": {
      events: [types("One"), autosaveDue, cutOff, autosaveDue, answers({ version: 2 }), types("Two")],
      timers: [keep, rest, rest, "no draft", keep, rest],
    },
    "keeps the backoff after a change": {
      events: [types("One"), autosaveDue, cutOff, types("Two")],
      timers: [keep, rest, rest, "autosave in 4000"],
    },
    "doesn't retry a refusal": { events: [types("One"), autosaveDue, refuses("forbidden")], timers: [keep, rest] },
    "runs once after reconnecting": {
      events: [types("One"), autosaveDue, cutOff, online, answers({ version: 2 }), online],
      commands: ["PUT #1 v1 One", "PUT #1 v1 One"],
      state: { dirty: false, trouble: null },
    },
    "resumes after signing in again": {
      events: [types("One"), autosaveDue, refuses("unauthenticated"), autosaveDue, answers({ version: 2 })],
      commands: ["PUT #1 v1 One", "PUT #2 v1 One"],
      timers: [keep, rest, rest, "no draft"],
      state: { trouble: null, dirty: false },
    },
    "is faster without a local draft, also while typing": {
      events: [storage("full"), types("One"), types("One, two"), types("One, two, three"), autosaveDue],
      timers: [keep, "autosave in 500"],
      commands: ["PUT #1 v1 One, two, three"],
    },
    "becomes faster when storing the draft fails": { events: [types("One"), storage("full")], timers: [keep, rest, "autosave in 500"] },
    "keeps the backoff without a local draft": {
      events: [storage("full"), types("One"), autosaveDue, cutOff, types("Two")],
      timers: [keep, "autosave in 500", "autosave in 2000", "autosave in 4000"],
    },
    "stops when the editor unmounts": {
      events: [types("One"), writes("save"), sends({ type: "left" }), cutOff, types("Two")],
      timers: [keep, rest, "no autosave", "no draft"],
      state: { trouble: { reason: "unanswered" } },
    },
  });
});

describe("the local draft", () => {
  const keeps = sends({ type: "store-draft" });
  rows({
    "is stored soon after each first change": {
      events: [types("One"), types("Two"), keeps, types("Three")],
      timers: ["draft in 500", "autosave in 2000", "autosave in 2000", "no draft", "draft in 500", "autosave in 2000"],
      drafts: ["draft kept"],
    },
    "is deleted when everything is saved": {
      events: [types("One"), keeps, writes("save"), answers()],
      drafts: ["draft kept", "draft cleared"],
    },
    "is cancelled when everything is saved": {
      events: [types("One"), writes("save"), answers()],
      timers: ["draft in 500", "autosave in 2000", "no draft"],
      drafts: ["draft cleared"],
    },
    "stays after a failed save": { events: [types("One"), keeps, writes("save"), cutOff], drafts: ["draft kept"] },
    "stays with text typed meanwhile": {
      events: [types("One"), keeps, writes("save"), types("Two"), answers()],
      drafts: ["draft kept"],
    },
    "is stored when the editor unmounts": { events: [types("One"), sends({ type: "left" })], drafts: ["draft kept"] },
    "stays for changes abandoned during a save": {
      events: [types("One"), writes("save"), types("Two"), keeps, sends({ type: "abandon" }), answers({ version: 2 })],
      drafts: ["draft kept"],
      state: { dirty: false },
    },
    "of an earlier visit is offered until deleted": {
      events: [
        sends({ type: "drafts-found", drafts: [] }),
        sends({ type: "draft-forgotten", sessionId: "earlier" }),
        sends({ type: "draft-settled", problem: "full" }),
      ],
      drafts: ["draft earlier deleted"],
      state: { offered: [], draftProblem: "full" },
    },
  });
});

describe("leaving", () => {
  rows({
    "doesn't ask after abandoning changes, until the next change": {
      events: [types("One"), sends({ type: "abandon" }), (visit) => expect(isDirty(visit.state)).toBe(false), types("Two")],
      state: { dirty: true },
    },
    "doesn't stop a save in progress": {
      events: [types("One"), writes("save"), sends({ type: "left" }), answers({ version: 2 })],
      commands: ["PUT #1 v1 One", "+ Saved", "done"],
      state: { version: 2 },
    },
    "and returning to the same visit restarts the timers": {
      events: [types("One"), sends({ type: "left" }), sends({ type: "entered" }), types("Two")],
      timers: ["draft in 500", "autosave in 2000", "no autosave", "no draft", "draft in 500", "autosave in 2000"],
    },
  });
});

describe("an image upload", () => {
  const holds: Act = (visit) => (visit.uploadsHeld = true);
  rows({
    "counts as unsaved, and publishing waits for it": {
      events: [holds, uploads("begun"), writes("publish")],
      commands: [],
      state: { dirty: true, uploads: 1, busy: "publish", phase: { at: "settling" } },
    },
    "is in the text that is sent afterwards": {
      events: [
        holds,
        uploads("begun"),
        writes("publish"),
        (visit) => (visit.text = "With an image"),
        uploads("changed"),
        sends({ type: "settled" }),
      ],
      commands: ["PUT #1 v1 With an image as published"],
      state: { uploads: 0 },
    },
    "doesn't delay an autosave of the text": {
      events: [uploads("begun"), types("One"), autosaveDue, answers({ version: 2 })],
      commands: ["PUT #1 v1 One"],
      drafts: [],
      state: { dirty: true },
    },
    "that fails leaves nothing unsaved": {
      events: [uploads("begun"), types("One"), autosaveDue, answers({ version: 2 }), uploads("over")],
      drafts: ["draft cleared"],
      state: { dirty: false },
    },
  });
});

describe("a save without an answer", () => {
  rows({
    "is retried with its key before the next one": {
      opened: published(),
      events: [types("One"), writes("save"), cutOff, types("One, two"), writes("save"), answers({ version: 2 }), answers({ version: 3 })],
      commands: [
        "PUT #1 v1 One",
        `- Failed to update post: ${support}`,
        "not done",
        "PUT #1 v1 One",
        "PUT #2 v2 One, two",
        "+ Saved",
        "done",
      ],
      state: { trouble: null, dirty: false, unanswered: null },
    },
    "is enough if nothing has changed since": {
      opened: published(),
      events: [types("One"), writes("save"), cutOff, writes("save"), answers({ version: 2 })],
      commands: ["PUT #1 v1 One", `- Failed to update post: ${support}`, "not done", "PUT #1 v1 One", "+ Saved", "done"],
    },
    "of a published post is retried automatically and reported": {
      opened: published(),
      events: [types("One"), writes("save"), cutOff, autosaveDue, answers({ version: 2 })],
      commands: ["PUT #1 v1 One", `- Failed to update post: ${support}`, "not done", "PUT #1 v1 One", "+ Saved"],
      state: { trouble: null, dirty: false },
    },
    "isn't retried again after another write": {
      opened: published(),
      events: [types("One"), writes("save"), cutOff, writes("save"), autosaveDue, answers({ version: 2 })],
      commands: ["PUT #1 v1 One", `- Failed to update post: ${support}`, "not done", "PUT #1 v1 One", "+ Saved", "done"],
    },
    "is retried immediately if the connection came back meanwhile": {
      opened: published(),
      events: [types("One"), writes("save"), online, cutOff, answers({ version: 2 })],
      commands: ["PUT #1 v1 One", `- Failed to update post: ${support}`, "not done", "PUT #1 v1 One", "+ Saved"],
    },
    "that turns out to be stale is refused, and the next one opens a conflict": {
      opened: published(),
      events: [types("One"), writes("save"), cutOff, autosaveDue, refuses("version_conflict"), writes("save"), refuses("version_conflict")],
      commands: ["PUT #1 v1 One", `- Failed to update post: ${support}`, "not done", "PUT #1 v1 One", "PUT #2 v1 One", "GET"],
    },
    "is retried before a later publication": {
      events: [
        types("One"),
        writes("save"),
        cutOff,
        writes("publish"),
        answers({ version: 2 }),
        answers({ version: 3, status: "published" }),
      ],
      commands: [
        "PUT #1 v1 One",
        `- Failed to update post: ${support}`,
        "not done",
        "PUT #1 v1 One",
        "PUT #2 v2 One as published",
        "+ Post published: Your post is now live",
        "done",
      ],
    },
    "of a new post never creates it twice": {
      opened: null,
      events: [setTitle("New"), types("One"), writes("save"), cutOff, writes("save"), answers({ title: "New" })],
      commands: [
        "POST #1 One",
        `- Failed to save: ${support}`,
        "not done",
        "POST #1 One",
        "has an address",
        "+ Draft saved: Your post has been saved as a draft",
        "done",
      ],
      state: { dirty: false },
    },
    "can be a malformed response with status 200": {
      events: [writes("save"), fails(new ApiError(200, "internal", "Broken"))],
      state: { trouble: { reason: "unanswered" }, unanswered: { key: "visit:1" } },
    },
  });
  test.each([
    ["408 not all of it came", refuses("request_timeout")],
    ["429 too many requests", refuses("rate_limited")],
    ["503 unavailable", refuses("unavailable")],
    ["500 internal", refuses("internal")],
    ["no connection", cutOff],
  ])("%s counts as no answer: the write is retried with its key", (_, failure) => {
    const visit = new Visit(published());
    for (const act of [types("One"), writes("save"), failure, autosaveDue]) act(visit);
    expect(visit.lines.filter((line) => line.startsWith("PUT"))).toEqual(["PUT #1 v1 One", "PUT #1 v1 One"]);
    expect(viewOf(visit.state)).toMatchObject({ trouble: { reason: "unanswered" }, busy: "save" });
  });
});

describe("unsaved text is never stuck", () => {
  const signedOut = refuses("unauthenticated");
  rows({
    "when an unanswered autosave turns out to be stale: it is merged": {
      opened: fullPost(withText("one: One\ntwo: Two")),
      events: [
        ...[types("one: Mine\ntwo: Two"), autosaveDue, cutOff, autosaveDue, refuses("version_conflict")],
        ...[fetches({ version: 2, updated_by_name: "Ana", ...withText("one: One\ntwo: Theirs") }), shows()],
        answers({ version: 3, ...withText("one: Mine\ntwo: Theirs") }),
      ],
      commands: [
        ...["PUT #1 v1 one: Mine two: Two", "PUT #1 v1 one: Mine two: Two", "GET", "place one: Mine | two: Theirs"],
        ...["PUT #3 v2 one: Mine two: Theirs", "+ Merged with Ana's changes"],
      ],
      state: { trouble: null, unanswered: null, dirty: false, version: 3 },
    },
    "when the response to a creation was lost and typing continued": {
      opened: null,
      events: [
        ...[setTitle("New"), types("One"), writes("save"), types("One, two"), cutOff, autosaveDue],
        ...[refuses("validation_failed", { idempotency_key: "This key was already used for another request" }), answers(withText("One"))],
      ],
      state: { dirty: true, running: { autosave: true } },
    },
    "when autosave is due while a post is being created": {
      opened: null,
      events: [setTitle("New"), types("One"), writes("save"), types("One, two"), autosaveDue, maxWaitDue, answers(withText("One"))],
      state: { dirty: true, running: { autosave: true } },
    },
    "when autosave is due before the editor is ready": {
      events: [(visit) => (visit.text = null), setTitle("New"), autosaveDue],
      state: { dirty: true, trouble: null, running: { autosave: true } },
    },
    "when a session ends during a retry: its key stays": {
      events: [types("One"), autosaveDue, cutOff, autosaveDue, signedOut, autosaveDue, answers({ version: 2, ...withText("One") })],
      commands: ["PUT #1 v1 One", "PUT #1 v1 One", "PUT #1 v1 One"],
      state: { dirty: false, trouble: null, version: 2 },
    },
    "when a draft is restored during a lost publication: its base stays": {
      opened: fullPost({ version: 3, ...withText("one: One\ntwo: By Ana") }),
      events: [
        ...[writes("publish"), cutOff, types("one: Back\ntwo: Two")],
        sends({ type: "rebased", base: fullPost({ version: 2, ...withText("one: One\ntwo: Two") }) }),
        ...[writes("save"), fetches({ version: 3, ...withText("one: One\ntwo: By Ana") })],
      ],
      state: { version: 2, phase: { at: "sending", attempt: { request: { body: { version: 2 } } } } },
    },
    "when a draft is restored during a stale save: its base stays": {
      opened: fullPost({ version: 3, ...withText("one: One\ntwo: By Ana") }),
      events: [
        ...[types("one: Mine\ntwo: By Ana"), autosaveDue, cutOff, types("one: Back\ntwo: Two")],
        sends({ type: "rebased", base: fullPost({ version: 2, ...withText("one: One\ntwo: Two") }) }),
        ...[
          autosaveDue,
          refuses("version_conflict"),
          fetches({ version: 4, updated_by_name: "Ana", ...withText("one: One\ntwo: By Ana") }),
          shows(),
        ],
      ],
      state: { text: "one: Back\ntwo: By Ana", version: 4 },
    },
    "when the post of a restored draft was deleted: it becomes a new post": {
      events: [
        ...[writes("publish"), cutOff, types("Back"), sends({ type: "rebased", base: fullPost({ version: 1 }) }), autosaveDue],
        ...[refuses("not_found"), savesAsNew, answers({ id: "55555555-5555-4555-8555-555555555555", ...withText("Back") })],
      ],
      state: { server: { id: "55555555-5555-4555-8555-555555555555" }, rebased: null, dirty: false },
    },
    "when the session of a published post ends: the save is retried": {
      opened: published(),
      events: [types("One"), writes("save"), cutOff, autosaveDue, signedOut],
      state: { trouble: { reason: "unanswered" }, unanswered: { key: "visit:1" }, running: { autosave: true } },
    },
    "when a draft is restored during a save: its base stays": {
      opened: fullPost({ version: 3, ...withText("one: One\ntwo: By Ana") }),
      events: [
        ...[
          types("one: Mine\ntwo: By Ana"),
          autosaveDue,
          (visit: Visit) => (visit.text = "one: One\ntwo: Brought back"),
          sends({ type: "changed" }),
        ],
        sends({ type: "rebased", base: fullPost({ version: 1, ...withText("one: One\ntwo: Two") }) }),
        answers({ version: 4, ...withText("one: Mine\ntwo: By Ana") }),
      ],
      state: { version: 1, announcedVersion: 4, rebased: null },
    },
  });
});

describe("a publication without an answer", () => {
  const open = ["not done"];
  rows({
    "has an unknown outcome": {
      events: [types("One"), writes("publish"), cutOff],
      state: { trouble: { reason: "unknown" }, dirty: true, unanswered: { key: "visit:1" } },
    },
    "is checked, never sent again automatically": {
      opened: fullPost({ status: "scheduled", publish_at: "2999-01-01T00:00:00Z" }),
      events: [types("One"), writes("publish"), cutOff, online, fetches({ ...published(), ...withText("One"), version: 2 })],
      commands: ["PUT #1 v1 One as published", ...open, "GET", "+ Post published: Your post is now live"],
      state: { status: "published", version: 2, trouble: null, dirty: false },
    },
    "that didn't arrive is reported as failed": {
      opened: fullPost({ status: "scheduled", publish_at: "2999-01-01T00:00:00Z" }),
      events: [types("One"), writes("publish"), cutOff, online, fetches()],
      commands: ["PUT #1 v1 One as published", ...open, "GET", `- Failed to publish post: ${support}`],
      state: { trouble: null, unanswered: null, dirty: true, version: 1 },
    },
    "stays unknown while the check fails": {
      opened: scheduled({ publish_at: "2999-01-01T00:00:00Z" }),
      events: [types("One"), writes("publish"), cutOff, online, cutOff],
      commands: ["PUT #1 v1 One as published", ...open, "GET"],
      state: { trouble: { reason: "unknown" }, unanswered: { key: "visit:1" } },
    },
    "doesn't conflict with itself": {
      events: [
        types("One"),
        writes("publish"),
        cutOff,
        autosaveDue,
        fetches({ ...published(), ...withText("One"), version: 2 }),
        writes("save"),
      ],
      commands: ["PUT #1 v1 One as published", ...open, "GET", "+ Post published: Your post is now live", "PUT #2 v2 One"],
      state: { conflict: null },
    },
    "keeps later changes unsaved": {
      events: [
        types("One"),
        writes("publish"),
        cutOff,
        types("Two"),
        autosaveDue,
        fetches({ ...published(), ...withText("One"), version: 2 }),
      ],
      commands: ["PUT #1 v1 One as published", ...open, "GET", "+ Post published: Your post is now live"],
      state: { trouble: null, conflict: null, dirty: true, status: "published" },
    },
    "that didn't arrive is reported although the draft is autosaved": {
      events: [types("One"), writes("publish"), cutOff, types("Two"), autosaveDue, fetches(), answers({ version: 2, ...withText("Two") })],
      commands: ["PUT #1 v1 One as published", ...open, "GET", `- Failed to publish post: ${support}`, "PUT #2 v1 Two"],
      state: { trouble: null, dirty: false, status: "draft" },
    },
    "at a time isn't confused with a colleague's schedule": {
      events: [
        ...[types("One"), writes({ kind: "schedule", publishAt: "2999-01-05T09:00:00.000Z" }), cutOff, online],
        fetches({ status: "scheduled", publish_at: "2999-02-02T09:00:00.000Z", version: 2, ...withText("One") }),
      ],
      state: { version: 1, dirty: true, unanswered: null },
    },
    "at a time that has passed is recognised as published": {
      events: [
        ...[types("One"), writes({ kind: "schedule", publishAt: "2999-01-05T09:00:00.000Z" }), cutOff, online],
        fetches({ status: "published", publish_at: "2999-01-05T09:00:00Z", version: 2, ...withText("One") }),
      ],
      state: { version: 2, dirty: false, status: "published", trouble: null },
    },
    "that overwrote a version is recognised": {
      events: [
        ...[
          types("Mine"),
          writes("publish"),
          refuses("version_conflict"),
          fetches({ version: 2, ...withText("Theirs") }),
          overwrites,
          cutOff,
          autosaveDue,
        ],
        fetches({ ...published(), version: 3, ...withText("Mine") }),
      ],
      state: { version: 3, status: "published", conflict: null, dirty: false, trouble: null },
    },
    "fetches the version found instead": {
      events: [
        types("One"),
        writes("publish"),
        cutOff,
        (visit: Visit) => visit.send({ type: "abandon" }),
        online,
        fetches({ version: 3, ...withText("Theirs") }),
      ],
      state: { announcedVersion: 3, phase: { at: "refetching" } },
    },
    "is checked after signing in again": {
      events: [types("One"), writes("publish"), cutOff, autosaveDue, refuses("unauthenticated")],
      state: { trouble: { reason: "unanswered" }, unanswered: { key: "visit:1" }, running: { autosave: true } },
    },
    "counts as done if a colleague has saved the post since": {
      events: [types("One"), writes("publish"), cutOff, online, fetches({ ...published(), ...withText("One more"), version: 3 })],
      commands: ["PUT #1 v1 One as published", ...open, "GET", "+ Post published: Your post is now live", "PUT #2 v1 One"],
    },
    "isn't confused with a colleague's publication": {
      events: [
        ...[types("One"), writes("publish"), cutOff, autosaveDue, fetches({ ...published(), ...withText("Theirs"), version: 2 })],
        ...[refuses("version_conflict"), fetches({ ...published(), ...withText("Theirs"), version: 2 })],
      ],
      commands: ["PUT #1 v1 One as published", ...open, "GET", `- Failed to publish post: ${support}`, "PUT #2 v1 One", "GET"],
      state: { version: 1, status: "draft", dirty: true, conflict: { intent: { kind: "autosave" } } },
    },
    "isn't retried by a later save": {
      events: [types("One"), writes("publish"), cutOff, writes("save"), fetches(), answers({ version: 2 })],
      commands: ["PUT #1 v1 One as published", ...open, "GET", `- Failed to publish post: ${support}`, "PUT #2 v1 One", "+ Saved", "done"],
    },
    "is retried with its key when requested again": {
      events: [types("One"), writes("publish"), cutOff, writes("publish"), answers({ version: 2, status: "published" })],
      commands: ["PUT #1 v1 One as published", ...open, "PUT #1 v1 One as published", "+ Post published: Your post is now live", "done"],
    },
  });
});

describe("a new post whose publication has no answer", () => {
  const keyTaken = refuses("validation_failed", { idempotency_key: "This key was already used for another request" });
  const unanswered = [setTitle("New"), types("One"), writes("publish"), cutOff, types("One, two")];
  const before = ["POST #1 One as published", "not done"];
  rows({
    "is saved as a draft and reported, not published automatically": {
      opened: null,
      events: [...unanswered, online, answers({ title: "New", ...withText("One, two") })],
      commands: [...before, "POST #1 One, two", "has an address", `- Failed to publish post: ${lost}`],
      state: { dirty: false, trouble: null, status: "draft" },
    },
    "is saved as a draft and reported, also after several tries": {
      opened: null,
      events: [...unanswered, online, cutOff, online, answers({ title: "New", ...withText("One, two") })],
      commands: [...before, "POST #1 One, two", "POST #1 One, two", "has an address", `- Failed to publish post: ${lost}`],
      state: { dirty: false, trouble: null, status: "draft" },
    },
    "is reported as not published if only an earlier autosave arrived": {
      opened: null,
      events: [
        ...[setTitle("New"), types("One"), autosaveDue, cutOff, writes("publish"), cutOff, online, keyTaken, keyTaken],
        answers({ title: "New", ...withText("One") }),
      ],
      state: { status: "draft", trouble: null },
      commands: [
        ...["POST #1 One", "POST #1 One as published", "not done", "POST #1 One", "POST #1 One as published"],
        ...["POST #1 One", "has an address", `- Failed to publish post: ${lost}`],
      ],
    },
    "stays unknown until an answer": {
      opened: null,
      events: [...unanswered, online, cutOff, online, cutOff],
      state: { trouble: { reason: "unknown" }, unanswered: { key: "visit:1" } },
    },
    "is reported as not published if autosave comes first": {
      opened: null,
      events: [...unanswered, autosaveDue, cutOff, autosaveDue, answers({ title: "New", ...withText("One, two") })],
      commands: [...before, "POST #1 One, two", "POST #1 One, two", "has an address", `- Failed to publish post: ${lost}`],
      state: { dirty: false, trouble: null, status: "draft" },
    },
    "is recognised if it arrived, with later changes unsaved": {
      opened: null,
      events: [...unanswered, online, keyTaken, answers({ ...published({ title: "New" }), ...withText("One") })],
      commands: [...before, "POST #1 One, two", "POST #1 One as published", "has an address", "+ Post published: Your post is now live"],
      state: { dirty: true, trouble: null, status: "published" },
    },
    "is saved as sent if the current text is invalid": {
      opened: null,
      events: [...unanswered, setTitle(""), online, answers({ title: "New" })],
      commands: [...before, "POST #1 One", "has an address", `- Failed to publish post: ${lost}`],
      state: { dirty: true },
    },
    "is saved as sent without an editor": {
      opened: null,
      events: [...unanswered, (visit) => (visit.text = null), online],
      commands: [...before, "POST #1 One"],
    },
    "is saved with the current text by a manual save and reported as not published": {
      opened: null,
      events: [...unanswered, writes("save"), cutOff, setTitle("Newer"), writes("save"), answers({ title: "Newer" })],
      commands: [
        ...[...before, "POST #1 One, two", `- Failed to save: ${support}`, "not done", "POST #1 One, two", "has an address"],
        ...[`- Failed to publish post: ${lost}`, "+ Draft saved: Your post has been saved as a draft", "done"],
      ],
      state: { dirty: false, status: "draft" },
    },
    "is published with the current text when requested again": {
      opened: null,
      events: [...unanswered, writes("publish"), answers({ ...published({ title: "New" }), ...withText("One, two") })],
      commands: [...before, "POST #1 One, two as published", "has an address", "+ Post published: Your post is now live", "done"],
      state: { dirty: false, status: "published" },
    },
    "is recognised after later tries": {
      opened: null,
      events: [
        ...[...unanswered, writes("save"), cutOff, writes("save"), keyTaken, keyTaken],
        ...[
          answers({ ...published({ title: "New", tags: [] }), ...withText("One") }),
          answers({ ...published({ title: "New" }), version: 2 }),
        ],
      ],
      commands: [
        ...[...before, "POST #1 One, two", `- Failed to save: ${support}`, "not done"],
        ...[
          "POST #1 One, two",
          "POST #1 One, two",
          "POST #1 One as published",
          "has an address",
          "+ Post published: Your post is now live",
          "PUT #2 v1 One, two",
          "+ Saved",
          "done",
        ],
      ],
      state: { dirty: false, status: "published", version: 2 },
    },
    "stays unknown when its replacement is refused": {
      opened: null,
      events: [...unanswered, writes("save"), refuses("forbidden")],
      state: { unanswered: { intent: { kind: "publish" }, key: "visit:1" }, trouble: { reason: "forbidden" } },
    },
    "to be scheduled is reported as not scheduled": {
      opened: null,
      events: [setTitle("New"), types("One"), writes({ kind: "schedule", publishAt: soon }), cutOff, online, answers({ title: "New" })],
      commands: [...["POST #1 One as scheduled", "not done", "POST #1 One", "has an address"], `- Couldn't schedule the post: ${lost}`],
    },
  });
});

describe("a conflict", () => {
  const theirs = { version: 2, updated_at: "2026-11-20T11:55:00Z", ...withText("Theirs") };
  const stale = fails(
    new ApiError(409, "version_conflict", "Post updated elsewhere", {
      conflict: { version: 2, updated_at: "2026-11-20T11:55:00Z", updated_by_name: "Grace Hopper" },
    }),
  );
  const conflicted = [types("Mine"), writes("save"), stale, fetches(theirs)];
  const before = ["PUT #1 v1 Mine", "GET", "not done"];
  rows({
    "opens with base, mine and theirs": {
      events: conflicted,
      commands: before,
      state: {
        conflict: {
          ...{ intent: { kind: "save" }, archived: false, updatedAt: "2026-11-20T11:55:00Z", updatedByName: "Grace Hopper" },
          ...{ mine: { content: { blocks: [{ data: { text: "Mine" } }] } }, theirs: { version: 2, ...withText("Theirs") } },
        },
        server: { version: 1 },
        ...{ dirty: true, busy: null, trouble: null, unanswered: null },
      },
    },
    "opens even if the newer version can't be loaded": {
      events: [types("Mine"), writes("save"), stale, cutOff],
      state: { conflict: { theirs: null, archived: false, updatedByName: "Grace Hopper" }, trouble: null },
    },
    "blocks other writes until resolved": {
      events: [...conflicted, writes("save"), writes("publish"), types("More"), autosaveDue, online, announces({ ...live(), version: 3 })],
      commands: [...before, "not done", "not done"],
    },
    "rejects queued jobs": {
      events: [types("Mine"), writes("save"), writes("publish"), autosaveDue, stale, fetches(theirs)],
      commands: [...before, "not done"],
      state: { queue: [] },
    },
    "of an autosave opens too": {
      events: [types("Mine"), autosaveDue, stale, fetches(theirs)],
      state: { conflict: { intent: { kind: "autosave" } } },
    },
    "overwritten sends no version": {
      events: [...conflicted, overwrites, answers({ version: 3 })],
      commands: [...before, "PUT #2 over Mine", "+ Saved", "done"],
      state: { conflict: null, dirty: false, version: 3, phase: { at: "idle" } },
    },
    "overwritten sends the current text and stays open until done": {
      events: [...conflicted, types("Newer"), overwrites, writes("save")],
      commands: [...before, "PUT #2 over Newer", "not done"],
      state: { busy: "save", conflict: { updatedByName: "Grace Hopper" } },
    },
    "can't be cancelled or overwritten twice": {
      events: [...conflicted, overwrites, cancels, overwrites],
      commands: [...before, "PUT #2 over Mine", "not done"],
      state: { busy: "save", conflict: { archived: false } },
    },
    "of a schedule, overwritten, schedules": {
      events: [writes({ kind: "schedule", publishAt: soon }), stale, fetches(theirs), overwrites, answers({ ...scheduled(), version: 3 })],
      commands: [
        ...["PUT #1 v1 Twice as fast. as scheduled", "GET", "not done", "PUT #2 over Twice as fast. as scheduled"],
        ...["+ Post scheduled: Your post has been scheduled for publication", "done"],
      ],
      state: { conflict: null, status: "scheduled" },
    },
    "of an autosave, overwritten, shows a toast": {
      events: [types("Mine"), autosaveDue, stale, fetches(theirs), overwrites, answers({ version: 3 })],
      commands: ["PUT #1 v1 Mine", "GET", "PUT #2 over Mine", "+ Saved", "done"],
    },
    "overwritten leaves out tags only a colleague changed": {
      events: [...conflicted.slice(0, 3), fetches({ ...theirs, tags: ["fix"] }), overwrites, answers({ version: 3, tags: ["fix"] })],
      commands: ["PUT #1 v1 Mine", "GET", "not done", "PUT #2 over Mine", "+ Saved", "done"],
      state: { tags: ["fix"] },
    },
    "closes with the server's message if overwriting is refused": {
      events: [...conflicted, overwrites, refuses("forbidden")],
      commands: [...before, "PUT #2 over Mine", `- ${errorCatalogue.forbidden.sentence}`, "not done"],
      state: { conflict: null, trouble: { reason: "forbidden" }, dirty: true },
    },
    "closes with our message if overwriting has no answer, and retries with its key": {
      events: [...conflicted, overwrites, cutOff, autosaveDue, answers({ version: 3 })],
      commands: [...before, "PUT #2 over Mine", "- Failed to save your changes.", "not done", "PUT #2 over Mine"],
      state: { conflict: null, dirty: false },
    },
    "closes if overwriting fetches no editor": {
      events: [...conflicted, (visit) => (visit.text = null), overwrites],
      commands: [...before, "- Failed to save your changes.", "not done"],
      state: { conflict: null },
    },
    "cancelled pauses autosave until the next save asks again": {
      events: [...conflicted, cancels, types("Mine, too"), autosaveDue, writes("save"), stale, fetches(theirs)],
      commands: [...before, "PUT #2 v1 Mine, too", "GET", "not done"],
      state: { conflictDismissed: true, conflict: { mine: { changes: 2 } } },
    },
    "cancelled, then saved, resumes autosave": {
      events: [...conflicted, cancels, writes("save"), answers({ version: 3 }), types("More"), autosaveDue],
      commands: [...before, "PUT #2 v1 Mine", "+ Saved", "done", "PUT #3 v3 More"],
    },
    "over an archived post restores it with the own text": {
      events: [types("Mine"), writes("save"), stale, fetches({ version: 2, status: "archived" }), overwrites, answers({ version: 3 })],
      commands: [...before, "PUT #2 over Mine as draft", "+ Post restored: Post has been returned to draft status", "done"],
      state: { conflict: null, dirty: false, trouble: null },
    },
    "resolved is shown and saved on the newer version": {
      events: [...conflicted, savesMerged({ body: "theirs" }), shows(), answers({ version: 3 })],
      commands: [...before, "place Theirs", "PUT #2 v2 Theirs", "+ Saved: Merged with Grace Hopper's changes", "done"],
      state: { conflict: null, newer: null, version: 3 },
    },
    "can't be resolved if none is open": { events: [overwrites, cancels], commands: ["not done"], state: { conflictDismissed: false } },
  });
});

describe("merging", () => {
  const opened = fullPost(withText("one: One\ntwo: Two"));
  const mine = "one: One by me\ntwo: Two";
  const theirs = (fields: Partial<Post> = {}) => ({
    version: 2,
    updated_by_name: "Ana",
    ...withText("one: One\ntwo: Two by Ana"),
    ...fields,
  });
  const both = "one: One by me\ntwo: Two by Ana";
  const placed = `place ${both.replace("\n", " | ")}`;
  const put = (number: number, version: number | string, text = both) => `PUT #${number} v${version} ${text.replace("\n", " ")}`;
  const stale = refuses("version_conflict");
  const merged = "Merged with Ana's changes";
  const backoffOver = sends({ type: "backoff-due" });
  const collision = theirs({ ...withText("one: One by Ana\ntwo: Two by Ana") });
  rows({
    "saves without a question if nothing conflicts": {
      opened,
      events: [types(mine), writes("save"), stale, fetches(theirs()), shows(), answers({ version: 3, ...withText(both) })],
      commands: [put(1, 1, mine), "GET", placed, put(2, 2), `+ Saved: ${merged}`, "done"],
      state: { dirty: false, conflict: null, newer: null, version: 3, text: both },
    },
    "names the other author after an autosave": {
      opened,
      events: [types(mine), autosaveDue, stale, fetches(theirs()), shows(), answers({ version: 3, ...withText(both) })],
      commands: [put(1, 1, mine), "GET", placed, put(2, 2), `+ ${merged}`],
      state: { dirty: false, version: 3 },
    },
    "reads again if the user types meanwhile": {
      opened,
      events: [
        ...[types(mine), autosaveDue, stale, fetches(theirs()), types("one: One by me!\ntwo: Two"), shows(false), shows()],
        answers({ version: 3, ...withText("one: One by me!\ntwo: Two by Ana") }),
      ],
      commands: [
        put(1, 1, mine),
        "GET",
        placed,
        "place one: One by me! | two: Two by Ana",
        put(2, 2, "one: One by me! two: Two by Ana"),
        `+ ${merged}`,
      ],
      state: { dirty: false },
    },
    "includes a third author after a backoff": {
      opened,
      events: [
        ...[types(mine), writes("save"), stale, fetches(theirs()), shows(), stale, backoffOver],
        ...[fetches({ ...theirs({ version: 3, updated_by_name: "Bob" }), title: "By Bob" }), answers({ version: 4, title: "By Bob" })],
      ],
      commands: [
        ...[put(1, 1, mine), "GET", placed, put(2, 2), "backoff in 100", "GET", put(3, 3)],
        ...["+ Saved: Merged with Ana and Bob's changes", "done"],
      ],
      state: { title: "By Bob", version: 4 },
    },
    "opens a conflict without showing or sending anything": {
      opened,
      events: [types(mine), writes("save"), stale, fetches(collision)],
      commands: [put(1, 1, mine), "GET", "not done"],
      state: { conflict: { merge: { counts: { mine: 0, theirs: 1, both: 0, collisions: 1 } } }, version: 1, text: mine },
    },
    "asks again for partly resolved conflicts": {
      opened,
      events: [
        setTitle("Mine"),
        types(mine),
        writes("save"),
        stale,
        fetches({ ...collision, title: "Theirs" }),
        savesMerged({ one: "mine" }),
      ],
      state: { conflict: { merge: { counts: { collisions: 2 } } } },
    },
    "keeps both versions one below the other": {
      opened,
      events: [types(mine), writes("save"), stale, fetches(collision), savesMerged({ one: "both" }), shows(), answers({ version: 3 })],
      commands: [
        ...[put(1, 1, mine), "GET", "not done", "place one: One by Ana | one: One by me | two: Two by Ana"],
        ...["PUT #2 v2 one: One by Ana one: One by me two: Two by Ana", `+ Saved: ${merged}`, "done"],
      ],
    },
    "continues with a newer version that doesn't conflict": {
      opened,
      events: [
        ...[types(mine), writes("save"), stale, fetches(collision), savesMerged({ one: "mine" }), shows(), stale, backoffOver],
        ...[
          fetches({ ...collision, version: 3, ...withText("one: One by Ana\ntwo: Two by Ana\nthree: Three") }),
          shows(),
          answers({ version: 4 }),
        ],
      ],
      commands: [
        ...[put(1, 1, mine), "GET", "not done", placed, put(2, 2), "backoff in 100", "GET"],
        ...[`${placed} | three: Three`, put(3, 3, `${both} three: Three`), `+ Saved: ${merged}`, "done"],
      ],
    },
    "confirms a publication even without conflicts": {
      opened,
      events: [types(mine), writes("publish"), stale, fetches(theirs()), savesMerged(), shows(), answers({ ...published(), version: 3 })],
      commands: [
        ...[`${put(1, 1, mine)} as published`, "GET", "not done", placed, `${put(2, 2)} as published`],
        ...[`+ Post published: ${merged}. Your post is now live`, "done"],
      ],
      state: { status: "published", conflict: null },
    },
    "confirms a publication again for a newer version": {
      opened,
      events: [
        ...[types(mine), writes("publish"), stale, fetches(theirs()), savesMerged(), shows(), stale, backoffOver],
        fetches(theirs({ version: 3, ...withText("one: One\ntwo: Two by Ana, too") })),
      ],
      state: { conflict: { intent: { kind: "publish" }, theirs: { version: 3 } }, status: "draft" },
    },
    "opens a conflict if a colleague published the post": {
      opened,
      events: [types(mine), writes("save"), stale, fetches(theirs({ status: "published" }))],
      commands: [put(1, 1, mine), "GET", "not done"],
      state: { conflict: { merge: { counts: { collisions: 0 } } }, status: "draft" },
    },
    "continues unscheduling": {
      opened: { ...opened, status: "scheduled", publish_at: "2999-01-05T09:00:00.000Z" },
      events: [
        ...[types(mine), writes("unschedule"), stale, fetches(theirs({ status: "scheduled", publish_at: "2999-01-05T09:00:00.000Z" }))],
        ...[shows(), answers({ version: 3 })],
      ],
      state: { status: "draft", conflict: null, version: 3 },
    },
    "merges an announced version into unsaved changes as the new base": {
      opened,
      events: [types(mine), announces(theirs()), fetches(theirs()), shows(), autosaveDue],
      commands: ["GET", placed, put(1, 2)],
      state: { newer: null, version: 2, dirty: true, openConflicts: null },
    },
    "merges an announced version except conflicts, which the next save opens": {
      opened,
      events: [types(mine), announces(theirs()), fetches(collision), shows(), autosaveDue, stale, fetches(collision)],
      commands: ["GET", placed, put(1, 1), "GET"],
      state: {
        ...{ version: 1, text: both, newer: { version: 2 }, openConflicts: { blocks: ["one"], count: 1 } },
        conflict: { merge: { counts: { theirs: 0, collisions: 1 } } },
      },
    },
    "completes once the conflicting change is reverted": {
      opened,
      events: [
        types(mine),
        announces(theirs()),
        fetches(collision),
        shows(),
        announces({ version: 3 }),
        fetches(theirs({ version: 3 })),
        autosaveDue,
      ],
      commands: ["GET", placed, "GET", put(1, 3)],
      state: { newer: null, openConflicts: null, version: 3 },
    },
    "keeps a changed block that they deleted until resolved": {
      opened,
      events: [
        types(mine),
        announces(theirs()),
        fetches(theirs(withText("two: Two"))),
        announces({ version: 3 }),
        fetches(theirs({ version: 3, ...withText("two: Two") })),
      ],
      state: { text: mine, openConflicts: { blocks: ["one"], count: 1 }, version: 1 },
    },
    "counts identical changes as saved": {
      opened,
      events: [types(mine), announces(theirs()), fetches(theirs(withText(mine)))],
      commands: ["GET"],
      state: { dirty: false, version: 2, newer: null },
    },
    "merges again if the title is typed meanwhile": {
      opened,
      events: [types(mine), announces(theirs()), fetches({ ...theirs(), title: "Theirs" }), setTitle("Mine"), shows()],
      state: { title: "Mine", newer: { version: 2 }, openConflicts: { count: 1 } },
    },
    "opens a conflict without a merge if its chunk fails to load": {
      opened,
      events: [types(mine), writes("save"), stale, (visit) => (visit.cannotMerge = true), fetches(theirs())],
      commands: [put(1, 1, mine), "GET", "not done"],
      state: { conflict: { merge: null, theirs: { version: 2 } } },
    },
    "merges a restored draft into the newest version": {
      opened: fullPost({ ...theirs() }),
      events: [types(mine), sends({ type: "rebased", base: opened }), fetches(theirs()), shows(), autosaveDue],
      commands: ["GET", placed, put(1, 2)],
      state: { version: 2 },
    },
    "stops after too many attempts": {
      opened,
      events: [
        ...[types(mine), writes("save"), stale, fetches(theirs()), shows()],
        ...Array.from({ length: 30 }, (_, n) => [
          stale,
          backoffOver,
          fetches({ ...theirs({ version: 3 + n }), title: `Title ${n}` }),
        ]).flat(),
      ],
      state: { conflict: { merge: { counts: { collisions: 0 } } } },
    },
    "stops an autosave after too many attempts until the next one": {
      opened,
      events: [
        ...[types(mine), autosaveDue, stale, fetches(theirs()), shows()],
        ...Array.from({ length: 30 }, (_, n) => [
          stale,
          backoffOver,
          fetches({ ...theirs({ version: 3 + n }), title: `Title ${n}` }),
        ]).flat(),
      ],
      state: { conflict: null, dirty: true, running: { autosave: true } },
    },
  });
});

describe("an outdated editor", () => {
  const theirs = { version: 2, ...withText("Theirs") };
  rows({
    "is behind as soon as a newer version is announced": { events: [announces(theirs)], state: { behind: true } },
    "is behind until the version is shown": { events: [announces(theirs), fetches(theirs), shows()], state: { behind: false } },
    "retries a failed fetch": {
      events: [announces(theirs), cutOff, autosaveDue, fetches(theirs), shows()],
      commands: ["GET", "GET", "show Theirs"],
      timers: ["autosave in 15000"],
      state: { version: 2, behind: false },
    },
    "takes every field of a newer version": {
      events: [announces(theirs), fetches({ ...theirs, summary: "In short", cover_image: "none" }), shows()],
      state: { summary: "In short", cover_image: "none" },
    },
  });
});

describe("a newer version with the same text", () => {
  const moved = (fields: Partial<Post> = {}) => live({ slug: "elsewhere", version: 3, ...fields });
  const stale = refuses("version_conflict");
  rows({
    "published on schedule is no conflict": {
      opened: scheduled(),
      events: [types("More"), writes("save"), stale, fetches(live()), answers(live({ version: 3 }))],
      commands: ["PUT #1 v1 More", "GET", "PUT #2 v2 More", "+ Saved", "done"],
      state: { dirty: false, conflict: null, version: 3 },
    },
    "with another slug is no conflict": {
      opened: live(),
      events: [types("More"), writes("save"), stale, fetches(moved()), answers(moved({ version: 4 }))],
      commands: ["PUT #1 v2 More", "GET", "PUT #2 v3 More", "+ Saved", "done"],
      state: { version: 4 },
    },
    "followed by a real change opens a conflict": {
      opened: live(),
      events: [types("More"), writes("save"), stale, fetches(moved()), stale, fetches(moved({ version: 4, ...withText("Theirs") }))],
      commands: ["PUT #1 v2 More", "GET", "PUT #2 v3 More", "GET", "not done"],
      state: { conflict: { archived: false, theirs: { version: 4 } }, trouble: null, version: 3 },
    },
    "twice in one save is accepted twice": {
      opened: live(),
      events: [
        types("More"),
        writes("save"),
        stale,
        fetches(moved()),
        stale,
        fetches(moved({ version: 4, slug: "backoff" })),
        answers(moved({ version: 5 })),
      ],
      commands: ["PUT #1 v2 More", "GET", "PUT #2 v3 More", "GET", "PUT #3 v4 More", "+ Saved", "done"],
    },
    "that is live can't be unscheduled": {
      opened: scheduled({ publish_at: "2999-01-05T09:00:00.000Z" }),
      events: [writes("unschedule"), stale, fetches(live({ publish_at: "2999-01-05T09:00:00.000Z" }))],
      commands: [
        "PUT #1 v1 Twice as fast. as draft",
        "GET",
        "- Cannot schedule a published post: Published posts cannot be scheduled or moved back to draft status",
        "not done",
      ],
      state: { status: "published", conflict: null },
    },
    "but another text opens a conflict": {
      opened: scheduled(),
      events: [types("More"), writes("save"), stale, fetches(live(withText("Theirs")))],
      state: { conflict: { archived: false }, version: 1 },
    },
    "published early opens a conflict": {
      opened: scheduled(),
      events: [types("More"), writes("save"), stale, fetches(live({ publish_at: null }))],
      state: { conflict: { archived: false }, version: 1 },
    },
    "is accepted when announced, keeping unsaved changes": {
      opened: scheduled(),
      events: [types("More"), announces(live()), fetches(live())],
      commands: ["GET"],
      state: { version: 2, status: "published", dirty: true, conflict: null, busy: null },
    },
    "announced during a save is accepted by it": {
      opened: scheduled(),
      events: [types("More"), writes("save"), announces(live()), stale, fetches(live()), answers(live({ version: 3 }))],
      commands: ["PUT #1 v1 More", "GET", "PUT #2 v2 More", "+ Saved", "done"],
      state: { version: 3, conflict: null },
    },
    "from an own save is ignored": {
      events: [types("One"), writes("save"), answers({ version: 2 }), announces({ version: 2, ...withText("One") })],
      commands: ["PUT #1 v1 One", "+ Saved", "done"],
    },
    "that can't be fetched is ignored": { opened: scheduled(), events: [announces(live()), cutOff], state: { version: 1, trouble: null } },
    "of another post is ignored": { opened: scheduled(), events: [announces({ ...live(), id: ids.person })], commands: [] },
    "archived by a colleague is shown": {
      events: [announces({ version: 2, status: "archived" }), fetches({ version: 2, status: "archived" })],
      state: { status: "archived" },
    },
    "archived by a colleague isn't shown over unsaved changes": {
      events: [types("Mine"), announces({ version: 2 }), fetches({ version: 2, status: "archived" })],
      commands: ["GET"],
      state: { status: "draft", newer: { version: 2 } },
    },
    "archived by a colleague isn't shown over text typed meanwhile": {
      events: [announces({ version: 2, status: "archived" }), types("Mine"), fetches({ version: 2, status: "archived" })],
      state: { status: "draft" },
    },
  });
});

describe("a deleted post", () => {
  const gone = [types("Mine"), writes("save"), refuses("not_found")];
  const before = ["PUT #1 v1 Mine", `- Failed to update post: ${support}`, "not done"];
  rows({
    "can be saved as a new one": {
      events: [...gone, savesAsNew, answers({ id: ids.person })],
      commands: [...before, "POST #2 Mine", "has an address", "+ Draft saved: Your post has been saved as a draft", "done"],
      state: { trouble: null, dirty: false, server: { id: ids.person } },
    },
    "saved as new drops its unanswered save": {
      events: [...gone, writes("save"), savesAsNew, cutOff],
      commands: [...before, "PUT #2 v1 Mine", `- Failed to update post: ${support}`, "not done", "POST #3 Mine"],
    },
  });
});

describe("a colleague's save", () => {
  const theirs = { version: 2, title: "Theirs too", tags: ["fix"], updated_by_name: "Grace Hopper", ...withText("Theirs") };
  const stale = refuses("version_conflict");
  rows({
    "is shown without unsaved changes": {
      events: [announces(theirs), fetches(theirs), shows()],
      commands: ["GET", "show Theirs"],
      state: { version: 2, title: "Theirs too", tags: ["fix"], dirty: false, newer: null, busy: null },
    },
    "is the base of later changes": {
      events: [announces(theirs), fetches(theirs), shows(), types("Theirs and mine"), autosaveDue],
      commands: ["GET", "show Theirs", "PUT #1 v2 Theirs and mine"],
    },
    "is combined with changes made meanwhile": {
      events: [announces(theirs), fetches(theirs), setTitle("Mine"), shows(), autosaveDue],
      commands: ["GET", "show Theirs", "PUT #1 v2 Twice as fast."],
      state: { title: "Mine", tags: ["fix"] },
    },
    "shows a notice if it can't be shown": {
      events: [announces(theirs), fetches(theirs), types("Mine"), shows(false)],
      state: { version: 1, newer: { updated_by_name: "Grace Hopper" }, dirty: true },
    },
    "of the status only changes no text": {
      events: [announces({ version: 2 }), fetches({ ...published(), version: 2 })],
      commands: ["GET"],
      state: { status: "published", version: 2 },
    },
    "shows a notice over unsaved changes": {
      events: [types("Mine"), announces(theirs), fetches(theirs)],
      commands: ["GET"],
      state: { version: 1, newer: { version: 2, updated_by_name: "Grace Hopper" }, conflict: null, dirty: true },
    },
    "shows a notice and sends nothing while typing": {
      events: [types("Mine"), announces(theirs), fetches(theirs), types("Mine too"), maxWaitDue],
      commands: ["GET"],
    },
    "opens a conflict at the next autosave": {
      events: [types("Mine"), announces(theirs), fetches(theirs), autosaveDue, stale, fetches(theirs)],
      commands: ["GET", "PUT #1 v1 Mine setTags fix", "GET"],
      state: { conflict: { updatedByName: "Grace Hopper" } },
    },
    "found while typing defers the conflict and sends nothing": {
      events: [
        types("Mine"),
        maxWaitDue,
        types("Mine to"),
        stale,
        fetches(theirs),
        types("Mine too"),
        maxWaitDue,
        online,
        sends({ type: "hidden" }),
      ],
      commands: ["PUT #1 v1 Mine", "GET"],
      state: { conflict: null, newer: { version: 2 }, phase: { at: "conflict", isDeferred: true } },
    },
    "found while typing opens a conflict after a pause": {
      events: [types("Mine"), maxWaitDue, types("Mine to"), stale, fetches(theirs), types("Mine too"), autosaveDue],
      state: { conflict: { theirs: { version: 2 } }, phase: { isAutomatic: true } },
    },
    "found while typing opens a conflict on a manual save": {
      events: [types("Mine"), maxWaitDue, types("Mine to"), stale, fetches(theirs), writes("save")],
      commands: ["PUT #1 v1 Mine", "GET", "not done"],
      state: { conflict: { theirs: { version: 2 } }, phase: { isAutomatic: false } },
    },
    "announced twice is fetched once, and again for another version": {
      events: [
        types("Mine"),
        announces(theirs),
        fetches(theirs),
        announces(theirs),
        announces({ version: 3 }),
        fetches({ ...theirs, version: 3 }),
      ],
      commands: ["GET", "GET"],
      state: { newer: { version: 3 } },
    },
    "announced during a fetch is fetched next": {
      events: [types("Mine"), announces(theirs), announces({ version: 3 }), fetches(theirs), fetches({ ...theirs, version: 3 })],
      commands: ["GET", "GET"],
      state: { newer: { version: 3 } },
    },
    "possibly missed is fetched once, and again if announced meanwhile": {
      events: [announces({ version: 2 }), announces({ version: 4 }), fetches({ version: 1 }), fetches({ version: 1 })],
      commands: ["GET", "GET"],
      state: { version: 1, announcedVersion: 0 },
    },
    "is no longer newer after an own save": {
      events: [
        types("Mine"),
        announces(theirs),
        fetches(theirs),
        writes("save"),
        stale,
        fetches(theirs),
        overwrites,
        answers({ version: 3, ...withText("Mine") }),
      ],
      state: { newer: null, version: 3 },
    },
    "keeps its notice after 'Cancel'": {
      events: [types("Mine"), writes("save"), stale, fetches(theirs), cancels],
      state: { newer: { version: 2 }, conflict: null },
    },
    "isn't confused with an own unanswered save": {
      events: [types("Mine"), autosaveDue, cutOff, announces({ version: 2 }), autosaveDue, answers({ version: 2, ...withText("Mine") })],
      commands: ["PUT #1 v1 Mine", "PUT #1 v1 Mine"],
      state: { newer: null, version: 2, dirty: false },
    },
    "over a draft without a title can be overwritten": {
      events: [setTitle(""), autosaveDue, stale, fetches(theirs), overwrites, answers({ version: 3, title: "" })],
      commands: ["PUT #1 v1 Twice as fast.", "GET", "PUT #2 over Twice as fast.", "+ Saved", "done"],
    },
  });
});

describe("a write after a pause", () => {
  const theirs = { version: 2, updated_by_name: "Grace Hopper", updated_at: "2026-11-20T11:55:00Z", ...withText("Theirs") };
  const current = (isCurrent: boolean) => sends({ type: "checked", isCurrent });
  rows({
    "checks the version first": {
      events: [pauseOver, types("One"), writes("save"), current(true), answers({ version: 2 }), writes("save")],
      commands: ["is v1 current?", "PUT #1 v1 One", "+ Saved", "done", "PUT #2 v2 One"],
    },
    "that is stale isn't sent and opens a conflict": {
      events: [pauseOver, types("Mine"), writes("save"), current(false), fetches(theirs)],
      commands: ["is v1 current?", "GET", "not done"],
      state: { conflict: { updatedByName: "Grace Hopper", updatedAt: "2026-11-20T11:55:00Z", theirs: { version: 2 } }, dirty: true },
    },
    "that is stale with the same text continues": {
      opened: scheduled(),
      events: [pauseOver, types("More"), writes("save"), current(false), fetches(live()), answers(live({ version: 3 }))],
      commands: ["is v1 current?", "GET", "PUT #2 v2 More", "+ Saved", "done"],
    },
    "continues if the check has no answer": {
      events: [pauseOver, types("One"), autosaveDue, cutOff, refuses("version_conflict"), fetches(theirs)],
      commands: ["is v1 current?", "PUT #1 v1 One", "GET"],
      state: { conflict: { theirs: { version: 2 } } },
    },
    "of a new post checks nothing": {
      opened: null,
      events: [pauseOver, setTitle("New"), types("One"), writes("save")],
      commands: ["POST #1 One"],
    },
    "restarts its timer with every response": {
      events: [sends({ type: "entered" }), types("One"), writes("save"), answers({ version: 2 }), sends({ type: "left" })],
      pauses: ["pause in 60000", "pause in 60000", "no pause"],
    },
  });
});
