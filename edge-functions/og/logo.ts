import { logoMaxBytes } from "#contract/limits.ts";
import { imageExtension, imageTypes } from "#contract/rules/image-type.ts";
import { toBase64 } from "../_shared/base64.ts";
import { readStoredFile } from "../_shared/stored-file.ts";
import { readPicture } from "../api/images/image-file.ts";
import type { Logo } from "./card.ts";

/** SSRF: only our own storage is fetched. */
const stored = /^\/storage\/v1\/object\/public\/logos\/[0-9a-f-]{36}\/[0-9a-f-]{36}\.(?:png|jpe?g|gif|webp)$/;
/** Decompression bomb limit. */
const maxPixels = 4_000_000;
/** Progressive JPEGs can repeat scans cheaply, each a full pass; real ones have about ten. */
const mostScans = 50;

export async function readLogo(supabaseUrl: string, address: string): Promise<Logo | null> {
  if (!stored.test(address)) return null;
  const bytes = await readStoredFile(supabaseUrl + address, logoMaxBytes);
  return bytes && logoOf(bytes);
}

export function logoOf(file: Uint8Array): Logo | null {
  const extension = imageExtension(file);
  if (extension === null || extension === "webp") return null; // resvg doesn't support WebP
  const picture = readPicture(file, extension);
  if (picture === null || picture.width * picture.height > maxPixels) return null;
  if (extension === "jpg" && scansOf(picture.bytes) > mostScans) return null;
  return { url: `data:${imageTypes[extension]};base64,${inPieces(picture.bytes)}`, width: picture.width, height: picture.height };
}

/** Scan markers: in pixel data 0xff is followed by zero. */
function scansOf(jpeg: Uint8Array): number {
  let count = 0;
  for (let at = jpeg.indexOf(0xff); at >= 0; at = jpeg.indexOf(0xff, at + 1)) if (jpeg[at + 1] === 0xda) count += 1;
  return count;
}

function inPieces(bytes: Uint8Array): string {
  const size = 30_000;
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, piece) =>
    toBase64(bytes.subarray(piece * size, (piece + 1) * size)),
  ).join("");
}
