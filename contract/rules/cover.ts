import { safeImageUrl } from "../blocks/safe-url.ts";

export interface ChosenCover {
  url: string;
  alt: string;
  width?: number;
  height?: number;
}

export type CoverImage = ChosenCover | "none" | null;

const side = (value: unknown): number | undefined => (Number.isInteger(value) && Number(value) > 0 ? Number(value) : undefined);

/** Parses a stored cover (any JSON); invalid values give null. */
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
