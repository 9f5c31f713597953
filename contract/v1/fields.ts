import { z } from "zod";
import { id } from "../fields.ts";

/** What every list of /api/v1 shares. A machine that misspells a field must hear of it: all that is taken here is strict. */

export const listLimit = 50;
export const listMaxLimit = 100;

/** How many, and where the list before ended: `next_cursor` of its answer, letter by letter. */
export const piece = {
  limit: z.coerce
    .number({ error: `Please ask for 1 to ${listMaxLimit}` })
    .int({ error: `Please ask for 1 to ${listMaxLimit}` })
    .min(1, { error: `Please ask for 1 to ${listMaxLimit}` })
    .max(listMaxLimit, { error: `Please ask for 1 to ${listMaxLimit}` })
    .default(listLimit),
  cursor: z.string().max(500, { error: "This is no next_cursor of an answer" }).optional(),
};

/** What the next call of a list says as `cursor`; null: this was the last piece. */
export const nextCursor = z.string().nullable();

export const idParams = z.object({ id });
