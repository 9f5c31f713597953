import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { id } from "../fields.ts";
import { subscriberNumbers } from "../subscribers.ts";

const count = z.int().nonnegative();

export const v1StatsEndpoints = {
  read: endpoint({
    method: "GET",
    path: "/api/v1/stats",
    summary: "How many posts and readers there are, and how often posts were read",
    access: { scope: "stats:read" },
    query: z.strictObject({}),
    status: 200,
    response: z.object({
      posts: z.object({ draft: count, scheduled: count, published: count, archived: count }),
      subscribers: subscriberNumbers.pick({ active: true, pending: true, paused: true, left: true, suppressed: true }),
      /** Of the last 30 days, the hundred posts that were read most; null without the analytics add-on. */
      views: z.object({ total: count, posts: z.array(z.object({ id, title: z.string(), views: count })) }).nullable(),
    }),
  }),
} as const;
