import { expect } from "vitest";
import { cleanBlocks } from "#contract/blocks/clean.ts";
import type { CleanedContent } from "#contract/blocks/schema.ts";
import { errorCatalogue, type ErrorCode } from "#contract/errors.ts";
import type { Post, UpdatePostInput } from "#contract/posts.ts";
import { ApiError } from "../../../lib/api-client.ts";
import { ids } from "../../../../tests/support/web/fixtures.ts";
import { fullPost } from "../../../../tests/support/web/posts-support.ts";
import { fc, test } from "../../../../tests/support/properties.ts";
import { bringTogether } from "./bring-together.ts";
import { step } from "./machine.ts";
import { firstState, isBehind, isDirty, savesItself, type Attempt, type Command, type Event, type State, type Timer } from "./state.ts";

/**
 * Whatever happens in whatever order (typing, saves, a colleague, requests and answers that get lost), once the server answers again and the hands
 * rest, it has every word that was typed here, and the screen shows what it has.
 */

type Texts = Record<string, string>;
const contentOf = (texts: Texts): CleanedContent =>
  cleanBlocks(Object.entries(texts).map(([id, text]) => ({ id, type: "paragraph", data: { text } })));
const textsOf = ({ blocks }: Pick<CleanedContent, "blocks">): Texts =>
  Object.fromEntries(blocks.map((block) => [block.id!, "text" in block.data ? block.data.text : ""]));
const savedTexts = (post: Post): Texts => textsOf(cleanBlocks(JSON.parse(post.content_raw)));
const errorOf = (code: ErrorCode, fields?: Record<string, string>) =>
  new ApiError(errorCatalogue[code].status, code, errorCatalogue[code].sentence, { fields });
const cutOff = new ApiError(0, "network", "We cannot reach the server.");

/** One post, idempotency keys, versions. */
class Server {
  post: Post | null;
  /** Every version there was. */
  readonly versions: Post[] = [];
  readonly theirs: string[] = [];
  readonly #answers = new Map<string, { body: string; post: Post }>();

  constructor(post: Post | null) {
    this.post = post;
    if (post) this.versions.push(post);
  }

  send({ key, request: { id, body } }: Attempt): Post | ApiError {
    const known = this.#answers.get(key);
    const asked = JSON.stringify([id, body]);
    if (known) return known.body === asked ? known.post : errorOf("validation_failed", { idempotency_key: "used" });
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
    this.#answers.set(key, { body: asked, post: this.post });
    this.versions.push(this.post);
    return this.post;
  }

  /** A colleague has read what is there and adds a word. */
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
  readonly said: string[] = [];
  typed: string[] = [];
  /** "Save anyway" was chosen: what others wrote may be gone. */
  overwrites = false;
  /** A publication got no answer. */
  isUnknown = false;
  #words = 0;
  /** What waits for an answer of the server or of the editor. */
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
        const { title, tags, summary, cover, changes } = this.state;
        return this.tell({
          type: "read",
          writing: { title, tags, summary, cover, changes, content: contentOf(this.screen) },
          now: new Date(),
        });
      }
      case "merge": {
        const { base, writing, theirs, choices } = command;
        return this.tell({ type: "merged", together: bringTogether(base, writing, theirs, choices) });
      }
      case "say":
        return void this.said.push(`${command.tone} ${command.notice.title}`);
      case "send":
      case "look":
      case "check":
      case "show":
      case "place":
        this.#waiting = command;
    }
  }

  /** The one that waits is answered; the request or the answer may get lost. */
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
    if (command.do === "look") this.tell(post ? { type: "found", post, now: new Date() } : { type: "failed", error: errorOf("not_found") });
  }

  type(block: string): void {
    const word = `mine${(this.#words += 1)}`;
    this.typed.push(word);
    this.screen = { ...this.screen, [block]: `${this.screen[block] ?? ""} ${word}`.trim() };
    this.tell({ type: "changed" });
  }

  /** A text that was kept on this device, written on an earlier version, is brought back. */
  bringBack(): void {
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
      longest: "longest-due",
      pause: "pause-over",
      again: "again-due",
      draft: "keep-draft",
    } as const;
    this.tell({ type: events[timer] });
    return true;
  }

  /** Everything is answered, the hands rest, and who is asked saves anyway. */
  settleDown(): void {
    for (let round = 0; round < 300; round += 1) {
      if (this.#waiting) this.answer();
      else if (this.state.phase.at === "conflict") this.decide("over");
      else if (!this.due("again") && !this.due("autosave") && !this.due("longest")) return;
    }
    throw new Error(`It does not come to rest: ${JSON.stringify(this.state.phase)}`);
  }
}

const steps = {
  "types in a": (visit: Visit) => visit.type("a"),
  "types in b": (visit: Visit) => visit.type("b"),
  rests: (visit: Visit) => void visit.due("autosave"),
  "goes on": (visit: Visit) => void visit.due("longest"),
  pauses: (visit: Visit) => void visit.due("pause"),
  "waits for a breath": (visit: Visit) => void visit.due("again"),
  "is answered": (visit: Visit) => visit.answer(),
  "gets no request through": (visit: Visit) => visit.answer("request"),
  "is signed out": (visit: Visit) => visit.signedOut(),
  "brings a text back": (visit: Visit) => visit.bringBack(),
  "gets no answer": (visit: Visit) => visit.answer("answer"),
  saves: (visit: Visit) => visit.write("save"),
  publishes: (visit: Visit) => visit.write("publish"),
  "comes online": (visit: Visit) => visit.tell({ type: "online" }),
  "is hidden": (visit: Visit) => visit.tell({ type: "hidden" }),
  "a colleague writes in b": ({ server }: Visit) => server.add("b"),
  "a colleague writes in c": ({ server }: Visit) => server.add("c"),
  hears: (visit: Visit) => {
    const { post } = visit.server;
    if (post) visit.tell({ type: "heard", postId: post.id, version: post.version });
  },
  cancels: (visit: Visit) => visit.tell({ type: "cancel-conflict" }),
  "saves anyway": (visit: Visit) => visit.decide("over"),
  "saves both": (visit: Visit) => visit.decide("mine"),
};
type Step = keyof typeof steps;

const opened = fullPost({ content_raw: JSON.stringify(contentOf({ a: "One", b: "Two", c: "Three" })) });

test.prop([fc.boolean(), fc.array(fc.constantFrom(...(Object.keys(steps) as Step[])), { maxLength: 40 })], {
  numRuns: Number(process.env.FUZZ_RUNS ?? 2_000),
})("in whatever order things happen, every word arrives", (isNew, happens) => {
  const visit = new Visit(isNew ? null : opened);
  for (const what of happens) steps[what](visit);
  visit.settleDown();
  steps.hears(visit);
  visit.settleDown();
  for (let tries = 0; tries < 3 && isDirty(visit.state); tries += 1) {
    expect(savesItself(visit.state), "a draft saves itself").toBe(false);
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
  if (!isBehind(visit.state)) expect(visit.screen).toEqual(savedTexts(post!)); // else it says that there is a newer version
  const isPublished = post!.status === "published";
  expect(visit.said.some((line) => line.endsWith(" Post published"))).toBe(isPublished);
  const decided = happens.some((what) => what === "cancels" || what === "saves both" || what === "saves anyway");
  if (visit.isUnknown && !isPublished && !decided) expect(visit.said).toContain("error Failed to publish post");
});
