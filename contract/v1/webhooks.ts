import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { success } from "../fields.ts";
import { delivery, deliveryStates, strictChangedWebhook, strictNewWebhook, webhook } from "../webhooks.ts";
import { idParams, nextCursor, piece } from "./fields.ts";

const access = { scope: "webhooks:write" } as const;

/** Where the workspace tells other programs of its news: a program may connect itself, and go again. docs/webhooks.md says what is sent. */
export const v1WebhookEndpoints = {
  list: endpoint({
    method: "GET",
    path: "/api/v1/webhooks",
    summary: "Webhooks and chats of the workspace, the oldest first",
    access,
    query: z.strictObject({}),
    status: 200,
    response: z.object({ webhooks: z.array(webhook) }),
  }),
  create: endpoint({
    method: "POST",
    path: "/api/v1/webhooks",
    summary: "Tell an address of news; the secret is shown this once, null for a chat",
    access,
    body: strictNewWebhook,
    example: { url: "https://example.com/hooks/tidings", events: ["post.published", "post.updated"] },
    status: 201,
    response: z.object({ webhook, secret: z.string().nullable() }),
    errors: ["too_many_webhooks"],
  }),
  change: endpoint({
    method: "PATCH",
    path: "/api/v1/webhooks/{id}",
    summary: "Change a webhook, or switch it off and on; what is not named stays",
    access,
    params: idParams,
    body: strictChangedWebhook,
    example: { events: ["post.published"] },
    status: 200,
    response: z.object({ webhook }),
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/api/v1/webhooks/{id}",
    summary: "Delete a webhook and its log",
    access,
    params: idParams,
    status: 200,
    response: success,
  }),
  ping: endpoint({
    method: "POST",
    path: "/api/v1/webhooks/{id}/ping",
    summary: "Send a test",
    access,
    params: idParams,
    status: 201,
    response: z.object({ delivery }),
    errors: ["webhook_off"],
  }),
  deliveries: endpoint({
    method: "GET",
    path: "/api/v1/webhooks/{id}/deliveries",
    summary: "What was sent in the last 30 days and is to be sent, the newest first",
    access,
    params: idParams,
    query: z.strictObject({ cursor: piece.cursor, limit: piece.limit, state: z.enum(["all", ...deliveryStates]).default("all") }),
    status: 200,
    response: z.object({ deliveries: z.array(delivery), next_cursor: nextCursor }),
  }),
  resend: endpoint({
    method: "POST",
    path: "/api/v1/deliveries/{id}/resend",
    summary: "Send one again: a new delivery with the same webhook-id",
    access,
    params: idParams,
    status: 201,
    response: z.object({ delivery }),
    errors: ["webhook_off"],
  }),
} as const;
