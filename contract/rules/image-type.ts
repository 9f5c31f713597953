export const imageTypes = { png: "image/png", jpg: "image/jpeg", webp: "image/webp", gif: "image/gif" } as const;
export type ImageExtension = keyof typeof imageTypes;

export const notAnImage = "Please select an image file";
export const signatureLength = 12;

/** Detected by magic bytes, not by name; null for anything else, including SVG. Source: product decision 10. */
export function imageExtension(bytes: Uint8Array): ImageExtension | null {
  const startsWith = (signature: readonly number[], offset = 0) => signature.every((byte, index) => bytes[offset + index] === byte);
  if (startsWith([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return "png";
  if (startsWith([0xff, 0xd8, 0xff])) return "jpg";
  if (startsWith(ascii("RIFF")) && startsWith(ascii("WEBP"), 8)) return "webp";
  if (startsWith(ascii("GIF87a")) || startsWith(ascii("GIF89a"))) return "gif";
  return null;
}

const ascii = (text: string) => [...text].map((character) => character.charCodeAt(0));
