import { z } from "zod";
import { endpoint } from "../endpoint.ts";

/** `markdown` shows the image in a post; its size is in a comment. */
export const image = z.object({ url: z.string(), width: z.int(), height: z.int(), markdown: z.string() });

export const v1ImageEndpoints = {
  upload: endpoint("POST /api/v1/images", {
    summary: "Upload an image for posts",
    details: "PNG, JPEG, WebP or GIF under 5 MB, as the body itself or as the form field `image`.",
    access: { scope: "media:write" },
    limit: "upload",
    multipart: "image",
    orBareFile: "image/*",
    status: 201,
    response: z.object({ image }),
    errors: ["file_not_image"],
  }),
} as const;
