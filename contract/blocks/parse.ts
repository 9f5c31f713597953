import { cleanBlocks } from "./clean.ts";
import type { CleanedContent } from "./schema.ts";

export function parseBlocks(text: string): CleanedContent | null {
  try {
    return cleanBlocks(JSON.parse(text));
  } catch {
    return null;
  }
}
