import { z } from "zod";
import { blockLimits } from "./blocks/limits.ts";

/** Field types that several calls share. Times are taken in ISO 8601 with a zone and go over the wire in UTC with milliseconds; ids are UUIDs. */
export const id = z.uuid({ error: "This is not a valid id" });
export const time = z.iso
  .datetime({ offset: true, error: "This is not a valid point in time" })
  .overwrite((text) => (Number.isNaN(Date.parse(text)) ? text : new Date(text).toISOString()));

/** A required line of text: trimmed, 1 to `max` characters; `required` is the sentence when it is missing or blank. */
export function line(required: string, max: number) {
  return z
    .string({ error: required })
    .trim()
    .min(1, { error: required })
    .max(max, { error: `Please use at most ${max} characters` });
}

/** The URL of a page or a file of another site. */
export const webAddress = z
  .string()
  .max(blockLimits.urlLength, { error: "This address is too long" })
  .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), {
    error: "Please use an address that starts with https://",
  });

export const success = z.object({ success: z.literal(true) });
