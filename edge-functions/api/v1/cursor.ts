import type { z } from "zod";
import { fromBase64Url, toBase64Url } from "../../_shared/base64.ts";
import { AppError } from "../../_shared/errors.ts";

export const writeCursor = (place: unknown): string => toBase64Url(new TextEncoder().encode(JSON.stringify(place)));

export function readCursor<Place>(cursor: string | undefined, shape: z.ZodType<Place>): Place | undefined {
  if (cursor === undefined) return undefined;
  const place = shape.safeParse(parse(cursor));
  if (!place.success) throw new AppError("validation_failed", { fields: { cursor: "This isn't a valid next_cursor" } });
  return place.data;
}

function parse(cursor: string): unknown {
  const bytes = fromBase64Url(cursor);
  try {
    return bytes && JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
