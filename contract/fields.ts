import { z } from "zod";
import { blockLimits } from "./blocks/limits.ts";

/** Shared field types. Times: ISO 8601 with a zone in, UTC with milliseconds out. Ids: UUIDs. */
export const id = z.uuid({ error: "This isn't a valid id" });
export const time = z.iso
  .datetime({ offset: true, error: "This isn't a valid time" })
  .overwrite((text) => (Number.isNaN(Date.parse(text)) ? text : new Date(text).toISOString()));

export function line(required: string, max: number) {
  return z
    .string({ error: required })
    .trim()
    .min(1, { error: required })
    .max(max, { error: `Please use at most ${max} characters` });
}

export const webAddress = z
  .string()
  .max(blockLimits.urlLength, { error: "This URL is too long" })
  .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), {
    error: "Please use a URL that starts with https://",
  });

export const success = z.object({ success: z.literal(true) });
