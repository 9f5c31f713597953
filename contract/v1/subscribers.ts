import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { success } from "../fields.ts";
import {
  importBatch,
  importedReader,
  importOutcome,
  newSubscriber as lenientSubscriber,
  subscriber,
  subscriberFilter,
} from "../subscribers.ts";
import { nextCursor, piece, total, withTotal } from "./fields.ts";

export const newSubscriber = z.strictObject(lenientSubscriber.shape);

export const v1SubscriberEndpoints = {
  list: endpoint("GET /api/v1/subscribers", {
    summary: "List subscribers",
    details: "In order of address.",
    access: { scope: "subscribers:read" },
    query: z.strictObject({ ...subscriberFilter.shape, ...piece, ...withTotal }),
    response: z.object({ subscribers: z.array(subscriber), next_cursor: nextCursor, total }),
    errors: ["forbidden"],
  }),
  add: endpoint("POST /api/v1/subscribers", {
    summary: "Add a subscriber",
    details: "They get a confirmation email. Existing ones stay; unconfirmed ones are asked again.",
    access: { scope: "subscribers:write" },
    limit: "addSubscriber",
    body: newSubscriber,
    example: { email: "reader@example.com", frequency: "weekly", tags: ["feature"] },
    status: 201,
    response: z.object({ added: z.boolean(), subscriber }),
    errors: ["forbidden"],
  }),
  addMany: endpoint("POST /api/v1/subscribers/bulk", {
    summary: "Add up to 1,000 subscribers",
    details: "Each gets a confirmation email, unless you declare that all of them agreed. Existing ones stay, so it can be repeated.",
    access: { scope: "subscribers:write" },
    limit: "importSubscribers",
    body: z.strictObject({
      subscribers: z.array(z.strictObject(importedReader.shape)).min(1).max(importBatch),
      declared: z.boolean().default(false),
    }),
    carriesContent: true,
    example: { subscribers: [{ email: "reader@example.com", frequency: "weekly", tags: ["feature"] }] },
    response: importOutcome,
    errors: ["forbidden"],
  }),
  remove: endpoint("DELETE /api/v1/subscribers/{id}", {
    summary: "Remove a subscriber",
    details: "With `erase=true` imports can't add the address again.",
    access: { scope: "subscribers:write" },
    query: z.strictObject({ erase: z.enum(["true", "false"], { error: "Please use true or false" }).default("false") }),
    response: success,
    errors: ["forbidden"],
  }),
} as const;
