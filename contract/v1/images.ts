import { z } from "zod";
import { endpoint } from "../endpoint.ts";

export const v1ImageEndpoints = {
  upload: endpoint({
    method: "POST",
    path: "/api/v1/images",
    summary: "Keep an image for posts: PNG, JPEG, WebP or GIF under 5 MB, as the body itself or as the field image of a form",
    access: { scope: "media:write" },
    limit: "upload",
    multipart: "image",
    orBareFile: "image/*",
    status: 201,
    /** `markdown` is how a post shows it, with its size as a comment. */
    response: z.object({ image: z.object({ url: z.string(), width: z.int(), height: z.int(), markdown: z.string() }) }),
    errors: ["file_not_image"],
  }),
} as const;
