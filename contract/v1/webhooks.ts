import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { success } from "../fields.ts";
import { delivery, deliveryStates, strictChangedWebhook, strictNewWebhook, webhook } from "../webhooks.ts";
import { nextCursor, piece } from "./fields.ts";

const access = { scope: "webhooks:write" } as const;

export const v1WebhookEndpoints = {
  list: endpoint("GET /api/v1/webhooks", {
    summary: "List webhooks and chats",
    details: "Oldest first.",
    access,
    query: z.strictObject({}),
    response: z.object({ webhooks: z.array(webhook) }),
  }),
  create: endpoint("POST /api/v1/webhooks", {
    summary: "Create a webhook",
    details: "The secret is returned only once; null for chats.",
    access,
    body: strictNewWebhook,
    example: { url: "https://example.com/hooks/tidings", events: ["post.published", "post.updated"] },
    status: 201,
    response: z.object({ webhook, secret: z.string().nullable() }),
    errors: ["too_many_webhooks"],
  }),
  change: endpoint("PATCH /api/v1/webhooks/{id}", {
    summary: "Change a webhook, or turn it off and on",
    details: "Absent fields stay.",
    access,
    body: strictChangedWebhook,
    example: { events: ["post.published"] },
    response: z.object({ webhook }),
  }),
  remove: endpoint("DELETE /api/v1/webhooks/{id}", {
    summary: "Delete a webhook and its log",
    access,
    response: success,
  }),
  ping: endpoint("POST /api/v1/webhooks/{id}/ping", {
    summary: "Send a test",
    access,
    status: 201,
    response: z.object({ delivery }),
    errors: ["webhook_off"],
  }),
  deliveries: endpoint("GET /api/v1/webhooks/{id}/deliveries", {
    summary: "List a webhook's deliveries",
    details: "Those of the last 30 days and pending ones, newest first.",
    access,
    query: z.strictObject({ cursor: piece.cursor, limit: piece.limit, state: z.enum(["all", ...deliveryStates]).default("all") }),
    response: z.object({ deliveries: z.array(delivery), next_cursor: nextCursor }),
  }),
  resend: endpoint("POST /api/v1/deliveries/{id}/resend", {
    summary: "Resend a delivery",
    details: "With the same `webhook-id`.",
    access,
    status: 201,
    response: z.object({ delivery }),
    errors: ["webhook_off"],
  }),
} as const;
