import type { SupabaseClient } from "@supabase/supabase-js";
import { isChatAddress, type SentEvent, type WebhookKind } from "#contract/webhooks.ts";
import type { Tag } from "#contract/tags.ts";
import type { AnswerOf, Database, Json } from "#contract/database.ts";
import { serviceClient } from "../../_shared/clients.ts";
import type { Env } from "../../_shared/env.ts";
import { databaseTimeoutMs, type Job, type Task } from "../../_shared/jobs.ts";
import { describeFault, log } from "../../_shared/log.ts";
import { retry } from "../../_shared/retry.ts";
import { signWebhook } from "../../_shared/standard-webhooks.ts";
import { originOf } from "../../_shared/public-origin.ts";
import { messageOf } from "./chat.ts";
import { postPublicUrl, type Reply } from "../../_shared/outbound/post-public-url.ts";
import { type Network, Unreachable } from "../../_shared/outbound/network.ts";
import { bodyOf, type WebhookNotice, payloadOf, type PostRow, postPayload } from "./payloads.ts";
import { Seal } from "../../_shared/seal.ts";

const databaseAwaySeconds = 5;
const timeout = () => AbortSignal.timeout(databaseTimeoutMs);

export type Sending = AnswerOf<"webhook_to_send">[number];

export interface Result {
  outcome: "done" | "again" | "failed" | "gone";
  status?: number;
  ms?: number;
  error?: string;
  answer?: string;
  after?: number;
  slower?: boolean;
}

/** Sends webhooks and chat messages (supabase/schemas/79-webhook-deliveries.sql), with the service role: workers have no user. */
export class WebhookSender implements Task {
  readonly concurrency = 128;
  readonly #service: SupabaseClient<Database>;
  readonly #seal: Seal;
  readonly #env: Env;
  readonly #network: Network;

  constructor(env: Env, network: Network) {
    this.#env = env;
    this.#network = network;
    this.#service = serviceClient(env);
    this.#seal = new Seal(env, "webhooks");
  }

  async run({ id: delivery, lease }: Job): Promise<number | "ended" | void> {
    try {
      const [sending] = (await this.#service.rpc("webhook_to_send", { delivery }).abortSignal(timeout()).throwOnError()).data;
      if (sending === undefined) return;
      const result = await this.#send(sending);
      if (result.outcome !== "done") log({ event: "webhook not delivered", delivery, outcome: result.outcome });
      const settle = async () =>
        await this.#service
          .rpc("settle_webhook", { delivery, lease, result: result as unknown as Json })
          .abortSignal(timeout())
          .throwOnError();
      await retry(settle); // unrecorded deliveries are sent twice
      return "ended";
    } catch (error) {
      log({ event: "webhook not recorded", delivery, reason: describeFault(error).message });
      return databaseAwaySeconds; // our outage costs no attempt
    }
  }

  async #send(sending: Sending): Promise<Result> {
    const began = performance.now();
    try {
      const reply = await postPublicUrl(this.#network, await this.#messageOf(sending), { toPrivate: this.#env.webhooksToPrivate });
      return resultOf(sending.kind as WebhookKind, reply);
    } catch (error) {
      if (!(error instanceof Unreachable)) log({ event: "webhook not sent", reason: describeFault(error).message });
      const reason = error instanceof Unreachable ? error.message : "Something went wrong on our side";
      return { outcome: "again", error: reason, ms: Math.round(performance.now() - began) };
    }
  }

  async #messageOf(sending: Sending): Promise<{ url: URL; headers: Record<string, string>; body: Uint8Array }> {
    const { kind, webhook_id: webhookId, workspace_id: id, workspace_name: name, subdomain, domain, facts } = sending;
    const secret = await this.#seal.open(webhookId, sending.sealed);
    const workspace = { id, name, subdomain, domain };
    const post = sending.post as unknown as (PostRow & { own_tags: Tag[] }) | null;
    const news: WebhookNotice = {
      type: sending.type as SentEvent,
      happenedAt: sending.happened_at,
      workspace,
      post: post && (await postPayload(post, post.own_tags, originOf(this.#env.publicUrl, workspace))),
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
    const before = sending.sealed_before === null ? null : await this.#seal.open(webhookId, sending.sealed_before);
    const body = bodyOf(payloadOf(news, this.#env.publicUrl));
    const parts = { id: sending.event_id, timestamp: Math.floor(Date.now() / 1_000), body };
    const signatures = await Promise.all([secret, before].filter((one) => one !== null).map((one) => signWebhook(one, parts)));
    return {
      url: new URL(sending.url),
      headers: {
        ...headers,
        "webhook-id": parts.id,
        "webhook-timestamp": String(parts.timestamp),
        "webhook-signature": signatures.join(" "),
      },
      body,
    };
  }
}

/** Overload, possibly by a proxy. */
const overloaded = new Set([429, 502, 503, 504]);
const chatGone = new Set([404, 410]);
const chatRefusals = new Set([400, 413]);

export function resultOf(kind: WebhookKind, { status, after, answer, ms }: Reply): Result {
  const failure = { status, ms, answer, ...(after !== undefined && { after }) };
  if (status >= 200 && status < 300) return { status, ms, answer, outcome: "done" };
  if (status === 410 || (kind !== "webhook" && chatGone.has(status)))
    return { ...failure, outcome: "gone", error: `Responded with ${status}: the URL no longer exists` };
  if (kind !== "webhook" && chatRefusals.has(status))
    return { ...failure, outcome: "failed", error: `The message was rejected with ${status}` };
  const error = status < 400 ? `Responded with ${status}: redirects aren't followed` : `Responded with ${status}`;
  return { ...failure, outcome: "again", error, slower: overloaded.has(status) };
}
