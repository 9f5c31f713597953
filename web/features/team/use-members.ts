import { type assignableRoles, teamEndpoints, type TeamMember } from "#contract/team.ts";
import { call } from "../../lib/api-client.ts";
import { teamRefreshMs } from "../../lib/timings.ts";
import { useCall } from "../../lib/use-call.ts";

export type AssignableRole = (typeof assignableRoles)[number];

/** Members, owner first. Writes throw ApiError and keep the list on failure. */
export function useMembers(workspaceId: string) {
  const params = { id: workspaceId };
  const { data, error, mutate } = useCall(teamEndpoints.members, { params }, { refreshInterval: teamRefreshMs });
  const updateCache = (change: (members: TeamMember[]) => TeamMember[]) =>
    mutate((list) => list && { members: change(list.members) }, { revalidate: false });
  return {
    members: data?.members.toSorted((one, other) => Number(other.role === "owner") - Number(one.role === "owner")),
    error,
    reload: () => mutate(),
    async setRole(memberId: string, role: AssignableRole): Promise<void> {
      const { member } = await call(teamEndpoints.setRole, { params: { ...params, memberId }, body: { role } });
      await updateCache((members) => members.map((one) => (one.user_id === memberId ? { ...one, role: member.role } : one)));
    },
    async remove(memberId: string): Promise<void> {
      await call(teamEndpoints.removeMember, { params: { ...params, memberId } });
      await updateCache((members) => members.filter((one) => one.user_id !== memberId));
    },
  };
}
