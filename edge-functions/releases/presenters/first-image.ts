import { cleanBlocks } from "#contract/blocks/clean.ts";
import { inlineText } from "#contract/blocks/inline-html.ts";

export interface Picture {
  /** Absolute, or root-relative in our storage. */
  url: string;
  alt: string;
  width?: number;
  height?: number;
}

/** First image of stored blocks; null if none. */
export function firstImage(raw: unknown): Picture | null {
  const { blocks = raw } = (raw ?? {}) as { blocks?: unknown };
  for (const block of Array.isArray(blocks) ? (blocks as ({ type?: unknown } | null)[]) : []) {
    if (block?.type !== "image") continue;
    const [image] = cleanBlocks([block]).blocks;
    if (image?.type === "image") return { ...image.data.file, alt: inlineText(image.data.caption) };
  }
  return null;
}
