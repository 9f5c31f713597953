import { profileEndpoints } from "#contract/profile.ts";
import { workspaceEndpoints, type CreateWorkspaceInput, type Workspace } from "#contract/workspaces.ts";
import { ApiError, call } from "../../lib/api-client.ts";
import type { Pictures } from "./picture-store.ts";

/** Creates the workspace. Idempotency: after a lost response, the same draft returns the same workspace. Throws ApiError. */
export async function createWorkspace(draftKey: string, input: CreateWorkspaceInput): Promise<Workspace> {
  const headers = { "idempotency-key": `${draftKey}.${await digest(JSON.stringify(input))}` };
  return (await call(workspaceEndpoints.create, { body: input, headers })).workspace;
}

async function digest(text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return Array.from(bytes.subarray(0, 16), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Uploads logo and avatar; returns error messages. Never throws. */
export async function uploadPictures(workspaceId: string, { logo, avatar }: Pictures): Promise<string[]> {
  const uploads = [
    logo && call(workspaceEndpoints.uploadLogo, { params: { workspaceId }, file: logo }),
    avatar && call(profileEndpoints.uploadAvatar, { file: avatar }),
  ];
  const results = await Promise.allSettled(uploads);
  return results.flatMap((result, index) =>
    result.status === "rejected" ? [problem(index === 0 ? "logo" : "avatar", result.reason)] : [],
  );
}

const problem = (image: string, reason: unknown): string =>
  `Couldn't save the ${image}. ${reason instanceof ApiError ? (reason.fields.image ?? reason.message) : "Please try again later."}`;
