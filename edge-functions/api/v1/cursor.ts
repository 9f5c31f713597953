import type { z } from "zod";
import { AppError } from "../../_shared/errors.ts";

/** Where a list ended, as text that nobody has to understand. */
export function writeCursor(place: unknown): string {
  const bytes = String.fromCharCode(...new TextEncoder().encode(JSON.stringify(place)));
  return btoa(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The same back, or undefined for the beginning. */
export function readCursor<Place>(cursor: string | undefined, shape: z.ZodType<Place>): Place | undefined {
  if (cursor === undefined) return undefined;
  const place = shape.safeParse(parse(cursor));
  if (!place.success) throw new AppError("validation_failed", { fields: { cursor: "This is no next_cursor of an answer" } });
  return place.data;
}

function parse(cursor: string): unknown {
  try {
    const bytes = Uint8Array.from(atob(cursor.replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0));
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
