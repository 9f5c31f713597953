import type { Env } from "../../_shared/env.ts";
import { describeFault, log } from "../../_shared/log.ts";
import { type Handed, handOver } from "../../_shared/mail.ts";
import { Outbox, type Settled } from "../../_shared/outbox.ts";
import { type Delivery, mailOf, originOf, type RenderedPost, renderPost } from "./mails.ts";

const batch = 100;
/** Mails under way at once. */
const abreast = 10;
/** Longer than this no call works; the next one goes on. */
const longestMs = 20_000;
/** Posts whose contents are asked for and kept at once: a long one is 300,000 characters. */
const postsAtOnce = 5;

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
  await outbox.prepare();
  for (let taken = batch; taken === batch && Date.now() < until;) {
    const deliveries = await outbox.claim(batch);
    taken = deliveries.length;
    const posts = new Posts(outbox, env.publicUrl);
    const settled: Settled[] = [];
    const queue = deliveries.values();
    const work = async (): Promise<void> => {
      for (const delivery of queue) settled.push({ id: delivery.id, ...(await one(delivery)) });
    };
    const one = async (delivery: Delivery): Promise<Handed | { outcome: "dropped" }> => {
      try {
        const shown = await posts.of(delivery);
        if (delivery.posts.length > 0 && shown.length === 0) return { outcome: "dropped" };
        await pace.turn();
        return await handOver(mail, mailOf(delivery, shown, { publicUrl: env.publicUrl, from: mail.from }));
      } catch (error) {
        return { outcome: "again", error: describeFault(error).message };
      }
    };
    await Promise.all(Array.from({ length: abreast }, work));
    if (settled.length > 0) {
      await outbox.settle(settled);
      const count = (outcome: Settled["outcome"]) => settled.filter((one) => one.outcome === outcome).length;
      log({ event: "mails", done: count("done"), again: count("again"), failed: count("failed"), dropped: count("dropped") });
    }
  }
}

/** Posts of one batch, each read and rendered once, whoever gets it. */
class Posts {
  readonly #outbox: Outbox;
  readonly #publicUrl: string;
  readonly #rendering = new Map<string, Promise<RenderedPost | null>>();

  constructor(outbox: Outbox, publicUrl: string) {
    this.#outbox = outbox;
    this.#publicUrl = publicUrl;
  }

  /** Those of a delivery that are still visible, newest first. */
  async of({ posts, subdomain }: Delivery): Promise<RenderedPost[]> {
    const missing = posts.filter((id) => !this.#rendering.has(id));
    for (let at = 0; at < missing.length; at += postsAtOnce) this.#render(missing.slice(at, at + postsAtOnce), subdomain);
    const rendered = await Promise.all(posts.map((id) => this.#rendering.get(id)));
    return rendered.filter((post) => post !== null && post !== undefined);
  }

  #render(ids: readonly string[], subdomain: string): void {
    const reading = this.#outbox.posts(ids);
    const base = originOf(this.#publicUrl, subdomain);
    for (const id of ids) {
      const one = reading.then(async (posts) => {
        const post = posts.find((candidate) => candidate.id === id);
        return post === undefined ? null : await renderPost(post, base);
      });
      one.catch(() => {}); // whoever waits for it hears it
      this.#rendering.set(id, one);
    }
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
