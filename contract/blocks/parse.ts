import { cleanBlocks } from "./clean.ts";
import type { EditorOutput } from "./schema.ts";

/** `content_raw` as it goes over the wire (JSON text) as cleaned blocks; null when the text is not JSON. */
export function parseBlocks(text: string): EditorOutput | null {
  try {
    return cleanBlocks(JSON.parse(text));
  } catch {
    return null;
  }
}
