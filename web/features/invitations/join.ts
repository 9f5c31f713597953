import { inviteEndpoints } from "#contract/invites.ts";
import { ApiError, call } from "../../lib/api-client.ts";
import { clearInvite } from "../../lib/stored-invite.ts";

/** Joins by token, or by the account's own invitation if null; returns the workspace id and clears the stored invitation. Throws ApiError, or 'Failed to join team' without an id. Source: specification, sections 2 and 8. */
export async function join(token: string | null): Promise<string> {
  const { workspaceId } = await (
    token === null ? call(inviteEndpoints.joinSession, { body: {} }) : call(inviteEndpoints.join, { body: { token } })
  ).catch(failJoin);
  clearInvite();
  return workspaceId;
}

function failJoin(error: unknown): never {
  if (!(error instanceof ApiError)) throw error;
  if (error.code === "invalid_invitation") clearInvite(); // retrying can't help
  throw error.status >= 200 && error.status < 300 ? new Error("Failed to join team", { cause: error }) : error;
}
