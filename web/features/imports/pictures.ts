import type { z } from "zod";
import { imageMaxBytes } from "#contract/limits.ts";
import { importEndpoints } from "#contract/imports.ts";
import { ApiError, call } from "../../lib/api-client.ts";
import { uploadFailure, uploadImage } from "../posts/editor/upload-image.ts";

/** What became of a picture: where it is now, or why it could not be kept. */
export type KeptPicture = z.output<typeof importEndpoints.image.response>;

const lost = (problem: string): KeptPicture => ({ url: null, problem });

/** What no other picture would fail for: the session has ended, the import was taken back, the workspace is gone. */
const isForAll = ({ code }: ApiError): boolean =>
  code === "unauthenticated" || code === "forbidden" || code === "import_over" || code === "not_found";
const comesLater = ({ code }: ApiError): boolean => code === "network" || code === "unavailable" || code === "rate_limited";

/** Has the server fetch a picture of another site. Throws an ApiError where no picture could be kept. */
export async function fetchPicture(workspaceId: string, id: string, url: string, signal: AbortSignal): Promise<KeptPicture> {
  try {
    const address = new URL(url, location.href).href; // of another workspace here it is without a host
    return await call(importEndpoints.image, { params: { workspaceId, id }, body: { url: address }, signal });
  } catch (error) {
    return ownProblem(error, signal);
  }
}

const types: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
};

/** Keeps a picture that came along as a file. Throws an ApiError where no picture could be kept. */
export async function uploadPicture(
  workspaceId: string,
  path: string,
  bytes: Uint8Array | undefined,
  signal: AbortSignal,
): Promise<KeptPicture> {
  if (bytes === undefined) return lost("It did not come along with the file.");
  const name = path.slice(path.lastIndexOf("/") + 1);
  const type = types[name.slice(name.lastIndexOf(".") + 1).toLowerCase()];
  if (type === undefined) return lost("This type of picture cannot be shown.");
  if (bytes.length > imageMaxBytes) return lost("It is larger than 5 MB.");
  try {
    const stored = await uploadImage(workspaceId, new File([bytes as Uint8Array<ArrayBuffer>], name, { type }));
    return { ...stored, problem: null };
  } catch (error) {
    return ownProblem(error, signal);
  }
}

/** A refusal of this picture alone, in words; everything else is thrown on. */
function ownProblem(error: unknown, signal: AbortSignal): KeptPicture {
  if (signal.aborted || !(error instanceof ApiError) || isForAll(error) || comesLater(error)) throw error;
  return lost(uploadFailure(error));
}
