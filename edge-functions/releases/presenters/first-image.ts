import { cleanBlocks } from "#contract/blocks/clean.ts";
import { inlineText } from "#contract/blocks/inline-html.ts";

export interface Picture {
  /** As stored: absolute, or root-relative into this installation's storage. */
  url: string;
  alt: string;
  width?: number;
  height?: number;
}

/** The first image of a post's blocks as they are stored, for previews; null when it has none. Nothing else of them is read. */
export function firstImage(raw: unknown): Picture | null {
  const { blocks = raw } = (raw ?? {}) as { blocks?: unknown };
  for (const block of Array.isArray(blocks) ? (blocks as ({ type?: unknown } | null)[]) : []) {
    if (block?.type !== "image") continue;
    const [image] = cleanBlocks([block]).blocks;
    if (image?.type === "image") return { ...image.data.file, alt: inlineText(image.data.caption) };
  }
  return null;
}
