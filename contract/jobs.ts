import { z } from "zod";
import { endpoint } from "./endpoint.ts";

/** What a clock asks for. Whoever else asks brings forward what is due anyway, and learns nothing. */
export const jobEndpoints = {
  removeFiles: endpoint({
    method: "POST",
    path: "/api/jobs/discarded-files",
    summary: "Remove the files of deleted posts, workspaces and people",
    access: "public",
    limit: "job",
    status: 200,
    response: z.object({ success: z.literal(true) }),
  }),
  deliver: endpoint({
    method: "POST",
    path: "/api/jobs/deliver",
    summary: "Do what is due: mails to subscribers, webhooks and messages to chats, pictures for links, copies of workspaces",
    access: "public",
    limit: "job",
    status: 200,
    response: z.object({ success: z.literal(true) }),
  }),
} as const;
