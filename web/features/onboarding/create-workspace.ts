import { profileEndpoints } from "#contract/profile.ts";
import { workspaceEndpoints, type CreateWorkspaceInput, type Workspace } from "#contract/workspaces.ts";
import { ApiError, call } from "../../lib/api-client.ts";
import type { Pictures } from "./picture-store.ts";

/**
 * Creates the workspace of an onboarding draft. Throws an ApiError; without an answer (status 0) it may have been made all the same: then
 * the same draft with the same words, also after a reload, gets that one instead of hearing that its subdomain is taken.
 */
export async function createWorkspace(draftKey: string, input: CreateWorkspaceInput): Promise<Workspace> {
  const headers = { "idempotency-key": `${draftKey}.${await digest(JSON.stringify(input))}` };
  return (await call(workspaceEndpoints.create, { body: input, headers })).workspace;
}

async function digest(text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return Array.from(bytes.subarray(0, 16), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Uploads logo and avatar, which the create call does not carry; returns why some could not be stored, in sentences. Never throws. */
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

const problem = (what: string, reason: unknown): string =>
  `The ${what} could not be stored. ${reason instanceof ApiError ? (reason.fields.image ?? reason.message) : "Please try again later."}`;
