import { cleanBlocks } from "#contract/blocks/clean.ts";
import { altText } from "#contract/blocks/types/image.ts";

export interface Picture {
  url: string;
  alt: string;
  width?: number;
  height?: number;
}

export function firstImage(raw: unknown): Picture | null {
  const { blocks = raw } = (raw ?? {}) as { blocks?: unknown };
  for (const block of Array.isArray(blocks) ? (blocks as ({ type?: unknown } | null)[]) : []) {
    if (block?.type !== "image") continue;
    const [image] = cleanBlocks([block]).blocks;
    if (image?.type === "image") return { ...image.data.file, alt: altText(image.data) };
  }
  return null;
}
