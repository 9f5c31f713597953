import { AppError } from "../../../_shared/errors.ts";
import { inTurns } from "../../../_shared/in-turns.ts";
import { createRateLimiter } from "../../../_shared/rate-limits.ts";
import { keepImage } from "../../images/keep-image.ts";
import type { Run } from "../tool.ts";

export const uploadImage: Run<"upload_image"> = async ({ db, env, key }, { data, alt }) => {
  await createRateLimiter(env).count("upload", { person: `keys of ${key.workspaceId}` });
  const file = await inTurns(decoding(data));
  if (file === null)
    throw new AppError("validation_failed", { fields: { data: "This is no base64: send the bytes of the file in it, and nothing else" } });
  const image = await keepImage({ db, env, key }, file, alt);
  const text = `The image is kept: ${image.width} × ${image.height} pixels. A post shows it by this Markdown:\n\n${image.markdown}`;
  return { text, structured: { image } };
};

const sextet = /^[A-Za-z0-9+/]*={0,2}$/;
/** Four signs are three bytes. */
const pieceLength = 4 * 16_384;

/** Bytes of base64, a piece a step; null for what is none. */
export function* decoding(text: string): Generator<void, Uint8Array | null> {
  const end = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  if (text.length % 4 !== 0) return null;
  const bytes = new Uint8Array((text.length / 4) * 3 - end);
  let at = 0;
  for (let start = 0; start < text.length; start += pieceLength) {
    const piece = text.slice(start, start + pieceLength);
    const isLast = start + pieceLength >= text.length;
    if (!sextet.test(piece) || (!isLast && piece.endsWith("="))) return null;
    const decoded = atob(piece);
    for (let place = 0; place < decoded.length; place++) bytes[at++] = decoded.charCodeAt(place);
    yield;
  }
  return bytes;
}
