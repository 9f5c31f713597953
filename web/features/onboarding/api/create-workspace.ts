import { profileEndpoints } from "#contract/profile.ts";
import { workspaceEndpoints, type CreateWorkspaceInput, type Workspace } from "#contract/workspaces.ts";
import { ApiError, call } from "../../../lib/api-client.ts";
import type { Pictures } from "../model/picture-store.ts";

/** Creates the workspace. Throws an ApiError; nothing was made then. */
export async function createWorkspace(input: CreateWorkspaceInput): Promise<Workspace> {
  return (await call(workspaceEndpoints.create, { body: input })).workspace;
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
