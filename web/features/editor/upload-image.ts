import { postEndpoints } from "#contract/posts.ts";
import { imageMaxBytes } from "#contract/limits.ts";
import { ApiError, call } from "../../lib/api-client.ts";
import type { CopiedImage } from "./blocks/editor-block.ts";

/** The error message for a file that can't be uploaded, or null. Source: specification, section 5; product decision 11. */
export function imageProblem(file: Blob): string | null {
  if (!file.type.startsWith("image/")) return "Please select an image file";
  return file.size > imageMaxBytes ? "File size must be less than 5MB" : null;
}

/** A stored image; width and height in px. */
export interface StoredImage {
  url: string;
  width: number;
  height: number;
}

/** Uploads an image; `onProgress` gets the sent share, 0 to 1. Throws an ApiError. */
export async function uploadImage(workspaceId: string, file: Blob, onProgress?: (share: number) => void): Promise<StoredImage> {
  const namedFile = file instanceof File ? file : new File([file], "pasted-image", { type: file.type });
  const answer = await call(postEndpoints.uploadImage, { params: { workspaceId }, file: namedFile, onProgress });
  return answer.file;
}

/** Copies an image from another site into Storage. Throws an ApiError if it's unknown whether it can be copied. */
export async function copyImage(workspaceId: string, url: string): Promise<CopiedImage> {
  const answer = await call(postEndpoints.copyImage, { params: { workspaceId }, body: { url } });
  if (answer.url === null) return { file: null, problem: answer.problem };
  return { file: { url: answer.url, width: answer.width, height: answer.height }, problem: null };
}

export const uploadFailure = (error: unknown): string =>
  error instanceof ApiError ? (error.fields.image ?? error.message) : "Please try again or contact support";
