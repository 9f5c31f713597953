import type { MonthNumbers } from "#contract/reports.ts";
import type { Env } from "../../_shared/env.ts";
import { describeFault, log } from "../../_shared/log.ts";
import { type Handed, handOver, type Message } from "../../_shared/mail.ts";
import { Outbox, type Settled } from "../../_shared/outbox.ts";
import { persistently } from "../../_shared/persistently.ts";
import { originBelow } from "../../_shared/public-origin.ts";
import { type Delivery, lookOfContent, mailOf, renderPost, type ToldPost, type Voice, voiceOf } from "./mails.ts";
import { reportMail } from "./report-mail.ts";

const batch = 100;
/** Mails under way at once: enough for a service that takes a quarter of a second for each. */
const abreastFor = (perSecond: number): number => Math.min(Math.max(Math.ceil(perSecond / 4), 10), batch);
/** Longer than this no call works; the next one goes on. */
const longestMs = 20_000;
/** Rendered posts that are kept for those who get them next: a long one is half a megabyte. */
const keptPosts = 20;

let working: Promise<void> | null = null;

/** The same for each process only once at a time: who asks meanwhile waits for nothing, as it is being done. */
export async function deliverOnce(env: Env): Promise<void> {
  if (working !== null) return;
  working = deliver(env);
  await working.finally(() => (working = null));
}

/**
 * Sends what is due until nothing is, or the time is over. Any number of workers share the work; what one does not live to record is sent again
 * under the same id, so each mail goes out at least once. Never more than `mailRate` a second.
 */
export async function deliver(env: Env, patienceMs = longestMs): Promise<void> {
  if (env.mail === null) return;
  const { mail } = env;
  const outbox = new Outbox(env);
  const until = Date.now() + patienceMs;
  const pace = new Pace(env.mailRate);
  const posts = new Posts(outbox, env.publicUrl);
  const months = new Months(outbox);
  // What cannot be made keeps nothing that waits already from being sent.
  const orNone = (event: string) => (error: unknown) => log({ event, reason: describeFault(error).message });
  await outbox.prepare().catch(orNone("deliveries not made"));
  await outbox.prepareReports().catch(orNone("reports not made"));
  for (let taken = batch; taken === batch && Date.now() < until;) {
    const deliveries = await outbox.claim(batch);
    taken = deliveries.length;
    posts.askAgain();
    months.askAgain();
    const settled: Settled[] = [];
    const queue = deliveries.values();
    const work = async (): Promise<void> => {
      for (const delivery of queue) settled.push({ id: delivery.id, ...(await one(delivery)) });
    };
    const one = async (delivery: Delivery): Promise<Handed | { outcome: "dropped" }> => {
      try {
        const message = await write(delivery, mail.from);
        if (message === null) return { outcome: "dropped" };
        await pace.turn();
        return await handOver(mail, message);
      } catch (error) {
        return { outcome: "again", error: describeFault(error).message };
      }
    };
    const write = async (delivery: Delivery, from: string): Promise<Message | null> => {
      if (delivery.kind === "report") return reportMail(delivery, await months.of(delivery), env.publicUrl);
      const shown = await posts.of(delivery);
      return delivery.posts.length > 0 && shown.length === 0 ? null : mailOf(delivery, shown, { publicUrl: env.publicUrl, from });
    };
    await Promise.all(Array.from({ length: abreastFor(env.mailRate) }, work));
    if (settled.length > 0) {
      await persistently(() => outbox.settle(settled)); // what is not recorded is sent a second time
      const count = (outcome: Settled["outcome"]) => settled.filter((one) => one.outcome === outcome).length;
      log({ event: "mails", done: count("done"), again: count("again"), failed: count("failed"), dropped: count("dropped") });
    }
  }
}

/** The numbers of reports: added up once for all of a batch who get the same. */
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
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const reading = this.#outbox.month(workspace, month);
    this.#known.set(key, reading);
    return reading;
  }
}

/** What mails tell of: whether a post may still be seen is asked for each batch; its content is read and rendered once, whoever gets it. */
class Posts {
  readonly #outbox: Outbox;
  readonly #publicUrl: string;
  readonly #heads = new Map<string, Promise<ToldPost | null>>();
  readonly #rendered = new Map<string, { as: string; rendering: Promise<ToldPost | null> }>();

  constructor(outbox: Outbox, publicUrl: string) {
    this.#outbox = outbox;
    this.#publicUrl = publicUrl;
  }

  /** From now on nothing counts that was said about posts before. */
  askAgain(): void {
    this.#heads.clear();
  }

  /** Those of a delivery that are still visible, newest first; with their content where all of it is told. */
  async of(delivery: Delivery): Promise<ToldPost[]> {
    const { kind, posts, subdomain } = delivery;
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
      one.catch(() => {}); // whoever waits for it hears it
      this.#heads.set(id, one);
    }
  }

  #withContent({ post: { id, version, ...head } }: ToldPost, base: string, voice: Voice): Promise<ToldPost | null> {
    const { accent, dir } = lookOfContent({ id, version, ...head }, voice);
    const as = [version, base, voice.locale, accent, dir].join(" ");
    const known = this.#rendered.get(id);
    if (known?.as === as) return known.rendering;
    const rendering = this.#outbox.post(id).then(async (post) => (post === null ? null : await renderPost(post, base, voice)));
    rendering.catch(() => this.#rendered.delete(id));
    this.#rendered.delete(id);
    this.#rendered.set(id, { as, rendering });
    const [oldest] = this.#rendered.keys();
    if (this.#rendered.size > keptPosts && oldest !== undefined) this.#rendered.delete(oldest);
    return rendering;
  }
}

/** Lets so many pass in a second, evenly. */
class Pace {
  readonly #gapMs: number;
  #next = 0;

  constructor(perSecond: number) {
    this.#gapMs = 1_000 / perSecond;
  }

  async turn(): Promise<void> {
    const now = performance.now();
    const at = Math.max(now, this.#next);
    this.#next = at + this.#gapMs;
    if (at > now) await new Promise((resolve) => setTimeout(resolve, at - now));
  }
}
