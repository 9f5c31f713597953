import { fromBase64 } from "../../../_shared/base64.ts";
import { AppError } from "../../../_shared/errors.ts";
import { createRateLimiter } from "../../../_shared/rate-limits.ts";
import { keepImage } from "../../images/keep-image.ts";
import type { Run } from "../tool.ts";

export const uploadImage: Run<"upload_image"> = async ({ db, env, key }, { data, alt }) => {
  await createRateLimiter(env).count("upload", { person: `keys of ${key.workspaceId}` });
  const file = decode(data);
  if (file === null) throw new AppError("validation_failed", { fields: { data: "This isn't valid base64: send only the file's bytes" } });
  const image = await keepImage({ db, env, key }, file, alt);
  const text = `Uploaded: ${image.width} × ${image.height} pixels. Use this Markdown in a post:\n\n${image.markdown}`;
  return { text, structured: { image } };
};

/** Strict: complete groups of four, no whitespace, no URL alphabet. */
const base64 = /^[A-Za-z0-9+/]*={0,2}$/;

export const decode = (text: string): Uint8Array | null => (text.length % 4 === 0 && base64.test(text) ? fromBase64(text) : null);
