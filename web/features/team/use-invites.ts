import { type Invite, inviteEndpoints, type InviteInput, type NewInvite } from "#contract/invites.ts";
import { call } from "../../lib/api-client.ts";
import { teamRefreshMs } from "../../lib/timings.ts";
import { useCall } from "../../lib/use-call.ts";

/** Who is invited, and as what. */
export type InviteTerms = Required<Pick<InviteInput, "role" | "isAdmin">>;

/** A workspace's invitations and what owners and admins do with them. The writes throw an ApiError. */
export function useInvites(workspaceId: string) {
  const { data, error, mutate } = useCall(inviteEndpoints.list, { params: { accountId: workspaceId } }, { refreshInterval: teamRefreshMs });
  return {
    invites: data?.invites,
    error,
    reload: () => mutate(),
    /** A link for whoever has it. */
    async createLink(terms: InviteTerms): Promise<NewInvite> {
      const params = { accountId: workspaceId };
      const { invite } = await call(inviteEndpoints.createLink, { params, body: { ...terms, workspaceId, email: "", expires_at: "" } });
      await mutate();
      return invite;
    },
    /** An invitation for one address, or the one it has, anew; `mailed` says whether it was sent. */
    async createMail(terms: InviteTerms, email: string): Promise<{ invite: NewInvite; mailed: boolean; renewed: boolean }> {
      const made = await call(inviteEndpoints.create, { params: { accountId: workspaceId }, body: { ...terms, email } });
      await mutate();
      return made;
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
