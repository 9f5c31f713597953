import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { postForms } from "../workspace-export.ts";

export const v1ExportEndpoints = {
  posts: endpoint("GET /api/v1/export", {
    summary: "Export all posts as one file",
    details: "A zip of Markdown and images, drafts and archived ones included, or the public posts as CHANGELOG.md or JSON Feed.",
    access: { scope: "posts:read" },
    limit: "export",
    query: z.strictObject({ format: z.enum(postForms, { error: "Please choose markdown, changelog or feed" }) }),
    download: "application/zip",
    otherDownloads: ["text/markdown", "application/feed+json"],
    response: z.string(),
  }),
} as const;
