import { fromBase64 } from "../../../_shared/base64.ts";
import { AppError } from "../../../_shared/errors.ts";
import { createRateLimiter } from "../../../_shared/rate-limits.ts";
import { keepImage } from "../../images/keep-image.ts";
import type { Run } from "../tool.ts";

export const uploadImage: Run<"upload_image"> = async ({ db, env, key }, { data, alt }) => {
  await createRateLimiter(env).count("upload", { person: `keys of ${key.workspaceId}` });
  const file = decode(data);
  if (file === null)
    throw new AppError("validation_failed", { fields: { data: "This is no base64: send the bytes of the file in it, and nothing else" } });
  const image = await keepImage({ db, env, key }, file, alt);
  const text = `The image is kept: ${image.width} × ${image.height} pixels. A post shows it by this Markdown:\n\n${image.markdown}`;
  return { text, structured: { image } };
};

/** Strict: whole groups of four, no blanks, no URL alphabet. */
const base64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** The bytes of base64, or null if it isn't any. */
export const decode = (text: string): Uint8Array | null => (text.length % 4 === 0 && base64.test(text) ? fromBase64(text) : null);
