import { type Invite, inviteEndpoints, type InviteInput, type NewInvite } from "#contract/invites.ts";
import { teamRefreshMs } from "../../lib/timings.ts";
import { useCall } from "../../lib/use-call.ts";

export type InviteTerms = Required<Pick<InviteInput, "role" | "isAdmin">>;

/** Invitations of a workspace. Writes throw ApiError. */
export function useInvites(workspaceId: string) {
  const params = { accountId: workspaceId };
  const { data, error, mutate, write } = useCall(inviteEndpoints.list, { params }, { refreshInterval: teamRefreshMs });
  return {
    invites: data?.invites,
    error,
    reload: () => mutate(),
    async createLink(terms: InviteTerms): Promise<NewInvite> {
      return (await write(inviteEndpoints.createLink, { params, body: { ...terms, workspaceId, email: "", expires_at: "" } })).invite;
    },
    inviteMany: (terms: InviteTerms, emails: string[]) => write(inviteEndpoints.createMany, { params, body: { ...terms, emails } }),
    /** Invites by email, or renews the invitation; `mailed`: email was sent. */
    createMail: (terms: InviteTerms, email: string) => write(inviteEndpoints.create, { params, body: { ...terms, email } }),
    setRole: (inviteId: string, role: Invite["role"]) =>
      write(inviteEndpoints.setRole, { params: { ...params, inviteId }, body: { role } }),
    revoke: (inviteId: string) => write(inviteEndpoints.revoke, { params: { ...params, inviteId } }),
  };
}
