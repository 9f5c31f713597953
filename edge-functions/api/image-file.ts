import { imageExtension, imageTypes } from "#contract/rules/image-type.ts";
import { AppError } from "../_shared/errors.ts";
import { imageSize } from "./image-size.ts";
import type { ImageFile } from "./queries/images.ts";

const notAnImage = "Please select an image file";

/** The uploaded file as an image of a known type and size, or the refusal at the field `image`. `tooLarge` is the specification's sentence. */
export function requireImage(file: Uint8Array | undefined, maxBytes: number, tooLarge: string): ImageFile {
  if (!file) throw new AppError("validation_failed", { fields: { image: notAnImage } });
  const extension = imageExtension(file);
  const size = extension && imageSize(file, extension);
  if (!size) throw new AppError("file_not_image", { fields: { image: notAnImage } });
  if (file.length > maxBytes) throw new AppError("body_too_large", { fields: { image: tooLarge } });
  return { bytes: file, extension, contentType: imageTypes[extension], size };
}
