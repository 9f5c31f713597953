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

/** Requests under way at once; most of the time they wait for somebody else. */
const abreast = 128;
/** Longer than this nothing more is taken; whoever wakes the worker has it go on. */
const longestMs = 20_000;
/** What ends within so short a time is recorded in one go. */
const gatherMs = 5;
/** Posts that are kept for those who hear of them next. */
const keptPosts = 50;

export type Claimed = ClaimedWebhook;

/** How a try went (supabase/schemas/79-webhooks.sql). */
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
 * Sends what webhooks and chats are told. Beside the one that sends mails: neither waits for the other. Requests that hang are left to themselves
 * while others go on; how many of one address and workspace are under way at once is the database's matter, so it holds for any number of workers.
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

  /** `goOn` hears of work that goes on when the call that asked for it was answered. */
  constructor(env: Env, network: Network, goOn: (work: Promise<unknown>) => void = () => {}) {
    this.#env = env;
    this.#network = network;
    this.#goOn = goOn;
    this.#outbox = new Outbox(env);
    this.#seal = new Seal(env, "webhooks");
  }

  /**
   * Looks for what is due, now and for a while; answers when there is nothing to do and nothing under way. Waking it twice is once. Nobody has to
   * wait for it: that it failed is in the log.
   */
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
      this.#running = null; // at once: who wakes it from now on starts it anew
    }
  }

  /** Records what was tried and takes more, also while the database is away for a moment. `isBusy`: what is under way is still to be recorded. */
  async #record(outcomes: readonly Tried[], room: number, isBusy: boolean): Promise<Claimed[]> {
    const ask = () => this.#outbox.webhooks(outcomes, room);
    if (outcomes.length === 0) return isBusy ? await ask().catch(() => []) : await ask();
    const claimed = await persistently(ask); // what is not recorded is sent a second time
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

  /** Where it goes, and what is said there; null where there is nothing to tell any more. */
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
      if (secret === null) throw new Unreachable("Its address cannot be read any more: enter it again");
      if (!this.#env.webhooksToPrivate && !isChatAddress(kind as WebhookKind, secret))
        throw new Unreachable("Its address is not one of this chat");
      const body = new TextEncoder().encode(JSON.stringify(messageOf(kind as Exclude<WebhookKind, "webhook">, news, this.#env.publicUrl)));
      return { url: new URL(secret), headers, body };
    }
    if (secret === null) throw new Unreachable("Its secret cannot be read any more: make a new one");
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

  /** Read once for all who hear of this version; null where readers may not see it any more. */
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

/** Who has too much to do, or has somebody before him who says so. */
const overloaded = new Set([429, 502, 503, 504]);
/** What a chat says of an address that it does not know, and of a message that it will never take. */
const chatGone = new Set([404, 410]);
const chatRefusals = new Set([400, 413]);

/** What an answer means for the delivery. */
export function outcomeOf(kind: WebhookKind, { status, after, answer, ms }: Reply): Omit<Tried, "id"> {
  const said = { status, ms, answer, ...(after !== undefined && { after }) };
  if (status >= 200 && status < 300) return { status, ms, answer, outcome: "done" };
  if (status === 410 || (kind !== "webhook" && chatGone.has(status)))
    return { ...said, outcome: "gone", error: `It answered ${status}: nobody is there any more` };
  if (kind !== "webhook" && chatRefusals.has(status))
    return { ...said, outcome: "failed", error: `The message was refused with ${status}` };
  const error = status < 400 ? `It answered ${status}: nothing is followed elsewhere` : `It answered ${status}`;
  return { ...said, outcome: "again", error, slower: overloaded.has(status) };
}
