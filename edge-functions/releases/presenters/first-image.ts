import { cleanBlocks } from "#contract/blocks/clean.ts";
import { inlineText } from "#contract/blocks/inline-html.ts";

export interface Picture {
  /** As stored: absolute, or root-relative into this installation's storage. */
  url: string;
  alt: string;
  width?: number;
  height?: number;
}

/** The first image of a post, for previews; null when it has none. */
export function firstImage(content: unknown): Picture | null {
  const image = cleanBlocks(content).blocks.find((block) => block.type === "image");
  return image ? { ...image.data.file, alt: inlineText(image.data.caption) } : null;
}
