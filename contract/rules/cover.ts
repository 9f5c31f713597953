import { safeImageUrl } from "../blocks/safe-url.ts";

/** An image that a post was given to be known by. */
export interface ChosenCover {
  url: string;
  /** What it shows, for those who do not see it; "" for none. */
  alt: string;
  width?: number;
  height?: number;
}

/** What lists and previews show of a post: null is the first image of its text, "none" no image, else the one that was chosen. */
export type CoverImage = ChosenCover | "none" | null;

const side = (value: unknown): number | undefined => (Number.isInteger(value) && Number(value) > 0 ? Number(value) : undefined);

/** A cover as the database has it, which is any JSON; what cannot be shown leaves the first image in its place. */
export function readCover(stored: unknown): CoverImage {
  if (stored === "none") return stored;
  if (typeof stored !== "object" || stored === null) return null;
  const { url: address, alt, width, height } = stored as Record<string, unknown>;
  const url = typeof address === "string" ? safeImageUrl(address) : null;
  if (url === null) return null;
  const sides = { width: side(width), height: side(height) };
  return {
    url,
    alt: typeof alt === "string" ? alt : "",
    ...(sides.width && sides.height ? { width: sides.width, height: sides.height } : {}),
  };
}
