import type { z } from "zod";
import type { RowOf } from "#contract/database.ts";
import { managers } from "#contract/kinds.ts";
import type { Tag } from "#contract/tags.ts";
import {
  type changedWebhook,
  chatHosts,
  deliveriesPageSize,
  type Delivery,
  isChatAddress,
  type newWebhook,
  type SentEvent,
  type Webhook,
  webhookEndpoints,
  type WebhookKind,
} from "#contract/webhooks.ts";
import { v1WebhookEndpoints } from "#contract/v1/webhooks.ts";
import type { Database } from "../../_shared/clients.ts";
import type { Env } from "../../_shared/env.ts";
import { AppError } from "../../_shared/errors.ts";
import type { Binder } from "../../_shared/handle.ts";
import type { JobWorker } from "../../_shared/jobs.ts";
import { findOwnHost } from "../workspaces/queries.ts";
import { originOf } from "../../_shared/public-origin.ts";
import { json, rows } from "../result.ts";
import { requireRole } from "../workspaces/queries.ts";
import { messageOf, shownOf } from "./chat.ts";
import { NoSuchName, NotPublic, publicAddresses, type Network } from "../../_shared/outbound/network.ts";
import { bodyOf, type WebhookNotice, payloadOf, postPayload } from "./payloads.ts";
import { Seal } from "../../_shared/seal.ts";
import { newSecret } from "./secret.ts";

const lookUpMs = 4_000;

export function bindWebhooks({ signedIn, withKey }: Binder, env: Env, network: Network, jobs: JobWorker): void {
  const seal = new Seal(env, "webhooks");
  const addresses = new Addresses(env, network);
  /** Sends now instead of at the next cron run. */
  const sendNow = () => void jobs.wake();

  async function create(db: Database, workspaceId: string, { url, kind, ...chosen }: z.output<typeof newWebhook>) {
    await addresses.check(kind, url);
    const id = crypto.randomUUID();
    const secret = kind === "webhook" ? newSecret() : null;
    const sealed = await seal.close(id, secret ?? new URL(url).href);
    const row = { id, kind, url: shownAddress(kind, url), sealed, ...chosen };
    return { webhook: await json<Webhook>(db.rpc("create_webhook", { workspace_id: workspaceId, webhook: row })), secret };
  }

  async function change(db: Database, workspaceId: string, id: string, { url, ...changes }: z.output<typeof changedWebhook>) {
    let address = {};
    if (url !== undefined) {
      const { kind } = await find(db, workspaceId, id);
      await addresses.check(kind, url);
      address = { url: shownAddress(kind, url), ...(kind !== "webhook" && { sealed: await seal.close(id, new URL(url).href) }) };
    }
    const changed = { workspace_id: workspaceId, webhook: id, changes: { ...changes, ...address } };
    return { webhook: await json<Webhook>(db.rpc("change_webhook", changed)) };
  }

  async function remove(db: Database, workspaceId: string, id: string) {
    await rows(db.rpc("remove_webhook", { workspace_id: workspaceId, webhook: id }));
    return { success: true as const };
  }

  async function ping(db: Database, workspaceId: string, id: string) {
    const delivery = await json<Delivery>(db.rpc("ping_webhook", { workspace_id: workspaceId, webhook: id }));
    sendNow();
    return { delivery };
  }

  async function resend(db: Database, workspaceId: string, delivery: string, webhook?: string) {
    const sent = await json<Delivery>(db.rpc("resend_delivery", { workspace_id: workspaceId, delivery, ...(webhook && { webhook }) }));
    sendNow();
    return { delivery: sent };
  }

  signedIn(webhookEndpoints.list, async ({ db, params }) => ({ webhooks: await list(db, params.workspaceId) }));

  signedIn(webhookEndpoints.create, async ({ db, params, body }) => {
    await requireRole(db, params.workspaceId, managers);
    return await create(db, params.workspaceId, body);
  });

  signedIn(webhookEndpoints.change, ({ db, params: { workspaceId, id }, body }) => change(db, workspaceId, id, body));
  signedIn(webhookEndpoints.enable, ({ db, params: { workspaceId, id } }) => change(db, workspaceId, id, { enabled: true }));
  signedIn(webhookEndpoints.remove, ({ db, params: { workspaceId, id } }) => remove(db, workspaceId, id));

  signedIn(webhookEndpoints.rotate, async ({ db, params: { workspaceId, id } }) => {
    const secret = newSecret();
    const sealed = await seal.close(id, secret);
    return { webhook: await json<Webhook>(db.rpc("rotate_webhook", { workspace_id: workspaceId, webhook: id, sealed })), secret };
  });

  signedIn(webhookEndpoints.ping, ({ db, params: { workspaceId, id } }) => ping(db, workspaceId, id));
  signedIn(webhookEndpoints.deliveries, ({ db, params: { workspaceId, id }, query: { cursor, state } }) =>
    logOf(db, workspaceId, id, { cursor, state, size: deliveriesPageSize }),
  );
  signedIn(webhookEndpoints.resend, ({ db, params: { workspaceId, id } }) => resend(db, workspaceId, id));
  signedIn(webhookEndpoints.resendOf, ({ db, params: { workspaceId, id, deliveryId } }) => resend(db, workspaceId, deliveryId, id));

  signedIn(webhookEndpoints.resendFailed, async ({ db, params: { workspaceId, id }, body: { since } }) => {
    const count = await rows(db.rpc("resend_failed", { workspace_id: workspaceId, webhook: id, since }));
    if (count > 0) sendNow();
    return { count };
  });

  signedIn(webhookEndpoints.preview, async ({ db, params: { workspaceId }, body: { kind, event, post } }) => {
    await requireRole(db, workspaceId, managers);
    const { news, isExample } = await newsOf(db, env, workspaceId, event, post);
    const body =
      kind === "webhook"
        ? (JSON.parse(new TextDecoder().decode(bodyOf(payloadOf(news, env.publicUrl)))) as Record<string, unknown>)
        : messageOf(kind, news, env.publicUrl);
    return { example: isExample, shown: shownOf(news, env.publicUrl), body };
  });

  withKey(v1WebhookEndpoints.list, async ({ db, key }) => ({ webhooks: await list(db, key.workspaceId) }));
  withKey(v1WebhookEndpoints.create, ({ db, key, body }) => create(db, key.workspaceId, body));
  withKey(v1WebhookEndpoints.change, ({ db, key, params, body }) => change(db, key.workspaceId, params.id, body));
  withKey(v1WebhookEndpoints.remove, ({ db, key, params }) => remove(db, key.workspaceId, params.id));
  withKey(v1WebhookEndpoints.ping, ({ db, key, params }) => ping(db, key.workspaceId, params.id));
  withKey(v1WebhookEndpoints.deliveries, async ({ db, key, params, query: { cursor, state, limit } }) => {
    const { deliveries, next } = await logOf(db, key.workspaceId, params.id, { cursor, state, size: limit });
    return { deliveries, next_cursor: next };
  });
  withKey(v1WebhookEndpoints.resend, ({ db, key, params }) => resend(db, key.workspaceId, params.id));
}

const list = (db: Database, workspaceId: string) => json<Webhook[]>(db.rpc("list_webhooks", { workspace_id: workspaceId }));

async function find(db: Database, workspaceId: string, id: string): Promise<Webhook> {
  const existing = (await list(db, workspaceId)).find((webhook) => webhook.id === id);
  if (existing === undefined) throw new AppError("not_found");
  return existing;
}

interface DeliveryQuery {
  cursor: string | undefined;
  state: "all" | Delivery["state"];
  size: number;
}

async function logOf(db: Database, workspaceId: string, webhook: string, { cursor, state, size }: DeliveryQuery) {
  const log = await json<Delivery[]>(
    db.rpc("webhook_deliveries", {
      ...{ workspace_id: workspaceId, webhook, size: size + 1 },
      ...(state !== "all" && { state }),
      ...(cursor !== undefined && { before: placeOf(cursor) }),
    }),
  );
  const deliveries = log.slice(0, size);
  const last = deliveries.at(-1);
  return { deliveries, next: log.length > size && last !== undefined ? `${last.created_at}_${last.id}` : null };
}

function placeOf(cursor: string): { at: string; id: string } {
  const [, at, id] = /^([\dT:.+-]{20,40}Z?)_([0-9a-f-]{36})$/.exec(cursor) ?? [];
  if (at === undefined || id === undefined || Number.isNaN(Date.parse(at)))
    throw new AppError("validation_failed", { fields: { cursor: "This isn't a valid cursor" } });
  return { at, id };
}

function shownAddress(kind: WebhookKind, url: string): string {
  const { href, origin } = new URL(url);
  return kind === "webhook" ? href : `${origin}/…${href.slice(-4)}`;
}

const names: Record<Exclude<WebhookKind, "webhook">, string> = { slack: "Slack", discord: "Discord", teams: "Microsoft Teams" };

/** Early check of an address (SSRF); repeated on sending. */
class Addresses {
  readonly #env: Env;
  readonly #network: Network;

  constructor(env: Env, network: Network) {
    this.#env = env;
    this.#network = network;
  }

  async check(kind: WebhookKind, text: string): Promise<void> {
    if (this.#env.webhooksToPrivate) return;
    if (kind !== "webhook") {
      if (isChatAddress(kind, text)) return;
      const [host] = chatHosts[kind];
      throw refused(`This isn't a ${names[kind]} webhook. Those are at ${host.startsWith(".") ? `…${host}` : host}`);
    }
    try {
      await publicAddresses(this.#network, new URL(text), AbortSignal.timeout(lookUpMs));
    } catch (error) {
      // Other DNS failures may be temporary.
      if (error instanceof NotPublic || error instanceof NoSuchName) throw refused(error.message);
    }
  }
}

const refused = (sentence: string) => new AppError("validation_failed", { fields: { url: sentence } });

async function newsOf(
  db: Database,
  env: Env,
  workspaceId: string,
  type: SentEvent,
  post: string | undefined,
): Promise<{ news: WebhookNotice; isExample: boolean }> {
  const posts = db.from("post_details").select().eq("workspace_id", workspaceId);
  const [workspaceRow, domain, { tags }, latest] = await Promise.all([
    rows(db.from("workspaces").select("id, name, subdomain").eq("id", workspaceId).single()),
    findOwnHost(db, workspaceId),
    json<{ tags: Tag[] }>(db.rpc("list_tags", { workspace_id: workspaceId })),
    rows(
      post === undefined
        ? posts.eq("status", "published").order("published_at", { ascending: false }).limit(1).maybeSingle()
        : posts.eq("id", post).maybeSingle(),
    ),
  ]);
  if (post !== undefined && latest === null) throw new AppError("not_found");
  const workspace = { ...workspaceRow, domain };
  const now = new Date().toISOString();
  const row = latest ?? exampleOf(now);
  const examplePost = await postPayload({ ...row, ...datesOf(row, now) }, tags, originOf(env.publicUrl, workspace));
  const { id, title, slug } = examplePost;
  const isSeen = type === "post.published" || type === "post.updated";
  const facts =
    type === "post.scheduled"
      ? { id, title, tags: examplePost.tags, scheduled_for: row.publish_at ?? now }
      : { id, title, slug, tags: examplePost.tags };
  const news: WebhookNotice = {
    type,
    happenedAt: now,
    workspace,
    post: isSeen ? examplePost : null,
    facts: isSeen ? {} : facts,
    webhookId: workspaceId,
  };
  return { news, isExample: latest === null };
}

const datesOf = ({ published_at, updated_at }: { published_at: string | null; updated_at: string }, now: string) => ({
  published_at: published_at ?? now,
  updated_at,
});

const exampleOf = (now: string) =>
  ({
    ...{
      id: "00000000-0000-4000-8000-000000000000",
      title: "Dark mode",
      slug: "dark-mode",
      tags: ["feature"],
      author_name: "Ada Lovelace",
    },
    excerpt: "Work late without a glare: every page now follows the colours of your system.",
    ...{ cover_image: null, content_raw: { blocks: [] }, requests: [], details: {}, published_at: now, updated_at: now, publish_at: null },
  }) satisfies Partial<RowOf<"post_details">>;
