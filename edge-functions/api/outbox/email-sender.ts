import { ConcurrencyLimit } from "#contract/rules/concurrency-limit.ts";
import type { MonthNumbers } from "#contract/reports.ts";
import type { MailSettings } from "#contract/mail-transports.ts";
import type { Env } from "../../_shared/env.ts";
import type { Job, Task } from "../../_shared/jobs.ts";
import { describeFault, log } from "../../_shared/log.ts";
import { handOver, type Message } from "../../_shared/mail.ts";
import { Outbox, type Outcome, type Settled } from "../../_shared/outbox.ts";
import { retry } from "../../_shared/retry.ts";
import { originBelow } from "../../_shared/public-origin.ts";
import { type Delivery, lookOfContent, mailOf, mostInDigest, renderPost, type RenderedPost, type Voice, voiceOf } from "./mails.ts";
import { reportMail } from "./report-mail.ts";

const largestBatch = 100;
/** Time in which a batch starts its emails. Sending takes up to 30 seconds, and the lease ends after 120. */
const startMs = 15_000;
/** Record interval: at most this much is sent twice after a crash. */
const recordMs = 3_000;
/** A paused or suspended workspace, or a new one over its daily limit, is tried again after this. */
const heldSeconds = 600;
const keptPosts = 20;

/**
 * Sends a batch of a job's emails (supabase/schemas/76-email.sql). At least once: unrecorded emails are sent again with the same id. Emails that
 * couldn't start in time wait for the next run.
 */
export class EmailSender implements Task {
  readonly concurrency = 8;
  readonly #mail: MailSettings;
  readonly #outbox: Outbox;
  readonly #publicUrl: string;
  readonly #rate: SendRate;
  readonly #rendered: RenderCache = new Map();

  constructor(env: Env, mail: MailSettings) {
    this.#mail = mail;
    this.#outbox = new Outbox(env);
    this.#publicUrl = env.publicUrl;
    this.#rate = new SendRate(env.mailRate);
  }

  async run({ id: job }: Job): Promise<number | void> {
    const { waitMs } = this.#rate;
    if (waitMs > startMs) return waitMs / 1_000;
    const latest = performance.now() + startMs;
    const emails = await this.#outbox.emailsToSend(job, this.#rate.countIn(startMs));
    const results = new Results(this.#outbox, job);
    const contents = new Contents(this.#outbox, this.#publicUrl, this.#rendered);
    const queue = emails.values();
    const work = async (): Promise<void> => {
      for (const email of queue) {
        const outcome = await this.#rate.run(latest, () => this.#send(email, contents));
        if (outcome === null) return;
        results.add({ id: email.id, ...outcome });
      }
    };
    await Promise.all(Array.from({ length: this.#rate.concurrency }, work));
    const seconds = await results.end();
    if (seconds === null) return;
    return seconds <= 0 && emails.length === 0 ? heldSeconds : Math.max(seconds, 0);
  }

  async #send(email: Delivery, contents: Contents): Promise<Outcome> {
    try {
      const message = await this.#write(email, contents);
      return message === null ? { outcome: "dropped" } : await handOver(this.#mail, message);
    } catch (error) {
      return { outcome: "again", error: describeFault(error).message };
    }
  }

  /** Null if its posts are no longer visible. */
  async #write(email: Delivery, contents: Contents): Promise<Message | null> {
    if (email.kind === "report") return reportMail(email, await contents.month(email), this.#publicUrl);
    const shown = await contents.of(email);
    return email.posts.length > 0 && shown.length === 0
      ? null
      : mailOf(email, shown, { publicUrl: this.#publicUrl, from: this.#mail.from });
  }
}

/** Records results while a batch is running. */
class Results {
  readonly #outbox: Outbox;
  readonly #job: string;
  readonly #timer = setInterval(() => this.#recordSome(), recordMs);
  #unrecorded: Settled[] = [];
  #recording: Promise<unknown> | null = null;

  constructor(outbox: Outbox, job: string) {
    this.#outbox = outbox;
    this.#job = job;
  }

  add(result: Settled): void {
    this.#unrecorded.push(result);
  }

  /** Retries during a short outage: unrecorded emails are sent twice. Returns the seconds until the job's next email is due; null: none is left. */
  async end(): Promise<number | null> {
    clearInterval(this.#timer);
    await this.#recording;
    return await retry(() => this.#record());
  }

  #recordSome(): void {
    this.#recording ??= this.#record()
      .catch(() => {})
      .finally(() => (this.#recording = null));
  }

  async #record(): Promise<number | null> {
    const results = this.#unrecorded;
    this.#unrecorded = [];
    try {
      const seconds = await this.#outbox.settle(this.#job, results);
      const count = (outcome: Outcome["outcome"]) => results.filter((one) => one.outcome === outcome).length;
      if (results.length > 0)
        log({ event: "mails", done: count("done"), again: count("again"), failed: count("failed"), dropped: count("dropped") });
      return seconds;
    } catch (error) {
      this.#unrecorded.push(...results);
      throw error;
    }
  }
}

type RenderCache = Map<string, { as: string; rendering: Promise<RenderedPost | null> }>;

/** Posts and report figures of a batch, each read once. */
class Contents {
  readonly #outbox: Outbox;
  readonly #publicUrl: string;
  readonly #heads = new Map<string, Promise<RenderedPost | null>>();
  readonly #rendered: RenderCache;
  #month: Promise<MonthNumbers> | null = null;

  constructor(outbox: Outbox, publicUrl: string, rendered: RenderCache) {
    this.#outbox = outbox;
    this.#publicUrl = publicUrl;
    this.#rendered = rendered;
  }

  /** The figures of a report, the same for the whole batch. */
  month({ workspace_id: workspaceId, month }: Delivery): Promise<MonthNumbers> {
    return (this.#month ??= this.#outbox.month(workspaceId, month));
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

/** Limits emails a second and at once, over all jobs of the process. */
class SendRate {
  /** Enough for a transport that takes 250 ms. */
  readonly concurrency: number;
  readonly #perSecond: number;
  readonly #limit: ConcurrencyLimit;
  #next = 0;

  constructor(perSecond: number) {
    this.#perSecond = perSecond;
    this.concurrency = Math.min(Math.max(Math.ceil(perSecond / 4), 10), largestBatch);
    this.#limit = new ConcurrencyLimit({ underWay: this.concurrency });
  }

  get waitMs(): number {
    return Math.max(this.#next - performance.now(), 0);
  }

  /** At most a batch, and at least one. */
  countIn(ms: number): number {
    return Math.max(Math.min(largestBatch, Math.floor((this.#perSecond * ms) / 1_000)), 1);
  }

  /** Null if the email can't start by `latest`. */
  run<Result>(latest: number, send: () => Promise<Result>): Promise<Result | null> {
    return this.#limit.run("", async () => {
      const now = performance.now();
      const at = Math.max(now, this.#next);
      if (at > latest) return null;
      this.#next = at + 1_000 / this.#perSecond;
      if (at > now) await new Promise((resolve) => setTimeout(resolve, at - now));
      return await send();
    });
  }
}
