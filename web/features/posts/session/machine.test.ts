import { describe, expect, test } from "vitest";
import { cleanBlocks } from "#contract/blocks/clean.ts";
import { blocksToText } from "#contract/blocks/plain-text.ts";
import type { EditorOutput } from "#contract/blocks/schema.ts";
import { errorCatalogue, type ErrorCode } from "#contract/errors.ts";
import type { Choices } from "#contract/merge/types.ts";
import type { CreatePostInput, Post, UpdatePostInput } from "#contract/posts.ts";
import { ApiError } from "../../../lib/api-client.ts";
import { bringTogether } from "./bring-together.ts";
import { draftDelayMs, step } from "./machine.ts";
import {
  askedConflict,
  autosaveLongestMs,
  autosaveRestMs,
  firstState,
  busyWith,
  isBehind,
  isDirty,
  isPassing,
  type Attempt,
  type Command,
  type Event,
  type State,
} from "./state.ts";
import { isSaving, type Intent } from "./write.ts";
import { ids } from "../../../../tests/support/web/fixtures.ts";
import { fullPost, paragraph } from "../../../../tests/support/web/posts-support.ts";

/**
 * Sequences of events, and what the machine asks for: one line a command. "PUT #2 v1 One" is the visit's second write, with the words "One",
 * on version 1; "over" in the place of the version overwrites whatever is there. "+" and "-" are what the person is told.
 */
class Visit {
  state: State;
  lines: string[] = [];
  /** What is on the screen; null while there is no editor. */
  text: string | null = "Twice as fast.";
  /** What it is to show next, unless something was typed. */
  placed = "";
  uploadsHeld = false;
  cannotMerge = false;
  now = new Date("2026-11-20T12:00:00Z");
  #jobs = 0;

  constructor(opened: Post | null) {
    this.state = firstState({ visitId: "visit", workspaceId: ids.acme, opened });
  }

  tell(event: Event): void {
    const before = JSON.stringify(this.state);
    const [state, commands] = step(this.state, event);
    expect(JSON.stringify(this.state)).toBe(before); // pure: nothing is changed in place
    this.state = state;
    for (const command of commands) this.#take(command);
  }

  nextJob = () => ++this.#jobs;

  read(): void {
    const { title, tags, summary, cover, changes } = this.state;
    const content = this.text === null ? null : blocksOf(this.text);
    this.tell({ type: "read", writing: content && { title, tags, summary, cover, changes, content }, now: this.now });
  }

  #take(command: Command): void {
    if (command.do === "settle" && !this.uploadsHeld) return this.tell({ type: "settled" });
    if (command.do === "read") return this.read();
    if (command.do === "merge") {
      const { base, writing, theirs, choices } = command;
      return this.tell({ type: "merged", together: this.cannotMerge ? null : bringTogether(base, writing, theirs, choices) });
    }
    if (command.do === "place") this.placed = textOfBlocks(command.content);
    const line = inWords(command);
    if (line) this.lines.push(line);
  }
}

function inWords(command: Command): string | null {
  switch (command.do) {
    case "send":
      return requestLine(command.attempt);
    case "look":
      return "GET";
    case "check":
      return `is v${command.version} current?`;
    case "show":
      return `show ${textOf(command.post)}`;
    case "place":
      return `place ${textOfBlocks(command.content).replaceAll("\n", " | ")}`;
    case "say":
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
      return `told of v${command.post.version}`;
    default:
      return null;
  }
}

/** A line is a block, and its first word the block's name, when it ends with a colon. */
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
  const parts = [method, key.replace("visit:", "#"), version, blocksToText(writing.content), !isSaving(intent) && status && `as ${status}`];
  return [...parts, id !== null && tags && `tagged ${tags.join()}`].filter(Boolean).join(" ");
}

type Act = (visit: Visit) => void;
const tell =
  (event: Event): Act =>
  (visit) =>
    visit.tell(event);
const types =
  (text: string): Act =>
  (visit) => {
    visit.text = text;
    visit.tell({ type: "changed" });
  };
const asks = (wish: Intent["kind"] | Intent): Act => {
  const intent = (typeof wish === "string" ? { kind: wish } : wish) as Intent;
  return (visit) => visit.tell({ type: "write", id: visit.nextJob(), intent });
};
const overwrites: Act = (visit) => visit.tell({ type: "overwrite", id: visit.nextJob() });
const cancels = tell({ type: "cancel-conflict" });
const savesAsNew: Act = (visit) => visit.tell({ type: "save-as-new", id: visit.nextJob() });
const answers = (fields: Partial<Post> = {}) => tell({ type: "answered", post: fullPost(fields) });
const fails = (error: ApiError) => tell({ type: "failed", error });
const refuses = (code: ErrorCode, fields?: Record<string, string>) => {
  const { status, sentence } = errorCatalogue[code];
  return fails(new ApiError(status, code, sentence, { fields }));
};
const cutOff = fails(new ApiError(0, "network", "We cannot reach the server."));
const finds =
  (fields: Partial<Post> = {}): Act =>
  (visit) =>
    visit.tell({ type: "found", post: fullPost(fields), now: visit.now });
const hears = ({ id = ids.post, version = 1 }: Partial<Post>) => tell({ type: "heard", postId: id, version });
const shows =
  (done = true): Act =>
  (visit) => {
    if (done && visit.state.phase.at === "placing") visit.text = visit.placed;
    visit.tell({ type: "shown", done });
  };
const settles =
  (blocks: Choices["blocks"] = {}, fields: Omit<Choices, "blocks"> = {}): Act =>
  (visit) =>
    visit.tell({ type: "save-merged", id: visit.nextJob(), choices: { ...fields, blocks } });
const rests = tell({ type: "autosave-due" });
const goesOn = tell({ type: "longest-due" });
const pauses = tell({ type: "pause-over" });
const comesOnline = tell({ type: "online" });
const titled = (title: string) => tell({ type: "changed", title });
const tagged = (...tags: string[]) => tell({ type: "changed", tags });
const uploads = (state: "begun" | "changed" | "over") => tell({ type: "upload", state });
const storage = (problem: "full" | null) => tell({ type: "draft-settled", problem });

const viewOf = (state: State) => ({
  ...state,
  dirty: isDirty(state),
  busy: busyWith(state),
  conflict: askedConflict(state),
  behind: isBehind(state),
  passing: isPassing(state),
  version: state.server?.version ?? null,
  status: state.server?.status ?? null,
});

interface Row {
  opened?: Post | null;
  does: Act[];
  /** All lines but those of timers and drafts, and of whom is told of a save. */
  asks?: string[];
  /** Those of timers, but for two: of the longest wait, and of the pause after which a write asks first. */
  timers?: string[];
  longest?: string[];
  pauses?: string[];
  /** Those of drafts. */
  drafts?: string[];
  leaves?: Partial<Record<keyof ReturnType<typeof viewOf> | "text", unknown>>;
}

const isPause = (line: string) => /^(no )?pause( in|$)/.test(line);
const isLongest = (line: string) => /^(no )?longest( in|$)/.test(line);
const isTimer = (line: string) => /^(no )?(autosave|draft)( in|$)/.test(line);
const isDraft = (line: string) => /^draft (?!in)/.test(line);

function rows(table: Record<string, Row>): void {
  test.each(Object.entries(table))("%s", (_, { opened = fullPost(), does, leaves, ...wanted }) => {
    const visit = new Visit(opened);
    for (const act of does) act(visit);
    const lines = {
      asks: visit.lines.filter(
        (line) => !isTimer(line) && !isPause(line) && !isLongest(line) && !isDraft(line) && !line.startsWith("told"),
      ),
      timers: visit.lines.filter(isTimer),
      longest: visit.lines.filter(isLongest),
      pauses: visit.lines.filter(isPause),
      drafts: visit.lines.filter(isDraft),
    };
    for (const kind of ["asks", "timers", "longest", "pauses", "drafts"] as const)
      if (wanted[kind]) expect(lines[kind]).toEqual(wanted[kind]);
    if (leaves) expect({ ...viewOf(visit.state), text: visit.text }).toMatchObject(leaves);
  });
}

const published = (fields: Partial<Post> = {}) => fullPost({ status: "published", ...fields });
const soon = "2026-11-20T11:00:00.000Z"; // has come
const scheduled = (fields: Partial<Post> = {}) => fullPost({ status: "scheduled", publish_at: soon, ...fields });
const live = (fields: Partial<Post> = {}) => scheduled({ status: "published", published_at: soon, version: 2, ...fields });
const said = (text: string) => ({ content_raw: JSON.stringify(blocksOf(text)) });
const lost = "The connection broke before that was done. Your text was saved as a draft.";
const support = "Please try again or contact support";

describe("a save", () => {
  rows({
    "is sent on the version it was written on, and told": {
      does: [types("One"), asks("save"), answers({ version: 2, ...said("One") })],
      asks: ["PUT #1 v1 One", "+ Saved", "done"],
      leaves: { dirty: false, version: 2, busy: null, phase: { at: "idle" } },
    },
    "goes out though nothing was changed": {
      does: [asks("save"), answers({ version: 2 })],
      asks: ["PUT #1 v1 Twice as fast.", "+ Saved", "done"],
    },
    "is under way until it is answered": {
      does: [types("One"), asks("save")],
      asks: ["PUT #1 v1 One"],
      leaves: { busy: "save", dirty: true },
    },
    "leaves what was written meanwhile unsaved": {
      does: [types("One"), asks("save"), types("One, two"), answers({ version: 2 })],
      leaves: { dirty: true, version: 2 },
      drafts: [],
    },
    "waits for the one before it, and builds on its version": {
      does: [types("One"), asks("save"), asks("publish"), answers({ version: 2 }), answers({ version: 3, status: "published" })],
      asks: ["PUT #1 v1 One", "+ Saved", "done", "PUT #2 v2 One as published", "+ Post published: Your post is now live", "done"],
    },
    "goes out though the one before it failed": {
      does: [types("One"), asks("save"), asks("publish"), refuses("forbidden"), answers({ version: 2, status: "published" })],
      asks: [
        "PUT #1 v1 One",
        `- Failed to update post: ${support}`,
        "not done",
        "PUT #2 v1 One as published",
        "+ Post published: Your post is now live",
        "done",
      ],
      leaves: { trouble: null },
    },
    "of a new post makes it": {
      opened: null,
      does: [titled("Hello"), types("One"), asks("save"), answers({ title: "Hello" })],
      asks: ["POST #1 One", "has an address", "+ Draft saved: Your post has been saved as a draft", "done"],
      leaves: { dirty: false, version: 1 },
    },
    "of a new post, then another, is one post": {
      opened: null,
      does: [titled("Hello"), types("One"), asks("save"), answers(), types("Two"), asks("save")],
      asks: ["POST #1 One", "has an address", "+ Draft saved: Your post has been saved as a draft", "done", "PUT #2 v1 Two"],
    },
    "without tags of one's own takes those of a colleague": {
      opened: fullPost({ tags: ["feature"] }),
      does: [types("One"), asks("save"), answers({ version: 3, tags: ["fix", "docs"] })],
      asks: ["PUT #1 v1 One", "+ Saved", "done"],
      leaves: { tags: ["fix", "docs"], dirty: false },
    },
    "sends tags that were changed; those chosen meanwhile stay": {
      does: [tagged("fix"), asks("save"), tagged("fix", "docs"), answers({ version: 2, tags: ["fix"] })],
      asks: ["PUT #1 v1 Twice as fast. tagged fix", "+ Saved", "done"],
      leaves: { tags: ["fix", "docs"], dirty: true },
    },
    "without a summary and a cover of one's own takes those of a colleague": {
      does: [types("One"), asks("save"), answers({ version: 2, summary: "In short.", cover_image: "none" })],
      asks: ["PUT #1 v1 One", "+ Saved", "done"],
      leaves: { summary: "In short.", cover: "none", dirty: false },
    },
    "leaves a summary that is being typed as it is typed": {
      does: [tell({ type: "changed", summary: "In short. " }), asks("save"), answers({ version: 2, summary: "In short." })],
      asks: ["PUT #1 v1 Twice as fast.", "+ Saved", "done"],
      leaves: { summary: "In short. ", dirty: false },
    },
    "is told to the rest of the page": {
      does: [asks("save"), answers({ version: 2 }), (visit) => expect(visit.lines).toContain("told of v2")],
    },
  });
});

describe("what is not sent", () => {
  const untitled = "- Title is required: Please add a title to your post";
  rows({
    "without a title": {
      opened: null,
      does: [types("One"), asks("save")],
      asks: [untitled, "not done"],
      leaves: { dirty: true, busy: null },
    },
    "with a blank title": { opened: null, does: [titled("   "), types("One"), asks("publish")], asks: [untitled, "not done"] },
    "without text": {
      opened: null,
      does: [titled("Hello"), types(""), asks("save")],
      asks: ["- Content is required: Please add some content to your post", "not done"],
    },
    "a post beyond what one can hold": {
      does: [types("x".repeat(50_001)), asks("save")],
      asks: ["- The post is too long: A block can have at most 50,000 characters", "not done"],
    },
    "a post beyond that by an autosave either; why is said beside the text": {
      does: [types("x".repeat(50_001)), rests],
      asks: [],
      leaves: { dirty: true, trouble: { reason: "refused", sentence: "A block can have at most 50,000 characters" } },
    },
    "while the editor is not there": {
      does: [(visit) => (visit.text = null), asks("save")],
      asks: ["- Unable to get editor data: Please try again", "not done"],
    },
    "an autosave while the editor is not there says nothing": { does: [types("One"), (visit) => (visit.text = null), rests], asks: [] },
    "a schedule for a published post": {
      opened: published(),
      does: [asks({ kind: "schedule", publishAt: soon })],
      asks: ["- Cannot schedule a published post: Published posts cannot be scheduled or moved back to draft status", "not done"],
    },
  });
});

describe("a failure", () => {
  rows({
    "of a save": {
      does: [asks("save"), refuses("internal")],
      asks: ["PUT #1 v1 Twice as fast.", `- Failed to update post: ${support}`, "not done"],
    },
    "of the first save": {
      opened: null,
      does: [titled("Hello"), types("One"), asks("save"), refuses("internal")],
      asks: ["POST #1 One", `- Failed to save: ${support}`, "not done"],
      leaves: { dirty: true },
    },
    "of publishing, once it is known": {
      does: [asks("publish"), refuses("internal"), rests, finds()],
      asks: ["PUT #1 v1 Twice as fast. as published", "not done", "GET", `- Failed to publish post: ${support}`],
    },
    "says which refusal it was": {
      does: [asks("save"), refuses("validation_failed", { content_raw: "The text is too long" })],
      asks: ["PUT #1 v1 Twice as fast.", "- Failed to update post: The text is too long", "not done"],
      leaves: { trouble: { reason: "refused", sentence: "The text is too long" }, unanswered: null },
    },
    "of a post too large for one request": {
      does: [types("One"), asks("save"), refuses("body_too_large")],
      asks: ["PUT #1 v1 One", `- Failed to update post: ${errorCatalogue.body_too_large.sentence}`, "not done"],
      leaves: { trouble: { reason: "refused" }, unanswered: null, dirty: true },
    },
    "of an autosave is quiet": {
      does: [types("One"), rests, refuses("internal")],
      asks: ["PUT #1 v1 One"],
      leaves: { trouble: { reason: "unanswered" } },
    },
    "because the post went live meanwhile": {
      does: [asks({ kind: "schedule", publishAt: soon }), refuses("published_post_locked")],
      asks: [
        "PUT #1 v1 Twice as fast. as scheduled",
        "- Cannot schedule a published post: Published posts cannot be scheduled or moved back to draft status",
        "not done",
      ],
      leaves: { trouble: null },
    },
    "of a member who was removed": {
      does: [asks("save"), refuses("forbidden")],
      leaves: { trouble: { reason: "forbidden" }, unanswered: null },
    },
    "of a post that is gone": { does: [asks("save"), refuses("not_found")], leaves: { trouble: { reason: "gone" }, unanswered: null } },
    "because the session has ended says nothing: that has a dialog of its own": {
      opened: published(),
      does: [types("One"), asks("save"), refuses("unauthenticated")],
      asks: ["PUT #1 v1 One", "not done"],
      leaves: { dirty: true, trouble: null, busy: null },
    },
  });
});

describe("drafts save themselves", () => {
  const [rest, keep] = [`autosave in ${autosaveRestMs}`, `draft in ${draftDelayMs}`];
  rows({
    "after a rest that begins anew with every change; the copy on the device comes at its time": {
      does: [types("One"), types("One, two"), rests],
      timers: [keep, rest, rest],
      asks: ["PUT #1 v1 One, two"],
    },
    silently: { does: [types("One"), rests, answers({ version: 2 })], asks: ["PUT #1 v1 One"], leaves: { dirty: false, busy: null } },
    "but not a published post": { opened: published(), does: [types("One"), rests], asks: [], leaves: { dirty: true } },
    "but not a scheduled post": { opened: scheduled(), does: [types("One"), rests], asks: [] },
    "a new post, too, which makes it": {
      opened: null,
      does: [titled("Hello"), types("One"), rests, answers({ title: "Hello", ...said("One") }), types("Two"), rests],
      asks: ["POST #1 One", "has an address", "PUT #2 v1 Two"],
    },
    "a new post with only a title": {
      opened: null,
      does: [titled("Hello"), types(""), rests, answers({ title: "Hello", content_raw: paragraph("") })],
      asks: ["POST #1", "has an address"],
      leaves: { dirty: false },
    },
    "a new post without a title": {
      opened: null,
      does: [types("One"), rests, answers({ title: "" })],
      asks: ["POST #1 One", "has an address"],
    },
    "but not a new post in which nothing stands any more: it is not made": {
      opened: null,
      does: [titled("H"), titled(""), types(""), rests],
      asks: [],
      drafts: ["draft cleared"],
      leaves: { dirty: false, server: null },
    },
    "a draft that was emptied": { does: [titled(""), types(""), rests, answers({ title: "", version: 2 })], asks: ["PUT #1 v1"] },
    "and the first save by hand of a new one still says so": {
      opened: null,
      does: [
        titled("Hello"),
        types("One"),
        rests,
        answers({ title: "Hello" }),
        asks("save"),
        answers({ version: 2 }),
        asks("save"),
        answers(),
      ],
      asks: [
        ...["POST #1 One", "has an address", "PUT #2 v1 One", "+ Draft saved: Your post has been saved as a draft", "done"],
        ...["PUT #3 v2 One", "+ Saved", "done"],
      ],
    },
    "after fifteen seconds all the same when somebody goes on writing": {
      does: [types("One"), types("One, two"), goesOn, answers({ version: 2 }), types("One, two, three")],
      asks: ["PUT #1 v1 One, two"],
      longest: [`longest in ${autosaveLongestMs}`, `longest in ${autosaveLongestMs}`],
    },
    "with no such limit where nothing saves itself": { opened: published(), does: [types("One")], longest: [] },
    "once for both times that come due": { does: [types("One"), goesOn, rests, answers({ version: 2 })], asks: ["PUT #1 v1 One"] },
    "at once when the page is hidden": {
      does: [types("One"), tell({ type: "hidden" })],
      asks: ["PUT #1 v1 One"],
      drafts: ["draft kept"],
    },
    "when the page is hidden only where something is unsaved": { does: [tell({ type: "hidden" })], asks: [] },
    "and what only saved itself is saved by hand as well": {
      does: [types("One"), rests, asks("save"), answers({ version: 2 }), answers({ version: 2 })],
      asks: ["PUT #1 v1 One", "PUT #2 v2 One", "+ Saved", "done"],
    },
    "by hand after an autosave that got no answer": {
      does: [types("One"), rests, cutOff, asks("save"), answers({ version: 2 }), answers({ version: 2 })],
      asks: ["PUT #1 v1 One", "PUT #1 v1 One", "PUT #2 v2 One", "+ Saved", "done"],
    },
    "quietly, also when it fails once or twice": {
      does: [types("One"), rests, cutOff, rests, cutOff],
      leaves: { passing: true, trouble: { reason: "unanswered" } },
    },
    "not quietly when that lasts": {
      does: [types("One"), ...Array.from({ length: 3 }, () => [rests, cutOff]).flat()],
      leaves: { passing: false },
    },
    "not quietly when the person had asked": { does: [types("One"), asks("save"), cutOff], leaves: { passing: false } },
    "as a new post whose making got no answer is not made twice": {
      opened: null,
      does: [titled("Hello"), types("One"), rests, cutOff, types("One, two"), rests, answers({ title: "Hello" })],
      asks: ["POST #1 One", "POST #1 One, two", "has an address"],
      leaves: { dirty: false },
    },
    "when the person leaves, images and all": {
      does: [(visit) => (visit.uploadsHeld = true), types("One"), asks("autosave"), tell({ type: "settled" }), answers({ version: 2 })],
      asks: ["PUT #1 v1 One", "done"],
    },
    "not any more for whoever may only read now": {
      does: [types("One"), rests, refuses("forbidden"), types("One, two")],
      asks: ["PUT #1 v1 One"],
      leaves: { trouble: { reason: "forbidden" }, dirty: true },
    },
    "not when a colleague published it: that is asked about": {
      does: [types("One"), rests, refuses("version_conflict"), finds({ ...published(), version: 2 })],
      asks: ["PUT #1 v1 One", "GET"],
      leaves: { conflict: { theirs: { status: "published" } } },
    },
    "only when there is something": { does: [rests], asks: [] },
    "behind a save that is under way": {
      does: [types("One"), asks("save"), types("Two"), rests, answers({ version: 2 })],
      asks: ["PUT #1 v1 One", "+ Saved", "done", "PUT #2 v2 Two"],
      leaves: { busy: "autosave" },
    },
    "but not when the person has published it meanwhile": {
      does: [types("One"), asks("publish"), types("Two"), rests, answers({ version: 2, status: "published" })],
      asks: ["PUT #1 v1 One as published", "+ Post published: Your post is now live", "done"],
      leaves: { dirty: true },
    },
    "again after a failure, ever more rarely, a minute apart at most": {
      does: [types("One"), ...Array.from({ length: 6 }, () => [rests, refuses("internal")]).flat()],
      timers: [keep, ...[2, 2, 4, 8, 16, 32, 60].map((seconds) => `autosave in ${seconds * 1000}`)],
    },
    "at the usual pace again after a success": {
      does: [types("One"), rests, cutOff, rests, answers({ version: 2 }), types("Two")],
      timers: [keep, rest, rest, "no draft", keep, rest],
    },
    "rests longer while a failure lasts, also after a change": {
      does: [types("One"), rests, cutOff, types("Two")],
      timers: [keep, rest, rest, "autosave in 4000"],
    },
    "a refusal is not tried again by itself": { does: [types("One"), rests, refuses("forbidden")], timers: [keep, rest] },
    "at once when the connection is back, and once": {
      does: [types("One"), rests, cutOff, comesOnline, answers({ version: 2 }), comesOnline],
      asks: ["PUT #1 v1 One", "PUT #1 v1 One"],
      leaves: { dirty: false, trouble: null },
    },
    "after the session has ended, when the person is back": {
      does: [types("One"), rests, refuses("unauthenticated"), rests, answers({ version: 2 })],
      asks: ["PUT #1 v1 One", "PUT #2 v1 One"],
      timers: [keep, rest, rest, "no draft"],
      leaves: { trouble: null, dirty: false },
    },
    "soon when the device keeps no copy, also while the person goes on typing": {
      does: [storage("full"), types("One"), types("One, two"), types("One, two, three"), rests],
      timers: [keep, "autosave in 500"],
      asks: ["PUT #1 v1 One, two, three"],
    },
    "sooner when the device turns out to keep none": { does: [types("One"), storage("full")], timers: [keep, rest, "autosave in 500"] },
    "not in haste while the server does not answer": {
      does: [storage("full"), types("One"), rests, cutOff, types("Two")],
      timers: [keep, "autosave in 500", "autosave in 2000", "autosave in 4000"],
    },
    "not any more when the editor has gone": {
      does: [types("One"), asks("save"), tell({ type: "left" }), cutOff, types("Two")],
      timers: [keep, rest, "no autosave", "no draft"],
      leaves: { trouble: { reason: "unanswered" } },
    },
  });
});

describe("a copy on this device", () => {
  const keeps = tell({ type: "keep-draft" });
  rows({
    "is made soon after the first change, and again after the next": {
      does: [types("One"), types("Two"), keeps, types("Three")],
      timers: ["draft in 500", "autosave in 2000", "autosave in 2000", "no draft", "draft in 500", "autosave in 2000"],
      drafts: ["draft kept"],
    },
    "is taken away when the server has everything": {
      does: [types("One"), keeps, asks("save"), answers()],
      drafts: ["draft kept", "draft cleared"],
    },
    "that is still to come is not made any more then": {
      does: [types("One"), asks("save"), answers()],
      timers: ["draft in 500", "autosave in 2000", "no draft"],
      drafts: ["draft cleared"],
    },
    "stays when the save failed": { does: [types("One"), keeps, asks("save"), cutOff], drafts: ["draft kept"] },
    "stays when something was written meanwhile": {
      does: [types("One"), keeps, asks("save"), types("Two"), answers()],
      drafts: ["draft kept"],
    },
    "is made when the editor goes": { does: [types("One"), tell({ type: "left" })], drafts: ["draft kept"] },
    "stays of what was left on purpose during a save": {
      does: [types("One"), asks("save"), types("Two"), keeps, tell({ type: "let-go" }), answers({ version: 2 })],
      drafts: ["draft kept"],
      leaves: { dirty: false },
    },
    "of an earlier visit is offered until it is forgotten": {
      does: [
        tell({ type: "drafts-found", drafts: [] }),
        tell({ type: "draft-forgotten", sessionId: "earlier" }),
        tell({ type: "draft-settled", problem: "full" }),
      ],
      drafts: ["draft earlier deleted"],
      leaves: { offered: [], draftProblem: "full" },
    },
  });
});

describe("leaving", () => {
  rows({
    "on purpose asks no more, until something is written again": {
      does: [types("One"), tell({ type: "let-go" }), (visit) => expect(isDirty(visit.state)).toBe(false), types("Two")],
      leaves: { dirty: true },
    },
    "does not stop a save under way": {
      does: [types("One"), asks("save"), tell({ type: "left" }), answers({ version: 2 })],
      asks: ["PUT #1 v1 One", "+ Saved", "done"],
      leaves: { version: 2 },
    },
    "and coming back (the same visit) goes on": {
      does: [types("One"), tell({ type: "left" }), tell({ type: "entered" }), types("Two")],
      timers: ["draft in 500", "autosave in 2000", "no autosave", "no draft", "draft in 500", "autosave in 2000"],
    },
  });
});

describe("an image on its way", () => {
  const holds: Act = (visit) => (visit.uploadsHeld = true);
  rows({
    "is unsaved, and is waited for when the person publishes": {
      does: [holds, uploads("begun"), asks("publish")],
      asks: [],
      leaves: { dirty: true, uploads: 1, busy: "publish", phase: { at: "settling" } },
    },
    "is in the text that is sent then": {
      does: [
        holds,
        uploads("begun"),
        asks("publish"),
        (visit) => (visit.text = "With an image"),
        uploads("changed"),
        tell({ type: "settled" }),
      ],
      asks: ["PUT #1 v1 With an image as published"],
      leaves: { uploads: 0 },
    },
    "does not hold back the text around it; that alone is not everything": {
      does: [uploads("begun"), types("One"), rests, answers({ version: 2 })],
      asks: ["PUT #1 v1 One"],
      drafts: [],
      leaves: { dirty: true },
    },
    "that never arrives leaves nothing unsaved, here or on the device": {
      does: [uploads("begun"), types("One"), rests, answers({ version: 2 }), uploads("over")],
      drafts: ["draft cleared"],
      leaves: { dirty: false },
    },
  });
});

describe("a save that got no answer", () => {
  rows({
    "is repeated as it was, by its key, before the next one": {
      opened: published(),
      does: [types("One"), asks("save"), cutOff, types("One, two"), asks("save"), answers({ version: 2 }), answers({ version: 3 })],
      asks: ["PUT #1 v1 One", `- Failed to update post: ${support}`, "not done", "PUT #1 v1 One", "PUT #2 v2 One, two", "+ Saved", "done"],
      leaves: { trouble: null, dirty: false, unanswered: null },
    },
    "is enough when nothing was written since": {
      opened: published(),
      does: [types("One"), asks("save"), cutOff, asks("save"), answers({ version: 2 })],
      asks: ["PUT #1 v1 One", `- Failed to update post: ${support}`, "not done", "PUT #1 v1 One", "+ Saved", "done"],
    },
    "of a published post is repeated by itself, and said": {
      opened: published(),
      does: [types("One"), asks("save"), cutOff, rests, answers({ version: 2 })],
      asks: ["PUT #1 v1 One", `- Failed to update post: ${support}`, "not done", "PUT #1 v1 One", "+ Saved"],
      leaves: { trouble: null, dirty: false },
    },
    "is not repeated by itself any more when another write was faster": {
      opened: published(),
      does: [types("One"), asks("save"), cutOff, asks("save"), rests, answers({ version: 2 })],
      asks: ["PUT #1 v1 One", `- Failed to update post: ${support}`, "not done", "PUT #1 v1 One", "+ Saved", "done"],
    },
    "though the connection came back while it was under way is repeated at once": {
      opened: published(),
      does: [types("One"), asks("save"), comesOnline, cutOff, answers({ version: 2 })],
      asks: ["PUT #1 v1 One", `- Failed to update post: ${support}`, "not done", "PUT #1 v1 One", "+ Saved"],
    },
    "and turns out to be stale is refused, and the next one asks": {
      opened: published(),
      does: [types("One"), asks("save"), cutOff, rests, refuses("version_conflict"), asks("save"), refuses("version_conflict")],
      asks: ["PUT #1 v1 One", `- Failed to update post: ${support}`, "not done", "PUT #1 v1 One", "PUT #2 v1 One", "GET"],
    },
    "is done before a publication that was asked for afterwards": {
      does: [types("One"), asks("save"), cutOff, asks("publish"), answers({ version: 2 }), answers({ version: 3, status: "published" })],
      asks: [
        "PUT #1 v1 One",
        `- Failed to update post: ${support}`,
        "not done",
        "PUT #1 v1 One",
        "PUT #2 v2 One as published",
        "+ Post published: Your post is now live",
        "done",
      ],
    },
    "of a new post is not made twice": {
      opened: null,
      does: [titled("New"), types("One"), asks("save"), cutOff, asks("save"), answers({ title: "New" })],
      asks: [
        "POST #1 One",
        `- Failed to save: ${support}`,
        "not done",
        "POST #1 One",
        "has an address",
        "+ Draft saved: Your post has been saved as a draft",
        "done",
      ],
      leaves: { dirty: false },
    },
    "because of an answer that is none (nonsense with status 200)": {
      does: [asks("save"), fails(new ApiError(200, "internal", "Broken"))],
      leaves: { trouble: { reason: "unanswered" }, unanswered: { key: "visit:1" } },
    },
  });
  test.each([
    ["408 not all of it came", refuses("request_timeout")],
    ["429 too many requests", refuses("rate_limited")],
    ["503 unavailable", refuses("unavailable")],
    ["500 internal", refuses("internal")],
    ["no connection", cutOff],
  ])("%s is no answer: the same write, with the same key, after a rest", (_, failure) => {
    const visit = new Visit(published());
    for (const act of [types("One"), asks("save"), failure, rests]) act(visit);
    expect(visit.lines.filter((line) => line.startsWith("PUT"))).toEqual(["PUT #1 v1 One", "PUT #1 v1 One"]);
    expect(viewOf(visit.state)).toMatchObject({ trouble: { reason: "unanswered" }, busy: "save" });
  });
});

describe("what is written goes on to the server", () => {
  const signedOut = refuses("unauthenticated");
  rows({
    "where an unanswered save of a draft turns out to be stale: both are merged": {
      opened: fullPost(said("one: One\ntwo: Two")),
      does: [
        ...[types("one: Mine\ntwo: Two"), rests, cutOff, rests, refuses("version_conflict")],
        ...[finds({ version: 2, updated_by_name: "Ana", ...said("one: One\ntwo: Theirs") }), shows()],
        answers({ version: 3, ...said("one: Mine\ntwo: Theirs") }),
      ],
      asks: [
        ...["PUT #1 v1 one: Mine two: Two", "PUT #1 v1 one: Mine two: Two", "GET", "place one: Mine | two: Theirs"],
        ...["PUT #3 v2 one: Mine two: Theirs", "+ Merged with Ana's changes"],
      ],
      leaves: { trouble: null, unanswered: null, dirty: false, version: 3 },
    },
    "where the answer to the making of a post was lost, and more was typed": {
      opened: null,
      does: [
        ...[titled("New"), types("One"), asks("save"), types("One, two"), cutOff, rests],
        ...[refuses("validation_failed", { idempotency_key: "This key was already used for another request" }), answers(said("One"))],
      ],
      leaves: { dirty: true, running: { autosave: true } },
    },
    "where more was typed while a post was made, and its rest was over before the answer": {
      opened: null,
      does: [titled("New"), types("One"), asks("save"), types("One, two"), rests, goesOn, answers(said("One"))],
      leaves: { dirty: true, running: { autosave: true } },
    },
    "where the editor had not come when its time had": {
      does: [(visit) => (visit.text = null), titled("New"), rests],
      leaves: { dirty: true, trouble: null, running: { autosave: true } },
    },
    "under its own key after a session has ended amid its repetition": {
      does: [types("One"), rests, cutOff, rests, signedOut, rests, answers({ version: 2, ...said("One") })],
      asks: ["PUT #1 v1 One", "PUT #1 v1 One", "PUT #1 v1 One"],
      leaves: { dirty: false, trouble: null, version: 2 },
    },
    "on the version that a draft was written on, though a lost publication was looked for first": {
      opened: fullPost({ version: 3, ...said("one: One\ntwo: By Ana") }),
      does: [
        ...[asks("publish"), cutOff, types("one: Back\ntwo: Two")],
        tell({ type: "rebased", base: fullPost({ version: 2, ...said("one: One\ntwo: Two") }) }),
        ...[asks("save"), finds({ version: 3, ...said("one: One\ntwo: By Ana") })],
      ],
      leaves: { version: 2, phase: { at: "sending", attempt: { request: { body: { version: 2 } } } } },
    },
    "and though an unanswered save turns out to be stale": {
      opened: fullPost({ version: 3, ...said("one: One\ntwo: By Ana") }),
      does: [
        ...[types("one: Mine\ntwo: By Ana"), rests, cutOff, types("one: Back\ntwo: Two")],
        tell({ type: "rebased", base: fullPost({ version: 2, ...said("one: One\ntwo: Two") }) }),
        ...[rests, refuses("version_conflict"), finds({ version: 4, updated_by_name: "Ana", ...said("one: One\ntwo: By Ana") }), shows()],
      ],
      leaves: { text: "one: Back\ntwo: By Ana", version: 4 },
    },
    "as a new post where the one that a draft was brought back into is gone": {
      does: [
        ...[asks("publish"), cutOff, types("Back"), tell({ type: "rebased", base: fullPost({ version: 1 }) }), rests],
        ...[refuses("not_found"), savesAsNew, answers({ id: "55555555-5555-4555-8555-555555555555", ...said("Back") })],
      ],
      leaves: { server: { id: "55555555-5555-4555-8555-555555555555" }, rebased: null, dirty: false },
    },
    "of a published post also where the session has ended meanwhile": {
      opened: published(),
      does: [types("One"), asks("save"), cutOff, rests, signedOut],
      leaves: { trouble: { reason: "unanswered" }, unanswered: { key: "visit:1" }, running: { autosave: true } },
    },
    "on the version that it was written on, where a draft is brought back while another save is under way": {
      opened: fullPost({ version: 3, ...said("one: One\ntwo: By Ana") }),
      does: [
        ...[
          types("one: Mine\ntwo: By Ana"),
          rests,
          (visit: Visit) => (visit.text = "one: One\ntwo: Brought back"),
          tell({ type: "changed" }),
        ],
        tell({ type: "rebased", base: fullPost({ version: 1, ...said("one: One\ntwo: Two") }) }),
        answers({ version: 4, ...said("one: Mine\ntwo: By Ana") }),
      ],
      leaves: { version: 1, heard: 4, rebased: null },
    },
  });
});

describe("a publication that got no answer", () => {
  const open = ["not done"]; // nothing is said before it is known
  rows({
    "is not known to be done or not": {
      does: [types("One"), asks("publish"), cutOff],
      leaves: { trouble: { reason: "unknown" }, dirty: true, unanswered: { key: "visit:1" } },
    },
    "is looked for, never sent again by itself": {
      opened: fullPost({ status: "scheduled", publish_at: "2999-01-01T00:00:00Z" }),
      does: [types("One"), asks("publish"), cutOff, comesOnline, finds({ ...published(), ...said("One"), version: 2 })],
      asks: ["PUT #1 v1 One as published", ...open, "GET", "+ Post published: Your post is now live"],
      leaves: { status: "published", version: 2, trouble: null, dirty: false },
    },
    "and was not done is said; the person may ask again": {
      opened: fullPost({ status: "scheduled", publish_at: "2999-01-01T00:00:00Z" }),
      does: [types("One"), asks("publish"), cutOff, comesOnline, finds()],
      asks: ["PUT #1 v1 One as published", ...open, "GET", `- Failed to publish post: ${support}`],
      leaves: { trouble: null, unanswered: null, dirty: true, version: 1 },
    },
    "stays unknown while looking gets no answer either": {
      opened: scheduled({ publish_at: "2999-01-01T00:00:00Z" }),
      does: [types("One"), asks("publish"), cutOff, comesOnline, cutOff],
      asks: ["PUT #1 v1 One as published", ...open, "GET"],
      leaves: { trouble: { reason: "unknown" }, unanswered: { key: "visit:1" } },
    },
    "is no conflict with oneself": {
      does: [types("One"), asks("publish"), cutOff, rests, finds({ ...published(), ...said("One"), version: 2 }), asks("save")],
      asks: ["PUT #1 v1 One as published", ...open, "GET", "+ Post published: Your post is now live", "PUT #2 v2 One"],
      leaves: { conflict: null },
    },
    "by a draft that was written on: readers see no draft of it": {
      does: [types("One"), asks("publish"), cutOff, types("Two"), rests, finds({ ...published(), ...said("One"), version: 2 })],
      asks: ["PUT #1 v1 One as published", ...open, "GET", "+ Post published: Your post is now live"],
      leaves: { trouble: null, conflict: null, dirty: true, status: "published" },
    },
    "and was not done is said, too, where the draft goes on to save itself": {
      does: [types("One"), asks("publish"), cutOff, types("Two"), rests, finds(), answers({ version: 2, ...said("Two") })],
      asks: ["PUT #1 v1 One as published", ...open, "GET", `- Failed to publish post: ${support}`, "PUT #2 v1 Two"],
      leaves: { trouble: null, dirty: false, status: "draft" },
    },
    "of a time: another one that a colleague chose is not ours": {
      does: [
        ...[types("One"), asks({ kind: "schedule", publishAt: "2999-01-05T09:00:00.000Z" }), cutOff, comesOnline],
        finds({ status: "scheduled", publish_at: "2999-02-02T09:00:00.000Z", version: 2, ...said("One") }),
      ],
      leaves: { version: 1, dirty: true, unanswered: null },
    },
    "of a time that has come since: it was done": {
      does: [
        ...[types("One"), asks({ kind: "schedule", publishAt: "2999-01-05T09:00:00.000Z" }), cutOff, comesOnline],
        finds({ status: "published", publish_at: "2999-01-05T09:00:00Z", version: 2, ...said("One") }),
      ],
      leaves: { version: 2, dirty: false, status: "published", trouble: null },
    },
    "that overwrote a colleague's version is found behind it": {
      does: [
        ...[
          types("Mine"),
          asks("publish"),
          refuses("version_conflict"),
          finds({ version: 2, ...said("Theirs") }),
          overwrites,
          cutOff,
          rests,
        ],
        finds({ ...published(), version: 3, ...said("Mine") }),
      ],
      leaves: { version: 3, status: "published", conflict: null, dirty: false, trouble: null },
    },
    "leaves what was found in its place to be followed": {
      does: [
        types("One"),
        asks("publish"),
        cutOff,
        (visit: Visit) => visit.tell({ type: "let-go" }),
        comesOnline,
        finds({ version: 3, ...said("Theirs") }),
      ],
      leaves: { heard: 3, phase: { at: "following" } },
    },
    "is still looked for once the session is there again": {
      does: [types("One"), asks("publish"), cutOff, rests, refuses("unauthenticated")],
      leaves: { trouble: { reason: "unanswered" }, unanswered: { key: "visit:1" }, running: { autosave: true } },
    },
    "is said to be done where a colleague has saved it since": {
      does: [types("One"), asks("publish"), cutOff, comesOnline, finds({ ...published(), ...said("One more"), version: 3 })],
      asks: ["PUT #1 v1 One as published", ...open, "GET", "+ Post published: Your post is now live", "PUT #2 v1 One"],
    },
    "and met somebody's newer version is not said to be done": {
      does: [
        ...[types("One"), asks("publish"), cutOff, rests, finds({ ...published(), ...said("Theirs"), version: 2 })],
        ...[refuses("version_conflict"), finds({ ...published(), ...said("Theirs"), version: 2 })],
      ],
      asks: ["PUT #1 v1 One as published", ...open, "GET", `- Failed to publish post: ${support}`, "PUT #2 v1 One", "GET"],
      leaves: { version: 1, status: "draft", dirty: true, conflict: { intent: { kind: "autosave" } } },
    },
    "is not repeated behind the back of another wish": {
      does: [types("One"), asks("publish"), cutOff, asks("save"), finds(), answers({ version: 2 })],
      asks: ["PUT #1 v1 One as published", ...open, "GET", `- Failed to publish post: ${support}`, "PUT #2 v1 One", "+ Saved", "done"],
    },
    "is repeated by its key when the person asks for it again": {
      does: [types("One"), asks("publish"), cutOff, asks("publish"), answers({ version: 2, status: "published" })],
      asks: ["PUT #1 v1 One as published", ...open, "PUT #1 v1 One as published", "+ Post published: Your post is now live", "done"],
    },
  });
});

describe("a new post whose publication got no answer", () => {
  const keyTaken = refuses("validation_failed", { idempotency_key: "This key was already used for another request" });
  const unanswered = [titled("New"), types("One"), asks("publish"), cutOff, types("One, two")];
  const before = ["POST #1 One as published", "not done"];
  rows({
    "is not published by itself: what stands there now is kept as a draft, and that is said": {
      opened: null,
      does: [...unanswered, comesOnline, answers({ title: "New", ...said("One, two") })],
      asks: [...before, "POST #1 One, two", "has an address", `- Failed to publish post: ${lost}`],
      leaves: { dirty: false, trouble: null, status: "draft" },
    },
    "is not published, and that is said, also where the first word of it gets no answer either": {
      opened: null,
      does: [...unanswered, comesOnline, cutOff, comesOnline, answers({ title: "New", ...said("One, two") })],
      asks: [...before, "POST #1 One, two", "POST #1 One, two", "has an address", `- Failed to publish post: ${lost}`],
      leaves: { dirty: false, trouble: null, status: "draft" },
    },
    "is not published, and that is said, where only what saved itself before had arrived": {
      opened: null,
      does: [
        ...[titled("New"), types("One"), rests, cutOff, asks("publish"), cutOff, comesOnline, keyTaken, keyTaken],
        answers({ title: "New", ...said("One") }),
      ],
      leaves: { status: "draft", trouble: null },
      asks: [
        ...["POST #1 One", "POST #1 One as published", "not done", "POST #1 One", "POST #1 One as published"],
        ...["POST #1 One", "has an address", `- Failed to publish post: ${lost}`],
      ],
    },
    "stays unknown until then": {
      opened: null,
      does: [...unanswered, comesOnline, cutOff, comesOnline, cutOff],
      leaves: { trouble: { reason: "unknown" }, unanswered: { key: "visit:1" } },
    },
    "is not published, and that is said, where the draft saves itself first": {
      opened: null,
      does: [...unanswered, rests, cutOff, rests, answers({ title: "New", ...said("One, two") })],
      asks: [...before, "POST #1 One, two", "POST #1 One, two", "has an address", `- Failed to publish post: ${lost}`],
      leaves: { dirty: false, trouble: null, status: "draft" },
    },
    "is found when it had arrived; what was written since waits for the person": {
      opened: null,
      does: [...unanswered, comesOnline, keyTaken, answers({ ...published({ title: "New" }), ...said("One") })],
      asks: [...before, "POST #1 One, two", "POST #1 One as published", "has an address", "+ Post published: Your post is now live"],
      leaves: { dirty: true, trouble: null, status: "published" },
    },
    "is kept as it went out when what stands there now cannot be saved": {
      opened: null,
      does: [...unanswered, titled(""), comesOnline, answers({ title: "New" })],
      asks: [...before, "POST #1 One", "has an address", `- Failed to publish post: ${lost}`],
      leaves: { dirty: true },
    },
    "is kept as it went out when the editor has gone": {
      opened: null,
      does: [...unanswered, (visit) => (visit.text = null), comesOnline],
      asks: [...before, "POST #1 One"],
    },
    "is saved with what stands there when the person saves; that it is not published is said, too": {
      opened: null,
      does: [...unanswered, asks("save"), cutOff, titled("Newer"), asks("save"), answers({ title: "Newer" })],
      asks: [
        ...[...before, "POST #1 One, two", `- Failed to save: ${support}`, "not done", "POST #1 One, two", "has an address"],
        ...[`- Failed to publish post: ${lost}`, "+ Draft saved: Your post has been saved as a draft", "done"],
      ],
      leaves: { dirty: false, status: "draft" },
    },
    "is published with the newest words when the person asks for it again": {
      opened: null,
      does: [...unanswered, asks("publish"), answers({ ...published({ title: "New" }), ...said("One, two") })],
      asks: [...before, "POST #1 One, two as published", "has an address", "+ Post published: Your post is now live", "done"],
      leaves: { dirty: false, status: "published" },
    },
    "is found behind whatever was tried since": {
      opened: null,
      does: [
        ...[...unanswered, asks("save"), cutOff, asks("save"), keyTaken, keyTaken],
        ...[answers({ ...published({ title: "New", tags: [] }), ...said("One") }), answers({ ...published({ title: "New" }), version: 2 })],
      ],
      asks: [
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
      leaves: { dirty: false, status: "published", version: 2 },
    },
    "stays unknown when what was put in its place is refused": {
      opened: null,
      does: [...unanswered, asks("save"), refuses("forbidden")],
      leaves: { unanswered: { intent: { kind: "publish" }, key: "visit:1" }, trouble: { reason: "forbidden" } },
    },
    "said to be scheduled": {
      opened: null,
      does: [titled("New"), types("One"), asks({ kind: "schedule", publishAt: soon }), cutOff, comesOnline, answers({ title: "New" })],
      asks: [...["POST #1 One as scheduled", "not done", "POST #1 One", "has an address"], `- The post was not scheduled: ${lost}`],
    },
  });
});

describe("a conflict", () => {
  const theirs = { version: 2, updated_at: "2026-11-20T11:55:00Z", ...said("Theirs") };
  const stale = fails(
    new ApiError(409, "version_conflict", "Post updated elsewhere", {
      conflict: { version: 2, updated_at: "2026-11-20T11:55:00Z", updated_by_name: "Grace Hopper" },
    }),
  );
  const met = [types("Mine"), asks("save"), stale, finds(theirs)];
  const before = ["PUT #1 v1 Mine", "GET", "not done"];
  rows({
    "asks, with base, mine and theirs at hand": {
      does: met,
      asks: before,
      leaves: {
        conflict: {
          ...{ intent: { kind: "save" }, archived: false, updatedAt: "2026-11-20T11:55:00Z", updatedByName: "Grace Hopper" },
          ...{ mine: { content: { blocks: [{ data: { text: "Mine" } }] } }, theirs: { version: 2, ...said("Theirs") } },
        },
        server: { version: 1 },
        ...{ dirty: true, busy: null, trouble: null, unanswered: null },
      },
    },
    "asks also when the newer version cannot be read": {
      does: [types("Mine"), asks("save"), stale, cutOff],
      leaves: { conflict: { theirs: null, archived: false, updatedByName: "Grace Hopper" }, trouble: null },
    },
    "lets nothing else out before it is answered": {
      does: [...met, asks("save"), asks("publish"), types("More"), rests, comesOnline, hears({ ...live(), version: 3 })],
      asks: [...before, "not done", "not done"],
    },
    "drops what was waiting behind it": {
      does: [types("Mine"), asks("save"), asks("publish"), rests, stale, finds(theirs)],
      asks: [...before, "not done"],
      leaves: { queue: [] },
    },
    "met by an autosave asks as well": {
      does: [types("Mine"), rests, stale, finds(theirs)],
      leaves: { conflict: { intent: { kind: "autosave" } } },
    },
    "overwritten leaves the version out": {
      does: [...met, overwrites, answers({ version: 3 })],
      asks: [...before, "PUT #2 over Mine", "+ Saved", "done"],
      leaves: { conflict: null, dirty: false, version: 3, phase: { at: "idle" } },
    },
    "overwritten takes what stands on the screen by then, and is open until it is done": {
      does: [...met, types("Newer"), overwrites, asks("save")],
      asks: [...before, "PUT #2 over Newer", "not done"],
      leaves: { busy: "save", conflict: { updatedByName: "Grace Hopper" } },
    },
    "cannot be cancelled or overwritten again while it is being overwritten": {
      does: [...met, overwrites, cancels, overwrites],
      asks: [...before, "PUT #2 over Mine", "not done"],
      leaves: { busy: "save", conflict: { archived: false } },
    },
    "of a schedule that is overwritten schedules": {
      does: [asks({ kind: "schedule", publishAt: soon }), stale, finds(theirs), overwrites, answers({ ...scheduled(), version: 3 })],
      asks: [
        ...["PUT #1 v1 Twice as fast. as scheduled", "GET", "not done", "PUT #2 over Twice as fast. as scheduled"],
        ...["+ Post scheduled: Your post has been scheduled for publication", "done"],
      ],
      leaves: { conflict: null, status: "scheduled" },
    },
    "of an autosave that is overwritten says so": {
      does: [types("Mine"), rests, stale, finds(theirs), overwrites, answers({ version: 3 })],
      asks: ["PUT #1 v1 Mine", "GET", "PUT #2 over Mine", "+ Saved", "done"],
    },
    "overwritten leaves tags out that only a colleague changed": {
      does: [...met.slice(0, 3), finds({ ...theirs, tags: ["fix"] }), overwrites, answers({ version: 3, tags: ["fix"] })],
      asks: ["PUT #1 v1 Mine", "GET", "not done", "PUT #2 over Mine", "+ Saved", "done"],
      leaves: { tags: ["fix"] },
    },
    "whose overwriting is refused closes with the server's sentence": {
      does: [...met, overwrites, refuses("forbidden")],
      asks: [...before, "PUT #2 over Mine", `- ${errorCatalogue.forbidden.sentence}`, "not done"],
      leaves: { conflict: null, trouble: { reason: "forbidden" }, dirty: true },
    },
    "whose overwriting gets no answer closes with a sentence of ours, and is repeated by its key": {
      does: [...met, overwrites, cutOff, rests, answers({ version: 3 })],
      asks: [...before, "PUT #2 over Mine", "- Failed to save your changes.", "not done", "PUT #2 over Mine"],
      leaves: { conflict: null, dirty: false },
    },
    "whose overwriting finds no editor closes, too": {
      does: [...met, (visit) => (visit.text = null), overwrites],
      asks: [...before, "- Failed to save your changes.", "not done"],
      leaves: { conflict: null },
    },
    "cancelled goes on writing; nothing goes out by itself, the next save asks again": {
      does: [...met, cancels, types("Mine, too"), rests, asks("save"), stale, finds(theirs)],
      asks: [...before, "PUT #2 v1 Mine, too", "GET", "not done"],
      leaves: { declined: true, conflict: { mine: { changes: 2 } } },
    },
    "cancelled, then saved: drafts save themselves again": {
      does: [...met, cancels, asks("save"), answers({ version: 3 }), types("More"), rests],
      asks: [...before, "PUT #2 v1 Mine", "+ Saved", "done", "PUT #3 v3 More"],
    },
    "over a post that a colleague archived restores it with one's text": {
      does: [types("Mine"), asks("save"), stale, finds({ version: 2, status: "archived" }), overwrites, answers({ version: 3 })],
      asks: [...before, "PUT #2 over Mine as draft", "+ Post restored: Post has been returned to draft status", "done"],
      leaves: { conflict: null, dirty: false, trouble: null },
    },
    "that is decided is shown, and saved on the newer version": {
      does: [...met, settles({ body: "theirs" }), shows(), answers({ version: 3 })],
      asks: [...before, "place Theirs", "PUT #2 v2 Theirs", "+ Saved: Merged with Grace Hopper's changes", "done"],
      leaves: { conflict: null, newer: null, version: 3 },
    },
    "cannot be answered when there is none": { does: [overwrites, cancels], asks: ["not done"], leaves: { declined: false } },
  });
});

describe("merging", () => {
  const opened = fullPost(said("one: One\ntwo: Two"));
  const mine = "one: One by me\ntwo: Two";
  const theirs = (fields: Partial<Post> = {}) => ({ version: 2, updated_by_name: "Ana", ...said("one: One\ntwo: Two by Ana"), ...fields });
  const both = "one: One by me\ntwo: Two by Ana";
  const placed = `place ${both.replace("\n", " | ")}`;
  const put = (number: number, version: number | string, text = both) => `PUT #${number} v${version} ${text.replace("\n", " ")}`;
  const stale = refuses("version_conflict");
  const merged = "Merged with Ana's changes";
  const soonAgain = tell({ type: "again-due" });
  const collision = theirs({ ...said("one: One by Ana\ntwo: Two by Ana") });
  rows({
    "what does not collide is shown and saved without a question": {
      opened,
      does: [types(mine), asks("save"), stale, finds(theirs()), shows(), answers({ version: 3, ...said(both) })],
      asks: [put(1, 1, mine), "GET", placed, put(2, 2), `+ Saved: ${merged}`, "done"],
      leaves: { dirty: false, conflict: null, newer: null, version: 3, text: both },
    },
    "a draft that saves itself says with whom": {
      opened,
      does: [types(mine), rests, stale, finds(theirs()), shows(), answers({ version: 3, ...said(both) })],
      asks: [put(1, 1, mine), "GET", placed, put(2, 2), `+ ${merged}`],
      leaves: { dirty: false, version: 3 },
    },
    "words that come while both are merged are read once more": {
      opened,
      does: [
        ...[types(mine), rests, stale, finds(theirs()), types("one: One by me!\ntwo: Two"), shows(false), shows()],
        answers({ version: 3, ...said("one: One by me!\ntwo: Two by Ana") }),
      ],
      asks: [
        put(1, 1, mine),
        "GET",
        placed,
        "place one: One by me! | two: Two by Ana",
        put(2, 2, "one: One by me! two: Two by Ana"),
        `+ ${merged}`,
      ],
      leaves: { dirty: false },
    },
    "a third one who was faster again: everybody's words are there, after a breath": {
      opened,
      does: [
        ...[types(mine), asks("save"), stale, finds(theirs()), shows(), stale, soonAgain],
        ...[finds({ ...theirs({ version: 3, updated_by_name: "Bob" }), title: "By Bob" }), answers({ version: 4, title: "By Bob" })],
      ],
      asks: [
        ...[put(1, 1, mine), "GET", placed, put(2, 2), "again in 100", "GET", put(3, 3)],
        ...["+ Saved: Merged with Ana and Bob's changes", "done"],
      ],
      leaves: { title: "By Bob", version: 4 },
    },
    "what collides is asked about, and nothing is shown or sent": {
      opened,
      does: [types(mine), asks("save"), stale, finds(collision)],
      asks: [put(1, 1, mine), "GET", "not done"],
      leaves: { conflict: { merge: { counts: { mine: 0, theirs: 1, both: 0, collisions: 1 } } }, version: 1, text: mine },
    },
    "a collision that is decided in part is asked about again": {
      opened,
      does: [titled("Mine"), types(mine), asks("save"), stale, finds({ ...collision, title: "Theirs" }), settles({ one: "mine" })],
      leaves: { conflict: { merge: { counts: { collisions: 2 } } } },
    },
    "both of a collision stand below each other": {
      opened,
      does: [types(mine), asks("save"), stale, finds(collision), settles({ one: "both" }), shows(), answers({ version: 3 })],
      asks: [
        ...[put(1, 1, mine), "GET", "not done", "place one: One by Ana | one: One by me | two: Two by Ana"],
        ...["PUT #2 v2 one: One by Ana one: One by me two: Two by Ana", `+ Saved: ${merged}`, "done"],
      ],
    },
    "a decision that comes too late again goes on where it does not collide": {
      opened,
      does: [
        ...[types(mine), asks("save"), stale, finds(collision), settles({ one: "mine" }), shows(), stale, soonAgain],
        ...[
          finds({ ...collision, version: 3, ...said("one: One by Ana\ntwo: Two by Ana\nthree: Three") }),
          shows(),
          answers({ version: 4 }),
        ],
      ],
      asks: [
        ...[put(1, 1, mine), "GET", "not done", placed, put(2, 2), "again in 100", "GET"],
        ...[`${placed} | three: Three`, put(3, 3, `${both} three: Three`), `+ Saved: ${merged}`, "done"],
      ],
    },
    "a publication is asked about, though nothing collides; then it is done": {
      opened,
      does: [types(mine), asks("publish"), stale, finds(theirs()), settles(), shows(), answers({ ...published(), version: 3 })],
      asks: [
        ...[`${put(1, 1, mine)} as published`, "GET", "not done", placed, `${put(2, 2)} as published`],
        ...[`+ Post published: ${merged}. Your post is now live`, "done"],
      ],
      leaves: { status: "published", conflict: null },
    },
    "a publication whose merge comes too late is asked about again": {
      opened,
      does: [
        ...[types(mine), asks("publish"), stale, finds(theirs()), settles(), shows(), stale, soonAgain],
        finds(theirs({ version: 3, ...said("one: One\ntwo: Two by Ana, too") })),
      ],
      leaves: { conflict: { intent: { kind: "publish" }, theirs: { version: 3 } }, status: "draft" },
    },
    "a post that a colleague published meanwhile goes live with nothing unseen": {
      opened,
      does: [types(mine), asks("save"), stale, finds(theirs({ status: "published" }))],
      asks: [put(1, 1, mine), "GET", "not done"],
      leaves: { conflict: { merge: { counts: { collisions: 0 } } }, status: "draft" },
    },
    "unscheduling goes on": {
      opened: { ...opened, status: "scheduled", publish_at: "2999-01-05T09:00:00.000Z" },
      does: [
        ...[types(mine), asks("unschedule"), stale, finds(theirs({ status: "scheduled", publish_at: "2999-01-05T09:00:00.000Z" }))],
        ...[shows(), answers({ version: 3 })],
      ],
      leaves: { status: "draft", conflict: null, version: 3 },
    },
    "a newer version that is heard of comes in around what is unsaved, and is what the next save builds on": {
      opened,
      does: [types(mine), hears(theirs()), finds(theirs()), shows(), rests],
      asks: ["GET", placed, put(1, 2)],
      leaves: { newer: null, version: 2, dirty: true, open: null },
    },
    "one that collides comes in where it does not; what was written here stays, and is asked about with the next save": {
      opened,
      does: [types(mine), hears(theirs()), finds(collision), shows(), rests, stale, finds(collision)],
      asks: ["GET", placed, put(1, 1), "GET"],
      leaves: {
        ...{ version: 1, text: both, newer: { version: 2 }, open: { blocks: ["one"], count: 1 } },
        conflict: { merge: { counts: { theirs: 0, collisions: 1 } } },
      },
    },
    "and goes in by itself once they have taken it back": {
      opened,
      does: [types(mine), hears(theirs()), finds(collision), shows(), hears({ version: 3 }), finds(theirs({ version: 3 })), rests],
      asks: ["GET", placed, "GET", put(1, 3)],
      leaves: { newer: null, open: null, version: 3 },
    },
    "what they deleted and was changed here stays until it is decided": {
      opened,
      does: [
        types(mine),
        hears(theirs()),
        finds(theirs(said("two: Two"))),
        hears({ version: 3 }),
        finds(theirs({ version: 3, ...said("two: Two") })),
      ],
      leaves: { text: mine, open: { blocks: ["one"], count: 1 }, version: 1 },
    },
    "what both wrote alike is saved": {
      opened,
      does: [types(mine), hears(theirs()), finds(theirs(said(mine)))],
      asks: ["GET"],
      leaves: { dirty: false, version: 2, newer: null },
    },
    "a title that is typed while it comes in is merged once more": {
      opened,
      does: [types(mine), hears(theirs()), finds({ ...theirs(), title: "Theirs" }), titled("Mine"), shows()],
      leaves: { title: "Mine", newer: { version: 2 }, open: { count: 1 } },
    },
    "without the part that merges, both are shown as ever": {
      opened,
      does: [types(mine), asks("save"), stale, (visit) => (visit.cannotMerge = true), finds(theirs())],
      asks: [put(1, 1, mine), "GET", "not done"],
      leaves: { conflict: { merge: null, theirs: { version: 2 } } },
    },
    "a text written on an earlier version is brought into the newest": {
      opened: fullPost({ ...theirs() }),
      does: [types(mine), tell({ type: "rebased", base: opened }), finds(theirs()), shows(), rests],
      asks: ["GET", placed, put(1, 2)],
      leaves: { version: 2 },
    },
    "nobody who always comes too late goes on for ever": {
      opened,
      does: [
        ...[types(mine), asks("save"), stale, finds(theirs()), shows()],
        ...Array.from({ length: 30 }, (_, n) => [stale, soonAgain, finds({ ...theirs({ version: 3 + n }), title: `Title ${n}` })]).flat(),
      ],
      leaves: { conflict: { merge: { counts: { collisions: 0 } } } },
    },
    "nor does a draft that saves itself, which has its next rest": {
      opened,
      does: [
        ...[types(mine), rests, stale, finds(theirs()), shows()],
        ...Array.from({ length: 30 }, (_, n) => [stale, soonAgain, finds({ ...theirs({ version: 3 + n }), title: `Title ${n}` })]).flat(),
      ],
      leaves: { conflict: null, dirty: true, running: { autosave: true } },
    },
  });
});

describe("an editor that is behind", () => {
  const theirs = { version: 2, ...said("Theirs") };
  rows({
    "knows so from the moment it hears of a newer version": { does: [hears(theirs)], leaves: { behind: true } },
    "and until that is on the screen": { does: [hears(theirs), finds(theirs), shows()], leaves: { behind: false } },
    "looks again when it could not be read": {
      does: [hears(theirs), cutOff, rests, finds(theirs), shows()],
      asks: ["GET", "GET", "show Theirs"],
      timers: ["autosave in 15000"],
      leaves: { version: 2, behind: false },
    },
    "takes every part of a newer version": {
      does: [hears(theirs), finds({ ...theirs, summary: "In short", cover_image: "none" }), shows()],
      leaves: { summary: "In short", cover: "none" },
    },
  });
});

describe("a newer version that says the same", () => {
  const moved = (fields: Partial<Post> = {}) => live({ slug: "elsewhere", version: 3, ...fields });
  const stale = refuses("version_conflict");
  rows({
    "because its time had come is no conflict": {
      opened: scheduled(),
      does: [types("More"), asks("save"), stale, finds(live()), answers(live({ version: 3 }))],
      asks: ["PUT #1 v1 More", "GET", "PUT #2 v2 More", "+ Saved", "done"],
      leaves: { dirty: false, conflict: null, version: 3 },
    },
    "because its address is another is no conflict": {
      opened: live(),
      does: [types("More"), asks("save"), stale, finds(moved()), answers(moved({ version: 4 }))],
      asks: ["PUT #1 v2 More", "GET", "PUT #2 v3 More", "+ Saved", "done"],
      leaves: { version: 4 },
    },
    "and somebody writes in the moment between: it is asked about (a second conflict in one save)": {
      opened: live(),
      does: [types("More"), asks("save"), stale, finds(moved()), stale, finds(moved({ version: 4, ...said("Theirs") }))],
      asks: ["PUT #1 v2 More", "GET", "PUT #2 v3 More", "GET", "not done"],
      leaves: { conflict: { archived: false, theirs: { version: 4 } }, trouble: null, version: 3 },
    },
    "twice in one save is gone along with twice": {
      opened: live(),
      does: [
        types("More"),
        asks("save"),
        stale,
        finds(moved()),
        stale,
        finds(moved({ version: 4, slug: "again" })),
        answers(moved({ version: 5 })),
      ],
      asks: ["PUT #1 v2 More", "GET", "PUT #2 v3 More", "GET", "PUT #3 v4 More", "+ Saved", "done"],
    },
    "but can be unscheduled no more": {
      opened: scheduled({ publish_at: "2999-01-05T09:00:00.000Z" }),
      does: [asks("unschedule"), stale, finds(live({ publish_at: "2999-01-05T09:00:00.000Z" }))],
      asks: [
        "PUT #1 v1 Twice as fast. as draft",
        "GET",
        "- Cannot schedule a published post: Published posts cannot be scheduled or moved back to draft status",
        "not done",
      ],
      leaves: { status: "published", conflict: null },
    },
    "but another text is asked about": {
      opened: scheduled(),
      does: [types("More"), asks("save"), stale, finds(live(said("Theirs")))],
      leaves: { conflict: { archived: false }, version: 1 },
    },
    "but a colleague published it early is asked about": {
      opened: scheduled(),
      does: [types("More"), asks("save"), stale, finds(live({ publish_at: null }))],
      leaves: { conflict: { archived: false }, version: 1 },
    },
    "is taken over when it is heard of; what is unsaved stays": {
      opened: scheduled(),
      does: [types("More"), hears(live()), finds(live())],
      asks: ["GET"],
      leaves: { version: 2, status: "published", dirty: true, conflict: null, busy: null },
    },
    "is heard of while a save is under way that takes it in": {
      opened: scheduled(),
      does: [types("More"), asks("save"), hears(live()), stale, finds(live()), answers(live({ version: 3 }))],
      asks: ["PUT #1 v1 More", "GET", "PUT #2 v2 More", "+ Saved", "done"],
      leaves: { version: 3, conflict: null },
    },
    "of one's own save, heard from another tab or from Realtime, is nothing new": {
      does: [types("One"), asks("save"), answers({ version: 2 }), hears({ version: 2, ...said("One") })],
      asks: ["PUT #1 v1 One", "+ Saved", "done"],
    },
    "that cannot be read is not taken": { opened: scheduled(), does: [hears(live()), cutOff], leaves: { version: 1, trouble: null } },
    "of another post is not meant": { opened: scheduled(), does: [hears({ ...live(), id: ids.person })], asks: [] },
    "archived by a colleague is shown": {
      does: [hears({ version: 2, status: "archived" }), finds({ version: 2, status: "archived" })],
      leaves: { status: "archived" },
    },
    "archived by a colleague is not shown over unsaved words": {
      does: [types("Mine"), hears({ version: 2 }), finds({ version: 2, status: "archived" })],
      asks: ["GET"],
      leaves: { status: "draft", newer: { version: 2 } },
    },
    "archived by a colleague is not shown over words that came while it was read": {
      does: [hears({ version: 2, status: "archived" }), types("Mine"), finds({ version: 2, status: "archived" })],
      leaves: { status: "draft" },
    },
  });
});

describe("a post that is gone", () => {
  const gone = [types("Mine"), asks("save"), refuses("not_found")];
  const before = ["PUT #1 v1 Mine", `- Failed to update post: ${support}`, "not done"];
  rows({
    "can be saved as a new one": {
      does: [...gone, savesAsNew, answers({ id: ids.person })],
      asks: [...before, "POST #2 Mine", "has an address", "+ Draft saved: Your post has been saved as a draft", "done"],
      leaves: { trouble: null, dirty: false, server: { id: ids.person } },
    },
    "is given up: an unanswered save of it is not repeated": {
      does: [...gone, asks("save"), savesAsNew, cutOff],
      asks: [...before, "PUT #2 v1 Mine", `- Failed to update post: ${support}`, "not done", "POST #3 Mine"],
    },
  });
});

describe("a colleague's save", () => {
  const theirs = { version: 2, title: "Theirs too", tags: ["fix"], updated_by_name: "Grace Hopper", ...said("Theirs") };
  const stale = refuses("version_conflict");
  rows({
    "is put on the screen of whoever wrote nothing": {
      does: [hears(theirs), finds(theirs), shows()],
      asks: ["GET", "show Theirs"],
      leaves: { version: 2, title: "Theirs too", tags: ["fix"], dirty: false, newer: null, busy: null },
    },
    "is written on from there": {
      does: [hears(theirs), finds(theirs), shows(), types("Theirs and mine"), rests],
      asks: ["GET", "show Theirs", "PUT #1 v2 Theirs and mine"],
    },
    "and what was written while it was put there go together": {
      does: [hears(theirs), finds(theirs), titled("Mine"), shows(), rests],
      asks: ["GET", "show Theirs", "PUT #1 v2 Twice as fast."],
      leaves: { title: "Mine", tags: ["fix"] },
    },
    "that cannot be put there, for something is being written, is told of": {
      does: [hears(theirs), finds(theirs), types("Mine"), shows(false)],
      leaves: { version: 1, newer: { updated_by_name: "Grace Hopper" }, dirty: true },
    },
    "of status only needs nothing on the screen": {
      does: [hears({ version: 2 }), finds({ ...published(), version: 2 })],
      asks: ["GET"],
      leaves: { status: "published", version: 2 },
    },
    "is told of at once where something is unsaved; the text stays": {
      does: [types("Mine"), hears(theirs), finds(theirs)],
      asks: ["GET"],
      leaves: { version: 1, newer: { version: 2, updated_by_name: "Grace Hopper" }, conflict: null, dirty: true },
    },
    "is told of, and nothing is sent in the middle of a word": {
      does: [types("Mine"), hears(theirs), finds(theirs), types("Mine too"), goesOn],
      asks: ["GET"],
    },
    "is asked about at the next rest": {
      does: [types("Mine"), hears(theirs), finds(theirs), rests, stale, finds(theirs)],
      asks: ["GET", "PUT #1 v1 Mine tagged fix", "GET"],
      leaves: { conflict: { updatedByName: "Grace Hopper" } },
    },
    "met in the middle of a word is asked about at the next rest; meanwhile nothing is sent": {
      does: [
        types("Mine"),
        goesOn,
        types("Mine to"),
        stale,
        finds(theirs),
        types("Mine too"),
        goesOn,
        comesOnline,
        tell({ type: "hidden" }),
      ],
      asks: ["PUT #1 v1 Mine", "GET"],
      leaves: { conflict: null, newer: { version: 2 }, phase: { at: "conflict", waits: true } },
    },
    "met in the middle of a word, then a rest": {
      does: [types("Mine"), goesOn, types("Mine to"), stale, finds(theirs), types("Mine too"), rests],
      leaves: { conflict: { theirs: { version: 2 } }, phase: { unasked: true } },
    },
    "met in the middle of a word, and the person saves: the question is there": {
      does: [types("Mine"), goesOn, types("Mine to"), stale, finds(theirs), asks("save")],
      asks: ["PUT #1 v1 Mine", "GET", "not done"],
      leaves: { conflict: { theirs: { version: 2 } }, phase: { unasked: false } },
    },
    "heard of twice is looked at once, and again when it is another": {
      does: [types("Mine"), hears(theirs), finds(theirs), hears(theirs), hears({ version: 3 }), finds({ ...theirs, version: 3 })],
      asks: ["GET", "GET"],
      leaves: { newer: { version: 3 } },
    },
    "heard of while the one before is on its way is looked at next": {
      does: [types("Mine"), hears(theirs), hears({ version: 3 }), finds(theirs), finds({ ...theirs, version: 3 })],
      asks: ["GET", "GET"],
      leaves: { newer: { version: 3 } },
    },
    "perhaps missed is looked at once, and once more when something is told of meanwhile": {
      does: [hears({ version: 2 }), hears({ version: 4 }), finds({ version: 1 }), finds({ version: 1 })],
      asks: ["GET", "GET"],
      leaves: { version: 1, heard: 0 },
    },
    "is no news when one's own save has taken its place": {
      does: [
        types("Mine"),
        hears(theirs),
        finds(theirs),
        asks("save"),
        stale,
        finds(theirs),
        overwrites,
        answers({ version: 3, ...said("Mine") }),
      ],
      leaves: { newer: null, version: 3 },
    },
    "stays told of after 'Cancel'": {
      does: [types("Mine"), asks("save"), stale, finds(theirs), cancels],
      leaves: { newer: { version: 2 }, conflict: null },
    },
    "is not mistaken for one's own that got no answer": {
      does: [types("Mine"), rests, cutOff, hears({ version: 2 }), rests, answers({ version: 2, ...said("Mine") })],
      asks: ["PUT #1 v1 Mine", "PUT #1 v1 Mine"],
      leaves: { newer: null, version: 2, dirty: false },
    },
    "of a draft without a title is overwritten as it stands": {
      does: [titled(""), rests, stale, finds(theirs), overwrites, answers({ version: 3, title: "" })],
      asks: ["PUT #1 v1 Twice as fast.", "GET", "PUT #2 over Twice as fast.", "+ Saved", "done"],
    },
  });
});

describe("a write after a pause", () => {
  const theirs = { version: 2, updated_by_name: "Grace Hopper", updated_at: "2026-11-20T11:55:00Z", ...said("Theirs") };
  const current = (isCurrent: boolean) => tell({ type: "checked", isCurrent });
  rows({
    "asks first whether its version is the newest": {
      does: [pauses, types("One"), asks("save"), current(true), answers({ version: 2 }), asks("save")],
      asks: ["is v1 current?", "PUT #1 v1 One", "+ Saved", "done", "PUT #2 v2 One"],
    },
    "that is stale is not even sent: both versions are shown": {
      does: [pauses, types("Mine"), asks("save"), current(false), finds(theirs)],
      asks: ["is v1 current?", "GET", "not done"],
      leaves: { conflict: { updatedByName: "Grace Hopper", updatedAt: "2026-11-20T11:55:00Z", theirs: { version: 2 } }, dirty: true },
    },
    "that is stale but says the same goes on": {
      opened: scheduled(),
      does: [pauses, types("More"), asks("save"), current(false), finds(live()), answers(live({ version: 3 }))],
      asks: ["is v1 current?", "GET", "PUT #2 v2 More", "+ Saved", "done"],
    },
    "goes out though nobody answered: the save itself decides": {
      does: [pauses, types("One"), rests, cutOff, refuses("version_conflict"), finds(theirs)],
      asks: ["is v1 current?", "PUT #1 v1 One", "GET"],
      leaves: { conflict: { theirs: { version: 2 } } },
    },
    "of a new post has nothing to ask": { opened: null, does: [pauses, titled("New"), types("One"), asks("save")], asks: ["POST #1 One"] },
    "begins its minute with every word from the server": {
      does: [tell({ type: "entered" }), types("One"), asks("save"), answers({ version: 2 }), tell({ type: "left" })],
      pauses: ["pause in 60000", "pause in 60000", "no pause"],
    },
  });
});
