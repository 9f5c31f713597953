import { z } from "zod";
import { analytics, analyticsEnds, checkEnds } from "../analytics.ts";
import { endpoint } from "../endpoint.ts";
import { id } from "../fields.ts";
import { subscriberNumbers } from "../subscribers.ts";

const count = z.int().nonnegative();

export const v1StatsEndpoints = {
  read: endpoint("GET /api/v1/stats", {
    summary: "Count posts, subscribers and views",
    details: "With `from` and `to` also the analytics of those days.",
    access: { scope: "stats:read" },
    query: z.strictObject(analyticsEnds).superRefine(checkEnds),
    response: z.object({
      posts: z.object({ draft: count, scheduled: count, published: count, archived: count }),
      subscribers: subscriberNumbers.pick({ active: true, pending: true, paused: true, left: true, suppressed: true }),
      /** Last 30 days, 100 most viewed posts; null without the analytics add-on. */
      views: z.object({ total: count, posts: z.array(z.object({ id, title: z.string(), views: count })) }).nullable(),
      /** For `from` to `to`; null without them or without the analytics add-on. */
      analytics: analytics.nullable(),
    }),
  }),
} as const;
