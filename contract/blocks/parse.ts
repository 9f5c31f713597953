import { cleanBlocks } from "./clean.ts";
import type { CleanedContent } from "./schema.ts";

/** `content_raw` as it goes over the wire (JSON text) as cleaned blocks; null when the text is not JSON. */
export function parseBlocks(text: string): CleanedContent | null {
  try {
    return cleanBlocks(JSON.parse(text));
  } catch {
    return null;
  }
}
