import type { MonthNumbers } from "#contract/reports.ts";
import type { Env } from "../../_shared/env.ts";
import { describeFault, log } from "../../_shared/log.ts";
import { type Handed, handOver, type Message } from "../../_shared/mail.ts";
import { Outbox, type Settled } from "../../_shared/outbox.ts";
import { retry } from "../../_shared/retry.ts";
import { originBelow } from "../../_shared/public-origin.ts";
import { type Delivery, lookOfContent, mailOf, mostInDigest, renderPost, type RenderedPost, type Voice, voiceOf } from "./mails.ts";
import { reportMail } from "./report-mail.ts";

/** Claim size; less if sending would take longer than `batchMs`. */
const batch = 100;
const batchMs = 15_000;
/** Latest start after a claim: sending takes up to 30 seconds, and the lease ends after 120. */
const beginMs = 80_000;
/** Record interval: at most this much is sent twice after a crash. */
const recordMs = 3_000;
/** Concurrency: enough for a transport that takes 250 ms. */
const abreastFor = (perSecond: number): number => Math.min(Math.max(Math.ceil(perSecond / 4), 10), batch);
/** No new claims after this; the next call continues. */
const longestMs = 20_000;
const keptPosts = 20;

let working: Promise<void> | null = null;

/** Runs once at a time per process; concurrent calls return at once. */
export async function deliverOnce(env: Env): Promise<void> {
  if (working !== null) return;
  working = deliver(env);
  await working.finally(() => (working = null));
}

/**
 * Sends due emails until none are left or the time is over. Workers share the queue by lease. At least once: unrecorded emails are sent
 * again with the same id. Respects `mailRate`.
 */
export async function deliver(env: Env, timeoutMs = longestMs): Promise<void> {
  if (env.mail === null) return;
  const { mail } = env;
  const outbox = new Outbox(env);
  const until = Date.now() + timeoutMs;
  const pace = paceOf(env);
  const posts = new Posts(outbox, env.publicUrl);
  const months = new Months(outbox);
  // Failures to prepare don't block emails already queued.
  const orNone = (event: string) => (error: unknown) => log({ event, reason: describeFault(error).message });
  await outbox.prepare().catch(orNone("deliveries not made"));
  await outbox.prepareReports().catch(orNone("reports not made"));
  const write = async (delivery: Delivery): Promise<Message | null> => {
    if (delivery.kind === "report") return reportMail(delivery, await months.of(delivery), env.publicUrl);
    const shown = await posts.of(delivery);
    return delivery.posts.length > 0 && shown.length === 0 ? null : mailOf(delivery, shown, { publicUrl: env.publicUrl, from: mail.from });
  };
  /** `back`: too late to start; the lease is released. */
  const one = async (delivery: Delivery, isLate: () => boolean): Promise<Handed | { outcome: "dropped" | "back" }> => {
    if (isLate()) return { outcome: "back" };
    try {
      const message = await write(delivery);
      if (message === null) return { outcome: "dropped" };
      await pace.turn();
      return isLate() ? { outcome: "back" } : await handOver(mail, message);
    } catch (error) {
      return { outcome: "again", error: describeFault(error).message };
    }
  };
  for (let isMore = true; isMore && Date.now() + pace.waitMs < until;) {
    const size = pace.room;
    const latest = Date.now() + beginMs;
    const deliveries = await outbox.claim(size);
    isMore = deliveries.length === size;
    posts.askAgain();
    months.askAgain();
    const outcomes = new Outcomes(outbox);
    let tooLate = 0;
    const began = performance.now();
    const queue = deliveries.values();
    const work = async (): Promise<void> => {
      for (const delivery of queue) {
        const outcome = await one(delivery, () => Date.now() >= latest);
        outcomes.add({ id: delivery.id, attempt: delivery.attempt, ...outcome });
        if (outcome.outcome === "back") tooLate += 1;
      }
    };
    await Promise.all(Array.from({ length: pace.abreast }, work));
    if (isMore) pace.note(deliveries.length - tooLate, performance.now() - began);
    await outcomes.end();
    if (tooLate > 0) log({ event: "emails not started", count: tooLate });
  }
}

/** Records results while a batch is running. */
class Outcomes {
  readonly #outbox: Outbox;
  readonly #timer = setInterval(() => this.#recordSome(), recordMs);
  #unrecorded: Settled[] = [];
  #recording: Promise<void> | null = null;

  constructor(outbox: Outbox) {
    this.#outbox = outbox;
  }

  add(outcome: Settled): void {
    this.#unrecorded.push(outcome);
  }

  /** Retries during a short outage: unrecorded emails are sent twice. */
  async end(): Promise<void> {
    clearInterval(this.#timer);
    await this.#recording;
    await retry(() => this.#record());
  }

  #recordSome(): void {
    this.#recording ??= this.#record()
      .catch(() => {})
      .finally(() => (this.#recording = null));
  }

  async #record(): Promise<void> {
    const outcomes = this.#unrecorded;
    if (outcomes.length === 0) return;
    this.#unrecorded = [];
    try {
      await this.#outbox.settle(outcomes);
    } catch (error) {
      this.#unrecorded.push(...outcomes);
      throw error;
    }
    const count = (outcome: Settled["outcome"]) => outcomes.filter((one) => one.outcome === outcome).length;
    log({ event: "mails", done: count("done"), again: count("again"), failed: count("failed"), dropped: count("dropped") });
  }
}

class Months {
  readonly #outbox: Outbox;
  readonly #known = new Map<string, Promise<MonthNumbers>>();

  constructor(outbox: Outbox) {
    this.#outbox = outbox;
  }

  askAgain(): void {
    this.#known.clear();
  }

  of({ workspace_id: workspace, month }: Delivery): Promise<MonthNumbers> {
    const key = `${workspace} ${month}`;
    const cached = this.#known.get(key);
    if (cached !== undefined) return cached;
    const reading = this.#outbox.month(workspace, month);
    this.#known.set(key, reading);
    return reading;
  }
}

/** Cache of rendered posts; visibility is checked per batch. */
class Posts {
  readonly #outbox: Outbox;
  readonly #publicUrl: string;
  readonly #heads = new Map<string, Promise<RenderedPost | null>>();
  readonly #rendered = new Map<string, { as: string; rendering: Promise<RenderedPost | null> }>();

  constructor(outbox: Outbox, publicUrl: string) {
    this.#outbox = outbox;
    this.#publicUrl = publicUrl;
  }

  askAgain(): void {
    this.#heads.clear();
  }

  /** Visible posts of a delivery, newest first, with content where the email has all of it. */
  async of(delivery: Delivery): Promise<RenderedPost[]> {
    const { kind, subdomain } = delivery;
    const posts = delivery.posts.slice(0, mostInDigest);
    this.#ask(posts.filter((id) => !this.#heads.has(id)));
    const heads = await Promise.all(posts.map((id) => this.#heads.get(id)));
    const visible = heads.filter((head) => head !== null && head !== undefined);
    if (kind === "digest") return visible;
    const [voice, origin] = [voiceOf(delivery), originBelow(this.#publicUrl, subdomain)];
    const whole = await Promise.all(visible.map((head) => this.#withContent(head, origin, voice)));
    return whole.filter((post) => post !== null);
  }

  #ask(ids: readonly string[]): void {
    if (ids.length === 0) return;
    const reading = this.#outbox.postHeads(ids);
    for (const id of ids) {
      const one = reading.then((heads) => {
        const post = heads.find((head) => head.id === id);
        return post === undefined ? null : { post, content: null };
      });
      one.catch(() => {});
      this.#heads.set(id, one);
    }
  }

  #withContent({ post: { id, version, ...head } }: RenderedPost, base: string, voice: Voice): Promise<RenderedPost | null> {
    const { accent, dir } = lookOfContent({ id, version, ...head }, voice);
    const as = [version, base, voice.locale, accent, dir].join(" ");
    const cached = this.#rendered.get(id);
    if (cached?.as === as) return cached.rendering;
    const rendering = this.#outbox.post(id).then(async (post) => (post === null ? null : await renderPost(post, base, voice)));
    rendering.catch(() => this.#rendered.delete(id));
    this.#rendered.delete(id);
    this.#rendered.set(id, { as, rendering });
    const [oldest] = this.#rendered.keys();
    if (this.#rendered.size > keptPosts && oldest !== undefined) this.#rendered.delete(oldest);
    return rendering;
  }
}

/** Rate limiter that also sizes claims. */
class Pace {
  readonly abreast: number;
  readonly #perSecond: number;
  #next = 0;
  #speed = Infinity;

  constructor(perSecond: number) {
    this.#perSecond = perSecond;
    this.abreast = abreastFor(perSecond);
  }

  get waitMs(): number {
    return Math.max(this.#next - performance.now(), 0);
  }

  /** Number that can be sent in time; at least the concurrency. */
  get room(): number {
    const inTime = (perSecond: number) => Math.floor((perSecond * batchMs) / 1_000);
    return Math.max(Math.min(batch, inTime(this.#perSecond), Math.max(inTime(this.#speed), this.abreast)), 1);
  }

  note(count: number, ms: number): void {
    this.#speed = (count * 1_000) / ms;
  }

  async turn(): Promise<void> {
    const now = performance.now();
    const at = Math.max(now, this.#next);
    this.#next = at + 1_000 / this.#perSecond;
    if (at > now) await new Promise((resolve) => setTimeout(resolve, at - now));
  }
}

/** Shared by all calls, so slow rates carry over. */
const paces = new WeakMap<Env, Pace>();

function paceOf(env: Env): Pace {
  const pace = paces.get(env) ?? new Pace(env.mailRate);
  paces.set(env, pace);
  return pace;
}
