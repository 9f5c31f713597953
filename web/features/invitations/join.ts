import { inviteEndpoints } from "#contract/invites.ts";
import { ApiError, call } from "../../lib/api-client.ts";
import { forgetInvite } from "../../lib/kept-invite.ts";

/**
 * Joins the workspace of an invitation, or of the one the account was signed up with when there is no token; answers the workspace's id.
 * The browser's own memory of the invitation ends with it. Throws ApiError; 'Failed to join team' when the answer names no workspace.
 * Source: specification, sections 2 and 8.
 */
export async function join(token: string | null): Promise<string> {
  const { workspaceId } = await (
    token === null ? call(inviteEndpoints.joinSession, { body: {} }) : call(inviteEndpoints.join, { body: { token } })
  ).catch(refused);
  forgetInvite();
  return workspaceId;
}

function refused(error: unknown): never {
  if (!(error instanceof ApiError)) throw error;
  if (error.code === "invalid_invitation") forgetInvite(); // it will not get better
  throw error.status >= 200 && error.status < 300 ? new Error("Failed to join team", { cause: error }) : error;
}
