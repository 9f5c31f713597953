import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { id, success, time } from "./fields.ts";
import { tagMaxLength, tagsPerPost } from "./limits.ts";
import { releaseImage } from "./releases.ts";

/** What a workspace tells other programs of. `webhook.ping` is sent on demand and cannot be chosen. */
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

/** `webhook`: signed JSON by Standard Webhooks; the others get a message in their own format. */
export const webhookKinds = ["webhook", "slack", "discord", "teams"] as const;
export type WebhookKind = (typeof webhookKinds)[number];

/** What a chat can be told of: nothing about readers, who are nobody's business there. */
export const chatEvents = [
  "post.published",
  "post.updated",
  "post.unpublished",
  "post.scheduled",
] as const satisfies readonly WebhookEvent[];

/** Whose addresses each chat's messages may go to; a name with a dot in front stands for every name that ends so. */
export const chatHosts = {
  slack: ["hooks.slack.com", "hooks.slack-gov.com"],
  discord: ["discord.com", "discordapp.com", "ptb.discord.com", "canary.discord.com"],
  teams: [".logic.azure.com", ".powerplatform.com", ".powerautomate.com", ".webhook.office.com"],
} as const satisfies Record<Exclude<WebhookKind, "webhook">, readonly string[]>;

export const webhookUrlMaxLength = 2_000;
export const webhookNameMaxLength = 80;
export const deliveriesPageSize = 50;
/** How long the secret before the present one still signs, too. */
export const oldSecretHours = 24;
/** How long the log of deliveries is kept. */
export const deliveryLogDays = 30;
/** The longest body that is sent, in bytes. */
export const webhookMaxBytes = 20_000;

const postFacts = z.object({
  /** Stays when title, address or content change. */
  id,
  title: z.string(),
  slug: z.string(),
  url: z.string(),
  tags: z.array(z.string()),
});

/** A post as readers may see it at the moment of sending; `content_text` is cut where the whole would be longer than 20 kB. */
const toldPost = postFacts.extend({
  excerpt: z.string(),
  author_name: z.string().nullable(),
  image: releaseImage.nullable(),
  published_at: time,
  updated_at: time,
  content_text: z.string(),
});

const toldWorkspace = z.object({ id, name: z.string(), subdomain: z.string(), url: z.string() });
const toldSubscriber = z.object({
  id,
  email: z.string(),
  frequency: z.enum(["instant", "daily", "weekly"]),
  /** null: everything. */
  tags: z.array(z.string()).nullable(),
});

const message = <Type extends SentEvent, Data extends z.ZodRawShape>(type: Type, data: Data) =>
  z.object({
    type: z.literal(type),
    /** When it happened. */
    timestamp: time,
    data: z.object({ workspace: toldWorkspace, ...data }),
  });

/** The bodies that are sent, by event. */
export const webhookPayloads = {
  /** Told once a post, when the time in which it can be taken back is over. */
  "post.published": message("post.published", { post: toldPost }),
  /** What readers see of a published post has changed, or it is there again. `previous`: what was otherwise before. */
  "post.updated": message("post.updated", {
    post: toldPost,
    previous: z.object({ title: z.string().optional(), slug: z.string().optional(), tags: z.array(z.string()).optional() }),
  }),
  /** Readers see it no more: archived, deleted or a draft again. As they saw it last. */
  "post.unpublished": message("post.unpublished", { post: postFacts }),
  /** Not to be seen yet: so neither its address nor its content. */
  "post.scheduled": message("post.scheduled", {
    post: postFacts.pick({ id: true, title: true, tags: true }).extend({ scheduled_for: time }),
  }),
  "subscriber.confirmed": message("subscriber.confirmed", { subscriber: toldSubscriber }),
  "subscriber.left": message("subscriber.left", { subscriber: toldSubscriber }),
  "webhook.ping": message("webhook.ping", { webhook: z.object({ id }) }),
} as const satisfies Record<SentEvent, z.ZodType>;
export type WebhookPayload = { [Kind in SentEvent]: z.infer<(typeof webhookPayloads)[Kind]> }[SentEvent];

/** Why one is off: by hand, because it answered 410, or because nothing arrived for three days and twenty tries. */
export const offReasons = ["by_hand", "gone", "failing"] as const;

export const webhook = z.object({
  id,
  kind: z.enum(webhookKinds),
  name: z.string(),
  /** Of a chat without the part that is its secret. */
  url: z.string(),
  events: z.array(z.enum(webhookEvents)),
  /** Only posts with one of these; null: all. */
  tags: z.array(z.string()).nullable(),
  enabled: z.boolean(),
  off_reason: z.enum(offReasons).nullable(),
  off_at: time.nullable(),
  /** Until then the secret before the present one signs as well; null where there is none. */
  old_secret_until: time.nullable(),
  /** Since when every try has failed; null: the last one succeeded, or there was none. */
  failing_since: time.nullable(),
  last_success_at: time.nullable(),
  last_try_at: time.nullable(),
  /** Deliveries that are still to come. */
  waiting: z.int().nonnegative(),
  created_at: time,
});
export type Webhook = z.infer<typeof webhook>;

export const deliveryStates = ["waiting", "sending", "done", "failed", "dropped"] as const;

/** One try: what was answered, how long it took, and the head of the answer. `status` null: there was no answer; `error` says why. */
export const deliveryTry = z.object({
  at: time,
  status: z.int().nullable(),
  ms: z.int().nonnegative(),
  error: z.string().nullable(),
  /** The first 2 kB of the answer. */
  answer: z.string().nullable(),
});

/** `dropped`: what it told of was gone by then, the event isn't chosen any more, or the URL was changed. `event.id` is the `webhook-id`, the same however often it is sent. */
export const delivery = z.object({
  id,
  event: z.object({
    id,
    type: z.enum(sentEvents),
    /** The title of the post, or nothing. */
    about: z.string().nullable(),
    post_id: id.nullable(),
    happened_at: time,
  }),
  state: z.enum(deliveryStates),
  /** Whether it was sent again by hand. */
  again: z.boolean(),
  /** What the last try was answered. */
  status: z.int().nullable(),
  error: z.string().nullable(),
  tries: z.array(deliveryTry),
  created_at: time,
  /** When it is tried next, of one that waits. */
  next_try_at: time.nullable(),
  ended_at: time.nullable(),
});
export type Delivery = z.infer<typeof delivery>;

const isWebAddress = (text: string): boolean => {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username === "" && password === "";
};

/** Whether an address is one of a chat's. */
export function isChatAddress(kind: WebhookKind, url: string): boolean {
  if (kind === "webhook" || !URL.canParse(url)) return false;
  const { protocol, hostname, port, pathname } = new URL(url);
  const isHost = chatHosts[kind].some((host) => (host.startsWith(".") ? hostname.endsWith(host) : hostname === host));
  return protocol === "https:" && port === "" && isHost && (kind !== "discord" || pathname.startsWith("/api/webhooks/"));
}

/** Which chat an address is one of; `webhook`: none. */
export const kindOfAddress = (url: string): WebhookKind => webhookKinds.find((kind) => isChatAddress(kind, url)) ?? "webhook";

const url = z
  .string({ error: "Please enter an address" })
  .trim()
  .max(webhookUrlMaxLength, { error: `Please use at most ${webhookUrlMaxLength} characters` })
  .refine(isWebAddress, { error: "Please enter an address that starts with https://" });

const events = z
  .array(z.enum(webhookEvents, { error: "There is no such event" }), { error: "Please choose what it is told of" })
  .min(1, { error: "Please choose what it is told of" })
  .transform((list) => [...new Set(list)]);

const tags = z.array(z.string().min(1).max(tagMaxLength)).min(1, { error: "Please choose a tag" }).max(tagsPerPost).nullable();
const name = z
  .string()
  .trim()
  .max(webhookNameMaxLength, { error: `Please use at most ${webhookNameMaxLength} characters` });

const given = { url, events, tags: tags.default(null), kind: z.enum(webhookKinds).optional(), name: name.default("") };
const whole = <Given extends z.ZodType<z.output<z.ZodObject<typeof given>>>>(fields: Given) =>
  fields
    .transform((one) => ({ ...one, kind: one.kind ?? kindOfAddress(one.url) }))
    .refine(({ kind, events }) => kind === "webhook" || events.every((event) => chatEvents.some((one) => one === event)), {
      error: "A chat is told of posts only",
      path: ["events"],
    });

/** Without a kind it is what its address says: a hook of Slack, Discord or Teams gets messages, every other one webhooks. */
export const newWebhook = whole(z.object(given));

/** What changes; what is absent stays. */
const changes = { url, events, tags, name, enabled: z.boolean() };
export const changedWebhook = z.object(changes).partial();

/** The same for programs, which hear of what they misspell. */
export const strictNewWebhook = whole(z.strictObject(given));
export const strictChangedWebhook = z.strictObject(changes).partial();

/** What a chat shows of a message. */
export const shownMessage = z.object({ title: z.string(), url: z.string().nullable(), text: z.string(), tags: z.array(z.string()) });

const managers = ["owner", "admin"] as const;
const params = z.object({ workspaceId: id });
const one = params.extend({ id });

export const webhookEndpoints = {
  list: endpoint({
    method: "GET",
    path: "/api/workspaces/{workspaceId}/webhooks",
    summary: "Where a workspace tells other programs and chats of its news, the oldest first",
    access: managers,
    params,
    status: 200,
    response: z.object({ webhooks: z.array(webhook) }),
    errors: ["forbidden"],
  }),
  create: endpoint({
    method: "POST",
    path: "/api/workspaces/{workspaceId}/webhooks",
    summary: "Tell an address of news; the secret is shown this once, null for a chat",
    access: managers,
    limit: "webhook",
    params,
    body: newWebhook,
    status: 201,
    response: z.object({ webhook, secret: z.string().nullable() }),
    errors: ["forbidden", "too_many_webhooks"],
  }),
  preview: endpoint({
    method: "POST",
    path: "/api/workspaces/{workspaceId}/webhooks/preview",
    summary: "What would be sent of a post, the newest published one where none is named; an example where there is none",
    access: managers,
    limit: "webhook",
    params,
    body: z.object({ kind: z.enum(webhookKinds), event: z.enum(chatEvents).default("post.published"), post: id.optional() }),
    status: 200,
    response: z.object({
      /** Of an example: no post of the workspace is in it. */
      example: z.boolean(),
      shown: shownMessage,
      /** The body, as it is sent. */
      body: z.record(z.string(), z.unknown()),
    }),
    errors: ["forbidden"],
  }),
  change: endpoint({
    method: "PATCH",
    path: "/api/workspaces/{workspaceId}/webhooks/{id}",
    summary: "Change a webhook; what is not named stays",
    access: managers,
    limit: "webhook",
    params: one,
    body: changedWebhook,
    status: 200,
    response: z.object({ webhook }),
    errors: ["forbidden"],
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/api/workspaces/{workspaceId}/webhooks/{id}",
    summary: "Delete a webhook and its log",
    access: managers,
    params: one,
    status: 200,
    response: success,
    errors: ["forbidden"],
  }),
  rotate: endpoint({
    method: "POST",
    path: "/api/workspaces/{workspaceId}/webhooks/{id}/rotate",
    summary: "A new secret, shown this once; for a day the old one signs as well",
    access: managers,
    limit: "webhook",
    params: one,
    status: 200,
    response: z.object({ webhook, secret: z.string() }),
    errors: ["forbidden"],
  }),
  enable: endpoint({
    method: "POST",
    path: "/api/workspaces/{workspaceId}/webhooks/{id}/enable",
    summary: "Switch a webhook on again; nothing that happened meanwhile is sent by itself",
    access: managers,
    params: one,
    status: 200,
    response: z.object({ webhook }),
    errors: ["forbidden"],
  }),
  ping: endpoint({
    method: "POST",
    path: "/api/workspaces/{workspaceId}/webhooks/{id}/ping",
    summary: "Send a test: webhook.ping, or a short message to a chat",
    access: managers,
    limit: "webhook",
    params: one,
    status: 201,
    response: z.object({ delivery }),
    errors: ["forbidden", "webhook_off"],
  }),
  deliveries: endpoint({
    method: "GET",
    path: "/api/workspaces/{workspaceId}/webhooks/{id}/deliveries",
    summary: "What was sent in the last 30 days and is to be sent, the newest first; `next` goes on as `cursor`",
    access: managers,
    params: one,
    query: z.object({ cursor: z.string().max(100).optional(), state: z.enum(["all", ...deliveryStates]).default("all") }),
    status: 200,
    response: z.object({ deliveries: z.array(delivery), next: z.string().nullable() }),
    errors: ["forbidden"],
  }),
  resend: endpoint({
    method: "POST",
    path: "/api/workspaces/{workspaceId}/deliveries/{id}/resend",
    summary: "Send one again: a new delivery with the same webhook-id and a new signature",
    access: managers,
    limit: "webhook",
    params: one,
    status: 201,
    response: z.object({ delivery }),
    errors: ["forbidden", "webhook_off"],
  }),
  /** The same below the webhook's own address. */
  resendOf: endpoint({
    method: "POST",
    path: "/api/workspaces/{workspaceId}/webhooks/{id}/deliveries/{deliveryId}/resend",
    summary: "Send one of a webhook's deliveries again, as …/deliveries/{id}/resend does",
    access: managers,
    limit: "webhook",
    params: one.extend({ deliveryId: id }),
    status: 201,
    response: z.object({ delivery }),
    errors: ["forbidden", "webhook_off"],
  }),
  resendFailed: endpoint({
    method: "POST",
    path: "/api/workspaces/{workspaceId}/webhooks/{id}/resend-failed",
    summary: "Send everything again that failed since then and did not arrive later, at most 1,000 a call",
    access: managers,
    limit: "webhook",
    params: one,
    body: z.object({ since: time }),
    status: 200,
    response: z.object({ count: z.int().nonnegative() }),
    errors: ["forbidden", "webhook_off"],
  }),
} as const;
