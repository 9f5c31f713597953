import { expect } from "vitest";
import { cleanBlocks } from "#contract/blocks/clean.ts";
import type { CleanedContent } from "#contract/blocks/schema.ts";
import { errorCatalogue, type ErrorCode } from "#contract/errors.ts";
import type { Post, UpdatePostInput } from "#contract/posts.ts";
import { ApiError } from "../../lib/api-client.ts";
import { ids } from "../../../tests/support/web/fixtures.ts";
import { fullPost } from "../../../tests/support/web/posts-support.ts";
import { fc, test } from "../../../tests/support/properties.ts";
import { mergeNewer } from "./merge.ts";
import { step } from "./machine.ts";
import { firstState, isBehind, isDirty, autosaves, type Attempt, type Command, type Event, type State, type Timer } from "./state.ts";

/** Property: in any order of events, once the server answers again, it has every typed word and the editor shows its content. */

type Texts = Record<string, string>;
const contentOf = (texts: Texts): CleanedContent =>
  cleanBlocks(Object.entries(texts).map(([id, text]) => ({ id, type: "paragraph", data: { text } })));
const textsOf = ({ blocks }: Pick<CleanedContent, "blocks">): Texts =>
  Object.fromEntries(blocks.map((block) => [block.id!, "text" in block.data ? block.data.text : ""]));
const savedTexts = (post: Post): Texts => textsOf(cleanBlocks(JSON.parse(post.content_raw)));
const errorOf = (code: ErrorCode, fields?: Record<string, string>) =>
  new ApiError(errorCatalogue[code].status, code, errorCatalogue[code].sentence, { fields });
const cutOff = new ApiError(0, "network", "We cannot reach the server.");

class Server {
  post: Post | null;
  readonly versions: Post[] = [];
  readonly theirs: string[] = [];
  readonly #answers = new Map<string, { body: string; post: Post }>();

  constructor(post: Post | null) {
    this.post = post;
    if (post) this.versions.push(post);
  }

  send({ key, request: { id, body } }: Attempt): Post | ApiError {
    const previous = this.#answers.get(key);
    const requestText = JSON.stringify([id, body]);
    if (previous) return previous.body === requestText ? previous.post : errorOf("validation_failed", { idempotency_key: "used" });
    if (id !== null && id !== this.post?.id) return errorOf("not_found");
    const { version, status, title, content_raw, blocks } = body as UpdatePostInput & { blocks?: CleanedContent };
    if (id !== null && version !== undefined && version !== this.post!.version) return errorOf("version_conflict");
    const content = content_raw ?? JSON.stringify(blocks);
    const before = this.post ?? fullPost({ version: 0, status: "draft" });
    this.post = {
      ...before,
      title: title ?? before.title,
      content_raw: content,
      status: status ?? before.status,
      version: before.version + 1,
    };
    this.#answers.set(key, { body: requestText, post: this.post });
    this.versions.push(this.post);
    return this.post;
  }

  add(block: string): void {
    if (!this.post) return;
    const texts = savedTexts(this.post);
    const word = `theirs${this.post.version}`;
    this.theirs.push(word);
    const content_raw = JSON.stringify(contentOf({ ...texts, [block]: `${texts[block] ?? ""} ${word}`.trim() }));
    this.post = { ...this.post, content_raw, version: this.post.version + 1, updated_by_name: "Ana" };
    this.versions.push(this.post);
  }
}

class Visit {
  state: State;
  screen: Texts;
  readonly server: Server;
  readonly notices: string[] = [];
  typed: string[] = [];
  overwrites = false;
  isUnknown = false;
  #words = 0;
  #waiting: Command | null = null;
  #jobs = 0;

  constructor(opened: Post | null) {
    this.server = new Server(opened);
    this.state = firstState({ visitId: "visit", workspaceId: ids.acme, opened });
    this.screen = opened ? savedTexts(opened) : { a: "", b: "", c: "" };
    if (!opened) this.tell({ type: "changed", title: "New" });
  }

  tell(event: Event): void {
    const [state, commands] = step(this.state, event);
    this.state = state;
    for (const command of commands) this.#take(command);
  }

  #take(command: Command): void {
    switch (command.do) {
      case "settle":
        return this.tell({ type: "settled" });
      case "read": {
        const { title, tags, summary, cover_image, details, changes } = this.state;
        return this.tell({
          type: "read",
          writing: { title, tags, summary, cover_image, details, changes, content: contentOf(this.screen) },
          now: new Date(),
        });
      }
      case "merge": {
        const { base, writing, theirs, choices } = command;
        return this.tell({ type: "merged", result: mergeNewer(base, writing, theirs, choices) });
      }
      case "notify":
        return void this.notices.push(`${command.tone} ${command.notice.title}`);
      case "send":
      case "fetch":
      case "check":
      case "show":
      case "place":
        this.#waiting = command;
    }
  }

  answer(lost: "nothing" | "request" | "answer" = "nothing"): void {
    const command = this.#waiting;
    if (!command) return;
    this.#waiting = null;
    if (command.do === "show") {
      const isUntouched = this.state.server !== null && JSON.stringify(savedTexts(this.state.server)) === JSON.stringify(this.screen);
      if (isUntouched) this.screen = savedTexts(command.post);
      return this.tell({ type: "shown", done: isUntouched });
    }
    if (command.do === "place") {
      const done = JSON.stringify(textsOf(command.from as CleanedContent)) === JSON.stringify(this.screen);
      if (done) this.screen = textsOf(command.content as CleanedContent);
      return this.tell({ type: "shown", done });
    }
    if (lost !== "nothing" && command.do === "send" && command.attempt.intent.kind === "publish") this.isUnknown = true;
    if (lost === "request") return this.tell({ type: "failed", error: cutOff });
    const { post } = this.server;
    if (command.do === "send") {
      const answered = this.server.send(command.attempt);
      if (lost === "answer") return this.tell({ type: "failed", error: cutOff });
      return this.tell(answered instanceof ApiError ? { type: "failed", error: answered } : { type: "answered", post: answered });
    }
    if (lost === "answer") return this.tell({ type: "failed", error: cutOff });
    if (command.do === "check") return this.tell({ type: "checked", isCurrent: post?.version === command.version });
    if (command.do === "fetch")
      this.tell(post ? { type: "fetched", post, now: new Date() } : { type: "failed", error: errorOf("not_found") });
  }

  type(block: string): void {
    const word = `mine${(this.#words += 1)}`;
    this.typed.push(word);
    this.screen = { ...this.screen, [block]: `${this.screen[block] ?? ""} ${word}`.trim() };
    this.tell({ type: "changed" });
  }

  restoreDraft(): void {
    const base = this.server.versions.at(-2);
    if (!base || !this.state.server || this.state.phase.at === "conflict" || this.state.server.version <= base.version) return;
    const word = `mine${(this.#words += 1)}`;
    this.screen = { ...savedTexts(base), a: `${savedTexts(base).a} ${word}` };
    this.typed = [word];
    this.tell({ type: "changed" });
    this.tell({ type: "rebased", base });
  }

  signedOut(): void {
    if (this.#waiting === null || this.#waiting.do === "show" || this.#waiting.do === "place") return;
    this.#waiting = null;
    this.tell({ type: "failed", error: errorOf("unauthenticated") });
  }

  write(kind: "save" | "publish"): void {
    this.tell({ type: "write", id: ++this.#jobs, intent: { kind } });
  }

  decide(how: "over" | "mine"): void {
    if (how === "over" && this.state.phase.at === "conflict") this.overwrites = true;
    const id = ++this.#jobs;
    this.tell(how === "over" ? { type: "overwrite", id } : { type: "save-merged", id, choices: { blocks: {} } });
  }

  due(timer: Timer): boolean {
    if (!this.state.running[timer]) return false;
    const events = {
      autosave: "autosave-due",
      maxWait: "max-wait-due",
      pause: "pause-over",
      backoff: "backoff-due",
      draft: "store-draft",
    } as const;
    this.tell({ type: events[timer] });
    return true;
  }

  settleDown(): void {
    for (let round = 0; round < 300; round += 1) {
      if (this.#waiting) this.answer();
      else if (this.state.phase.at === "conflict") this.decide("over");
      else if (!this.due("backoff") && !this.due("autosave") && !this.due("maxWait")) return;
    }
    throw new Error(`Doesn't settle: ${JSON.stringify(this.state.phase)}`);
  }
}

const steps = {
  "types in a": (visit: Visit) => visit.type("a"),
  "types in b": (visit: Visit) => visit.type("b"),
  rests: (visit: Visit) => void visit.due("autosave"),
  "waits too long": (visit: Visit) => void visit.due("maxWait"),
  pauses: (visit: Visit) => void visit.due("pause"),
  "backs off": (visit: Visit) => void visit.due("backoff"),
  "is answered": (visit: Visit) => visit.answer(),
  "gets no request through": (visit: Visit) => visit.answer("request"),
  "is signed out": (visit: Visit) => visit.signedOut(),
  "restores a draft": (visit: Visit) => visit.restoreDraft(),
  "gets no answer": (visit: Visit) => visit.answer("answer"),
  saves: (visit: Visit) => visit.write("save"),
  publishes: (visit: Visit) => visit.write("publish"),
  "comes online": (visit: Visit) => visit.tell({ type: "online" }),
  "is hidden": (visit: Visit) => visit.tell({ type: "hidden" }),
  "a colleague writes in b": ({ server }: Visit) => server.add("b"),
  "a colleague writes in c": ({ server }: Visit) => server.add("c"),
  hears: (visit: Visit) => {
    const { post } = visit.server;
    if (post) visit.tell({ type: "announced", postId: post.id, version: post.version });
  },
  cancels: (visit: Visit) => visit.tell({ type: "cancel-conflict" }),
  "saves anyway": (visit: Visit) => visit.decide("over"),
  "saves both": (visit: Visit) => visit.decide("mine"),
};
type Step = keyof typeof steps;

const opened = fullPost({ content_raw: JSON.stringify(contentOf({ a: "One", b: "Two", c: "Three" })) });

test.prop([fc.boolean(), fc.array(fc.constantFrom(...(Object.keys(steps) as Step[])), { maxLength: 40 })], {
  numRuns: Number(process.env.FUZZ_RUNS ?? 800),
})("every typed word is saved, in any order of events", (isNew, events) => {
  const visit = new Visit(isNew ? null : opened);
  for (const name of events) steps[name](visit);
  visit.settleDown();
  steps.hears(visit);
  visit.settleDown();
  for (let tries = 0; tries < 3 && isDirty(visit.state); tries += 1) {
    expect(autosaves(visit.state), "a draft autosaves").toBe(false);
    visit.write("save");
    visit.settleDown();
  }
  const { post } = visit.server;
  if (visit.typed.length === 0 && !post) return;
  expect({ dirty: isDirty(visit.state), trouble: visit.state.trouble, at: visit.state.phase.at }).toEqual({
    dirty: false,
    trouble: null,
    at: "idle",
  });
  const words = Object.values(savedTexts(post!)).join(" ").split(" ");
  expect(visit.typed.filter((word) => !words.includes(word))).toEqual([]);
  if (!visit.overwrites) expect(visit.server.theirs.filter((word) => !words.includes(word))).toEqual([]);
  if (!isBehind(visit.state)) expect(visit.screen).toEqual(savedTexts(post!));
  const isPublished = post!.status === "published";
  expect(visit.notices.some((line) => line.endsWith(" Post published"))).toBe(isPublished);
  const decided = events.some((name) => name === "cancels" || name === "saves both" || name === "saves anyway");
  if (visit.isUnknown && !isPublished && !decided) expect(visit.notices).toContain("error Failed to publish post");
});
