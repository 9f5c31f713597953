import { z } from "zod";
import { endpoint } from "../endpoint.ts";

export const v1ImageEndpoints = {
  upload: endpoint({
    method: "POST",
    path: "/api/v1/images",
    summary: "Upload an image for posts: PNG, JPEG, WebP or GIF under 5 MB, as the body itself or as the form field image",
    access: { scope: "media:write" },
    limit: "upload",
    multipart: "image",
    orBareFile: "image/*",
    status: 201,
    /** `markdown` shows the image in a post; its size is in a comment. */
    response: z.object({ image: z.object({ url: z.string(), width: z.int(), height: z.int(), markdown: z.string() }) }),
    errors: ["file_not_image"],
  }),
} as const;
