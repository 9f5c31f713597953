import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { id, success, time } from "./fields.ts";
import { managers } from "./kinds.ts";
import { tagMaxLength, tagsPerPost } from "./limits.ts";
import { publicDetails } from "./details.ts";
import { releaseImage } from "./releases.ts";

/** `webhook.ping` is sent on demand and can't be subscribed to. */
export const webhookEvents = [
  "post.published",
  "post.updated",
  "post.unpublished",
  "post.scheduled",
  "subscriber.confirmed",
  "subscriber.left",
] as const;
export type WebhookEvent = (typeof webhookEvents)[number];
export const sentEvents = [...webhookEvents, "webhook.ping"] as const;
export type SentEvent = (typeof sentEvents)[number];

/** `webhook`: signed JSON (Standard Webhooks); chats get messages in their own format. */
export const webhookKinds = ["webhook", "slack", "discord", "teams"] as const;
export type WebhookKind = (typeof webhookKinds)[number];

/** No subscriber data goes to chats. */
export const chatEvents = [
  "post.published",
  "post.updated",
  "post.unpublished",
  "post.scheduled",
] as const satisfies readonly WebhookEvent[];

/** Allowed hosts; a leading dot matches subdomains. */
export const chatHosts = {
  slack: ["hooks.slack.com", "hooks.slack-gov.com"],
  discord: ["discord.com", "discordapp.com", "ptb.discord.com", "canary.discord.com"],
  teams: [".logic.azure.com", ".powerplatform.com", ".powerautomate.com", ".webhook.office.com"],
} as const satisfies Record<Exclude<WebhookKind, "webhook">, readonly string[]>;

export const webhookUrlMaxLength = 2_000;
export const webhookNameMaxLength = 80;
export const deliveriesPageSize = 50;
/** How long the previous secret also signs. */
export const oldSecretHours = 24;
export const deliveryLogDays = 30;
export const webhookMaxBytes = 20_000;

const postFacts = z.object({
  id,
  title: z.string(),
  slug: z.string(),
  url: z.string(),
  tags: z.array(z.string()),
});

const toldPost = postFacts.extend({
  excerpt: z.string(),
  author_name: z.string().nullable(),
  image: releaseImage.nullable(),
  published_at: time,
  updated_at: time,
  content_text: z.string(),
  /** Issues and pull requests that the post answers. */
  requests: z.array(z.string()),
  ...publicDetails.shape,
});

const toldWorkspace = z.object({ id, name: z.string(), subdomain: z.string(), url: z.string() });
const toldSubscriber = z.object({
  id,
  email: z.string(),
  frequency: z.enum(["instant", "daily", "weekly"]),
  tags: z.array(z.string()).nullable(),
});

const message = <Type extends SentEvent, Data extends z.ZodRawShape>(type: Type, data: Data) =>
  z.object({
    type: z.literal(type),
    timestamp: time,
    data: z.object({ workspace: toldWorkspace, ...data }),
  });

export const webhookPayloads = {
  /** Sent once per post, after the undo period. */
  "post.published": message("post.published", { post: toldPost }),
  /** A published post changed or was restored. `previous`: former values of changed fields. */
  "post.updated": message("post.updated", {
    post: toldPost,
    previous: z.object({ title: z.string().optional(), slug: z.string().optional(), tags: z.array(z.string()).optional() }),
  }),
  /** Archived, deleted or a draft again; with its last public data. */
  "post.unpublished": message("post.unpublished", { post: postFacts }),
  "post.scheduled": message("post.scheduled", {
    post: postFacts.pick({ id: true, title: true, tags: true }).extend({ scheduled_for: time }),
  }),
  "subscriber.confirmed": message("subscriber.confirmed", { subscriber: toldSubscriber }),
  "subscriber.left": message("subscriber.left", { subscriber: toldSubscriber }),
  "webhook.ping": message("webhook.ping", { webhook: z.object({ id }) }),
} as const satisfies Record<SentEvent, z.ZodType>;
export type WebhookPayload = { [Kind in SentEvent]: z.infer<(typeof webhookPayloads)[Kind]> }[SentEvent];

export const offReasons = ["by_hand", "gone", "failing"] as const;

export const webhook = z.object({
  id,
  kind: z.enum(webhookKinds),
  name: z.string(),
  /** Chat URLs without their secret part. */
  url: z.string(),
  events: z.array(z.enum(webhookEvents)),
  tags: z.array(z.string()).nullable(),
  enabled: z.boolean(),
  off_reason: z.enum(offReasons).nullable(),
  off_at: time.nullable(),
  /** The previous secret also signs until then; null: none. */
  old_secret_until: time.nullable(),
  failing_since: time.nullable(),
  last_success_at: time.nullable(),
  last_try_at: time.nullable(),
  waiting: z.int().nonnegative(),
  created_at: time,
});
export type Webhook = z.infer<typeof webhook>;

export const deliveryStates = ["waiting", "sending", "done", "failed", "dropped"] as const;

export const deliveryTry = z.object({
  at: time,
  status: z.int().nullable(),
  ms: z.int().nonnegative(),
  error: z.string().nullable(),
  answer: z.string().nullable(),
});

/** `dropped`: subject gone, event no longer subscribed, or URL changed. `event.id` is the `webhook-id`, stable across retries. */
export const delivery = z.object({
  id,
  event: z.object({
    id,
    type: z.enum(sentEvents),
    about: z.string().nullable(),
    post_id: id.nullable(),
    happened_at: time,
  }),
  state: z.enum(deliveryStates),
  again: z.boolean(),
  status: z.int().nullable(),
  error: z.string().nullable(),
  tries: z.array(deliveryTry),
  created_at: time,
  next_try_at: time.nullable(),
  ended_at: time.nullable(),
});
export type Delivery = z.infer<typeof delivery>;

const isWebAddress = (text: string): boolean => {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username === "" && password === "";
};

export function isChatAddress(kind: WebhookKind, url: string): boolean {
  if (kind === "webhook" || !URL.canParse(url)) return false;
  const { protocol, hostname, port, pathname } = new URL(url);
  const isHost = chatHosts[kind].some((host) => (host.startsWith(".") ? hostname.endsWith(host) : hostname === host));
  return protocol === "https:" && port === "" && isHost && (kind !== "discord" || pathname.startsWith("/api/webhooks/"));
}

export const kindOfAddress = (url: string): WebhookKind => webhookKinds.find((kind) => isChatAddress(kind, url)) ?? "webhook";

const url = z
  .string({ error: "Please enter a URL" })
  .trim()
  .max(webhookUrlMaxLength, { error: `Please use at most ${webhookUrlMaxLength} characters` })
  .refine(isWebAddress, { error: "Please enter a URL that starts with https://" });

const events = z
  .array(z.enum(webhookEvents, { error: "This event doesn't exist" }), { error: "Select at least one event" })
  .min(1, { error: "Select at least one event" })
  .transform((list) => [...new Set(list)]);

const tags = z.array(z.string().min(1).max(tagMaxLength)).min(1, { error: "Please choose a tag" }).max(tagsPerPost).nullable();
const name = z
  .string()
  .trim()
  .max(webhookNameMaxLength, { error: `Please use at most ${webhookNameMaxLength} characters` });

const webhookFields = { url, events, tags: tags.default(null), kind: z.enum(webhookKinds).optional(), name: name.default("") };
const whole = <Given extends z.ZodType<z.output<z.ZodObject<typeof webhookFields>>>>(fields: Given) =>
  fields
    .transform((one) => ({ ...one, kind: one.kind ?? kindOfAddress(one.url) }))
    .refine(({ kind, events }) => kind === "webhook" || events.every((event) => chatEvents.some((one) => one === event)), {
      error: "Chats can only get events about posts",
      path: ["events"],
    });

/** Default kind by URL: Slack, Discord or Teams, else webhook. */
export const newWebhook = whole(z.object(webhookFields));

const changes = { url, events, tags, name, enabled: z.boolean() };
export const changedWebhook = z.object(changes).partial();

export const strictNewWebhook = whole(z.strictObject(webhookFields));
export const strictChangedWebhook = z.strictObject(changes).partial();

export const shownMessage = z.object({ title: z.string(), url: z.string().nullable(), text: z.string(), tags: z.array(z.string()) });

export const webhookEndpoints = {
  list: endpoint("GET /api/workspaces/{workspaceId}/webhooks", {
    summary: "List webhooks and chats, oldest first",
    access: managers,
    response: z.object({ webhooks: z.array(webhook) }),
  }),
  create: endpoint("POST /api/workspaces/{workspaceId}/webhooks", {
    summary: "Create a webhook; the secret is returned only once, null for chats",
    access: managers,
    limit: "webhook",
    body: newWebhook,
    status: 201,
    response: z.object({ webhook, secret: z.string().nullable() }),
    errors: ["too_many_webhooks"],
  }),
  preview: endpoint("POST /api/workspaces/{workspaceId}/webhooks/preview", {
    summary: "Preview a payload for a post, by default the newest published one; an example if there's none",
    access: managers,
    limit: "webhook",
    body: z.object({ kind: z.enum(webhookKinds), event: z.enum(chatEvents).default("post.published"), post: id.optional() }),
    response: z.object({
      /** true: an example, not a post of the workspace. */
      example: z.boolean(),
      shown: shownMessage,
      body: z.record(z.string(), z.unknown()),
    }),
  }),
  change: endpoint("PATCH /api/workspaces/{workspaceId}/webhooks/{id}", {
    summary: "Change a webhook; absent fields stay",
    access: managers,
    limit: "webhook",
    body: changedWebhook,
    response: z.object({ webhook }),
  }),
  remove: endpoint("DELETE /api/workspaces/{workspaceId}/webhooks/{id}", {
    summary: "Delete a webhook and its log",
    access: managers,
    response: success,
  }),
  rotate: endpoint("POST /api/workspaces/{workspaceId}/webhooks/{id}/rotate", {
    summary: "Rotate the secret, which is returned only once; the previous one also signs for a day",
    access: managers,
    limit: "webhook",
    response: z.object({ webhook, secret: z.string() }),
  }),
  enable: endpoint("POST /api/workspaces/{workspaceId}/webhooks/{id}/enable", {
    summary: "Turn a webhook back on; missed events aren't sent",
    access: managers,
    response: z.object({ webhook }),
  }),
  ping: endpoint("POST /api/workspaces/{workspaceId}/webhooks/{id}/ping", {
    summary: "Send a test: webhook.ping, or a short message to a chat",
    access: managers,
    limit: "webhook",
    status: 201,
    response: z.object({ delivery }),
    errors: ["webhook_off"],
  }),
  deliveries: endpoint("GET /api/workspaces/{workspaceId}/webhooks/{id}/deliveries", {
    summary: "List deliveries of the last 30 days and pending ones, newest first; pass `next` as `cursor`",
    access: managers,
    query: z.object({ cursor: z.string().max(100).optional(), state: z.enum(["all", ...deliveryStates]).default("all") }),
    response: z.object({ deliveries: z.array(delivery), next: z.string().nullable() }),
  }),
  resend: endpoint("POST /api/workspaces/{workspaceId}/deliveries/{id}/resend", {
    summary: "Resend a delivery, with the same webhook-id and a new signature",
    access: managers,
    limit: "webhook",
    status: 201,
    response: z.object({ delivery }),
    errors: ["webhook_off"],
  }),
  resendOf: endpoint("POST /api/workspaces/{workspaceId}/webhooks/{id}/deliveries/{deliveryId}/resend", {
    summary: "Resend a delivery; same as …/deliveries/{id}/resend",
    access: managers,
    limit: "webhook",
    status: 201,
    response: z.object({ delivery }),
    errors: ["webhook_off"],
  }),
  resendFailed: endpoint("POST /api/workspaces/{workspaceId}/webhooks/{id}/resend-failed", {
    summary: "Resend all deliveries that failed since a given time and weren't delivered later, at most 1,000 per call",
    access: managers,
    limit: "webhook",
    body: z.object({ since: time }),
    response: z.object({ count: z.int().nonnegative() }),
    errors: ["webhook_off"],
  }),
} as const;
