import { z } from "zod";
import { endpoint } from "./endpoint.ts";

/** Called by cron. Other callers only trigger work that is due and get no data. */
export const jobEndpoints = {
  run: endpoint("POST /api/jobs/run", {
    summary: "Run due work: emails, webhooks and chat messages, social images, domain checks, backups, removal of files",
    access: "public",
    limit: "job",
    response: z.object({ success: z.literal(true) }),
  }),
} as const;
