import { imageMaxPixels, imageMaxSide, imagesMaxPixels } from "#contract/limits.ts";
import { imageExtension, type ImageExtension, imageTypes, notAnImage } from "#contract/rules/image-type.ts";
import { AppError } from "../../_shared/errors.ts";
import type { ImageFile } from "./queries.ts";
import { readGif } from "./gif.ts";
import { readJpeg } from "./jpeg.ts";
import type { Picture, ReadPicture } from "./picture.ts";
import { readPng } from "./png.ts";
import { readWebp } from "./webp.ts";

const tooManyPixels = "Image must be at most 20,000 pixels wide and high, and 50 million pixels in all";
const tooManyFrames = "Animation must be shorter or smaller: its frames have more than 2,000 million pixels in total";

const formats: Record<ImageExtension, ReadPicture> = { png: readPng, gif: readGif, jpg: readJpeg, webp: readWebp };

/** Detects type and size and strips metadata, or throws at the field `image`. `tooLarge`: the specification's message. */
export function requireImage(file: Uint8Array | undefined, maxBytes: number, tooLarge: string): ImageFile {
  if (!file) throw new AppError("validation_failed", { fields: { image: notAnImage } });
  const extension = imageExtension(file);
  const picture = extension && readPicture(file, extension);
  if (!picture) throw new AppError("file_not_image", { fields: { image: notAnImage } });
  if (file.length > maxBytes) throw new AppError("body_too_large", { fields: { image: tooLarge } });
  const { bytes, width, height, frames } = picture;
  // Decompression bombs: readers' browsers draw every declared pixel.
  if (Math.max(width, height) > imageMaxSide || width * height > imageMaxPixels)
    throw new AppError("validation_failed", { fields: { image: tooManyPixels } });
  if (width * height * frames > imagesMaxPixels) throw new AppError("validation_failed", { fields: { image: tooManyFrames } });
  return { bytes, extension, contentType: imageTypes[extension], size: { width, height } };
}

export function readPicture(file: Uint8Array, extension: ImageExtension): Picture | null {
  try {
    const picture = formats[extension](file);
    return picture && picture.width > 0 && picture.height > 0 ? picture : null;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
