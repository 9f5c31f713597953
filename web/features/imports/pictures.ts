import type { z } from "zod";
import { imageMaxBytes } from "#contract/limits.ts";
import { importEndpoints } from "#contract/imports.ts";
import { ApiError, call } from "../../lib/api-client.ts";
import { uploadFailure, uploadImage } from "../editor/upload-image.ts";

/** New URL of an image, or why it failed. */
export type ImageResult = z.output<typeof importEndpoints.image.response>;

const failedImage = (problem: string): ImageResult => ({ url: null, problem });

/** Errors that affect all images: session, import or workspace ended. */
const isFatal = ({ code }: ApiError): boolean =>
  code === "unauthenticated" || code === "forbidden" || code === "import_over" || code === "not_found";
const isRetryable = ({ code }: ApiError): boolean => code === "network" || code === "unavailable" || code === "rate_limited";

/** The server downloads an external image. Throws ApiError if no image can be stored. */
export async function fetchPicture(workspaceId: string, id: string, url: string, signal: AbortSignal): Promise<ImageResult> {
  try {
    const address = new URL(url, location.href).href; // URLs of this installation may have no host
    return await call(importEndpoints.image, { params: { workspaceId, id }, body: { url: address }, signal });
  } catch (error) {
    return imageProblem(error, signal);
  }
}

const types: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
};

/** Uploads an image file. Throws ApiError if no image can be stored. */
export async function uploadPicture(
  workspaceId: string,
  path: string,
  bytes: Uint8Array | undefined,
  signal: AbortSignal,
): Promise<ImageResult> {
  if (bytes === undefined) return failedImage("The file doesn't include it.");
  const name = path.slice(path.lastIndexOf("/") + 1);
  const type = types[name.slice(name.lastIndexOf(".") + 1).toLowerCase()];
  if (type === undefined) return failedImage("This image type isn't supported.");
  if (bytes.length > imageMaxBytes) return failedImage("It's larger than 5 MB.");
  try {
    const stored = await uploadImage(workspaceId, new File([bytes as Uint8Array<ArrayBuffer>], name, { type }));
    return { ...stored, problem: null };
  } catch (error) {
    return imageProblem(error, signal);
  }
}

/** Error of this image alone; rethrows others. */
function imageProblem(error: unknown, signal: AbortSignal): ImageResult {
  if (signal.aborted || !(error instanceof ApiError) || isFatal(error) || isRetryable(error)) throw error;
  return failedImage(uploadFailure(error));
}
