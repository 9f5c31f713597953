import { z } from "zod";

/** Shared by all lists of /api/v1. All input is strict: misspelled fields are errors. */

export const listLimit = 50;
export const listMaxLimit = 100;

export const piece = {
  limit: z.coerce
    .number({ error: `Please ask for 1 to ${listMaxLimit}` })
    .int({ error: `Please ask for 1 to ${listMaxLimit}` })
    .min(1, { error: `Please ask for 1 to ${listMaxLimit}` })
    .max(listMaxLimit, { error: `Please ask for 1 to ${listMaxLimit}` })
    .default(listLimit),
  cursor: z.string().max(500, { error: "This isn't a valid next_cursor" }).optional(),
};

/** Counting costs time, so it is asked for. */
export const withTotal = { total: z.enum(["true", "false"], { error: "Please use true or false" }).default("false") };
export const total = z.int().nonnegative().optional();

export const nextCursor = z.string().nullable();
