import { z } from "zod";
import { blockLimits } from "./blocks/limits.ts";
import { safeImageUrl } from "./blocks/safe-url.ts";
import { altMaxLength } from "./limits.ts";

const choose = "Please choose an image of this post, or add one";
const side = z.int().positive().max(100_000);

const chosenCover = z.object({
  url: z
    .string({ error: choose })
    .min(1, { error: choose })
    .max(blockLimits.urlLength, { error: choose })
    .refine((url) => safeImageUrl(url) === url, { error: choose }),
  alt: z
    .string()
    .trim()
    .max(altMaxLength, { error: `A description can have at most ${altMaxLength} characters` })
    .default(""),
  width: side.optional(),
  height: side.optional(),
});

export const coverImage = z.union([z.literal("none"), chosenCover], { error: choose }).nullable();
