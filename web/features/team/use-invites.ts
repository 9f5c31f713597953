import { type Invite, inviteEndpoints, type InviteInput, type NewInvite } from "#contract/invites.ts";
import { call } from "../../lib/api-client.ts";
import { teamRefreshMs } from "../../lib/timings.ts";
import { useCall } from "../../lib/use-call.ts";

export type InviteTerms = Required<Pick<InviteInput, "role" | "isAdmin">>;

/** Invitations of a workspace. Writes throw ApiError. */
export function useInvites(workspaceId: string) {
  const { data, error, mutate } = useCall(inviteEndpoints.list, { params: { accountId: workspaceId } }, { refreshInterval: teamRefreshMs });
  return {
    invites: data?.invites,
    error,
    reload: () => mutate(),
    async createLink(terms: InviteTerms): Promise<NewInvite> {
      const params = { accountId: workspaceId };
      const { invite } = await call(inviteEndpoints.createLink, { params, body: { ...terms, workspaceId, email: "", expires_at: "" } });
      await mutate();
      return invite;
    },
    /** Invites by email, or renews the invitation; `mailed`: email was sent. */
    async createMail(terms: InviteTerms, email: string): Promise<{ invite: NewInvite; mailed: boolean; renewed: boolean }> {
      const result = await call(inviteEndpoints.create, { params: { accountId: workspaceId }, body: { ...terms, email } });
      await mutate();
      return result;
    },
    async setRole(inviteId: string, role: Invite["role"]): Promise<void> {
      const { invite } = await call(inviteEndpoints.setRole, { params: { accountId: workspaceId, inviteId }, body: { role } });
      await mutate((list) => list && { invites: list.invites.map((one) => (one.id === inviteId ? { ...one, role: invite.role } : one)) }, {
        revalidate: false,
      });
    },
    async revoke(inviteId: string): Promise<void> {
      await call(inviteEndpoints.revoke, { params: { accountId: workspaceId, inviteId } });
      await mutate((list) => list && { invites: list.invites.filter(({ id }) => id !== inviteId) }, { revalidate: false });
    },
  };
}
