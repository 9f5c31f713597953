import { z } from "zod";
import { endpoint } from "./endpoint.ts";

/** Called by cron. Other callers only trigger work that is due and get no data. */
export const jobEndpoints = {
  removeFiles: endpoint({
    method: "POST",
    path: "/api/jobs/discarded-files",
    summary: "Delete files of deleted posts, workspaces and accounts",
    access: "public",
    limit: "job",
    status: 200,
    response: z.object({ success: z.literal(true) }),
  }),
  deliver: endpoint({
    method: "POST",
    path: "/api/jobs/deliver",
    summary: "Run due work: emails, webhooks and chat messages, social images, backups",
    access: "public",
    limit: "job",
    status: 200,
    response: z.object({ success: z.literal(true) }),
  }),
} as const;
