import { isChatAddress, type SentEvent, type WebhookKind } from "#contract/webhooks.ts";
import type { Tag } from "#contract/tags.ts";
import type { Env } from "../../_shared/env.ts";
import { describeFault, log } from "../../_shared/log.ts";
import { type ClaimedWebhook, Outbox } from "../../_shared/outbox.ts";
import { persistently } from "../../_shared/persistently.ts";
import { signWebhook } from "../../_shared/standard-webhooks.ts";
import { originOf } from "../../_shared/public-origin.ts";
import { messageOf } from "./chat.ts";
import { exchange, type Reply } from "../../_shared/outbound/exchange.ts";
import { type Network, Unreachable } from "../../_shared/outbound/network.ts";
import { bodyOf, type News, payloadOf, tellPost, type ToldPost } from "./payloads.ts";
import { Seal } from "../../_shared/seal.ts";

const abreast = 128;
/** No new claims after this; the next wake continues. */
const longestMs = 20_000;
const gatherMs = 5;
const keptPosts = 50;

export type Claimed = ClaimedWebhook;

export interface Tried {
  id: string;
  outcome: "done" | "again" | "failed" | "gone" | "dropped";
  status?: number;
  ms?: number;
  error?: string;
  answer?: string;
  after?: number;
  slower?: boolean;
}

/**
 * Sends webhooks and chat messages, independently of emails. Hanging requests don't block; concurrency per address and workspace is limited
 * in the database, across workers.
 */
export class WebhookWorker {
  readonly #outbox: Outbox;
  readonly #seal: Seal;
  readonly #env: Env;
  readonly #network: Network;
  readonly #goOn: (work: Promise<unknown>) => void;
  readonly #posts = new Map<string, Promise<ToldPost | null>>();
  #running: Promise<void> | null = null;
  #until = 0;
  #wasWoken = false;
  #poke: () => void = () => {};

  /** `goOn` keeps the worker alive for background work. */
  constructor(env: Env, network: Network, goOn: (work: Promise<unknown>) => void = () => {}) {
    this.#env = env;
    this.#network = network;
    this.#goOn = goOn;
    this.#outbox = new Outbox(env);
    this.#seal = new Seal(env, "webhooks");
  }

  /** Polls for a while; resolves when idle. Idempotent. Failures are logged. */
  wake(): Promise<void> {
    this.#until = Date.now() + longestMs;
    this.#wasWoken = true;
    this.#poke();
    this.#running ??= this.#run();
    this.#goOn(this.#running.catch((error: unknown) => log({ event: "webhooks not sent", reason: describeFault(error).message })));
    return this.#running;
  }

  async #run(): Promise<void> {
    const over: Tried[] = [];
    let underWay = 0;
    try {
      for (;;) {
        const outcomes = over.splice(0);
        const room = Date.now() < this.#until ? abreast - underWay : 0;
        this.#wasWoken = false;
        const claimed = outcomes.length > 0 || room > 0 ? await this.#record(outcomes, room, underWay > 0) : [];
        for (const one of claimed) {
          underWay += 1;
          void this.#try(one).then((tried) => {
            underWay -= 1;
            over.push(tried);
            this.#poke();
          });
        }
        if (claimed.length === 0 && underWay === 0 && over.length === 0 && !this.#wasWoken) return;
        if (over.length === 0 && !this.#wasWoken && underWay > 0) await new Promise<void>((resolve) => (this.#poke = resolve));
        if (underWay > 0) await new Promise((resolve) => setTimeout(resolve, gatherMs));
      }
    } finally {
      this.#running = null; // synchronous, so a later wake starts again
    }
  }

  /** Records results and claims more, with retries. `isBusy`: more results will follow. */
  async #record(outcomes: readonly Tried[], room: number, isBusy: boolean): Promise<Claimed[]> {
    const ask = () => this.#outbox.webhooks(outcomes, room);
    if (outcomes.length === 0) return isBusy ? await ask().catch(() => []) : await ask();
    const claimed = await persistently(ask); // unrecorded deliveries are sent twice
    const count = (outcome: Tried["outcome"]) => outcomes.filter((one) => one.outcome === outcome).length;
    const gone = count("failed") + count("gone");
    log({ event: "webhooks", done: count("done"), again: count("again"), failed: gone, dropped: count("dropped") });
    return claimed;
  }

  async #try(claimed: Claimed): Promise<Tried> {
    const { id } = claimed;
    const began = performance.now();
    const taken = () => Math.round(performance.now() - began);
    try {
      const message = await this.#messageOf(claimed);
      if (message === null) return { id, outcome: "dropped" };
      const reply = await exchange(this.#network, message, { toPrivate: this.#env.webhooksToPrivate });
      return { id, ...outcomeOf(claimed.kind as WebhookKind, reply) };
    } catch (error) {
      if (!(error instanceof Unreachable)) log({ event: "webhook not sent", reason: describeFault(error).message });
      const reason = error instanceof Unreachable ? error.message : "Something went wrong on our side";
      return { id, outcome: "again", error: reason, ms: taken() };
    }
  }

  async #messageOf(claimed: Claimed): Promise<{ url: URL; headers: Record<string, string>; body: Uint8Array } | null> {
    const { kind, webhook_id: webhookId, workspace_id, workspace_name, subdomain, domain, facts } = claimed;
    const secret = await this.#seal.open(webhookId, claimed.sealed);
    const post = claimed.post_version === null ? null : await this.#post(claimed);
    const type = claimed.type as SentEvent;
    if (post === null && (type === "post.published" || type === "post.updated")) return null;
    const news: News = {
      type,
      happenedAt: claimed.happened_at,
      workspace: { id: workspace_id, name: workspace_name, subdomain, domain },
      post,
      facts: facts as Record<string, unknown>,
      webhookId,
    };
    const headers = { "content-type": "application/json", "user-agent": "Tidings-Webhooks/1" };
    if (kind !== "webhook") {
      if (secret === null) throw new Unreachable("Its URL can't be read. Please enter it again");
      if (!this.#env.webhooksToPrivate && !isChatAddress(kind as WebhookKind, secret))
        throw new Unreachable("Its URL doesn't belong to this chat");
      const body = new TextEncoder().encode(JSON.stringify(messageOf(kind as Exclude<WebhookKind, "webhook">, news, this.#env.publicUrl)));
      return { url: new URL(secret), headers, body };
    }
    if (secret === null) throw new Unreachable("Its secret can't be read. Please create a new one");
    const before = claimed.sealed_before === null ? null : await this.#seal.open(webhookId, claimed.sealed_before);
    const body = bodyOf(payloadOf(news, this.#env.publicUrl));
    const parts = { id: claimed.event_id, timestamp: Math.floor(Date.now() / 1_000), body };
    const signatures = await Promise.all([secret, before].filter((one) => one !== null).map((one) => signWebhook(one, parts)));
    return {
      url: new URL(claimed.url),
      headers: {
        ...headers,
        "webhook-id": parts.id,
        "webhook-timestamp": String(parts.timestamp),
        "webhook-signature": signatures.join(" "),
      },
      body,
    };
  }

  #post({ post_id: id, post_version: version, subdomain, domain }: Claimed): Promise<ToldPost | null> {
    const key = `${id} ${version}`;
    const known = this.#posts.get(key);
    if (known) return known;
    const telling = this.#outbox
      .webhookPost(id)
      .then(async (row) =>
        row === null ? null : await tellPost(row, row.own_tags as unknown as Tag[], originOf(this.#env.publicUrl, { subdomain, domain })),
      );
    telling.catch(() => this.#posts.delete(key));
    this.#posts.set(key, telling);
    if (this.#posts.size > keptPosts) this.#posts.delete(this.#posts.keys().next().value!);
    return telling;
  }
}

/** Overload, possibly by a proxy. */
const overloaded = new Set([429, 502, 503, 504]);
const chatGone = new Set([404, 410]);
const chatRefusals = new Set([400, 413]);

export function outcomeOf(kind: WebhookKind, { status, after, answer, ms }: Reply): Omit<Tried, "id"> {
  const said = { status, ms, answer, ...(after !== undefined && { after }) };
  if (status >= 200 && status < 300) return { status, ms, answer, outcome: "done" };
  if (status === 410 || (kind !== "webhook" && chatGone.has(status)))
    return { ...said, outcome: "gone", error: `Responded with ${status}: the URL no longer exists` };
  if (kind !== "webhook" && chatRefusals.has(status))
    return { ...said, outcome: "failed", error: `The message was rejected with ${status}` };
  const error = status < 400 ? `Responded with ${status}: redirects aren't followed` : `Responded with ${status}`;
  return { ...said, outcome: "again", error, slower: overloaded.has(status) };
}
