import { type assignableRoles, teamEndpoints } from "#contract/team.ts";
import { teamRefreshMs } from "../../lib/timings.ts";
import { useCall } from "../../lib/use-call.ts";

export type AssignableRole = (typeof assignableRoles)[number];

/** Members, owner first. Writes throw ApiError and keep the list on failure. */
export function useMembers(workspaceId: string) {
  const params = { id: workspaceId };
  const { data, error, mutate, write } = useCall(teamEndpoints.members, { params }, { refreshInterval: teamRefreshMs });
  return {
    members: data?.members.toSorted((one, other) => Number(other.role === "owner") - Number(one.role === "owner")),
    error,
    reload: () => mutate(),
    setRole: (memberId: string, role: AssignableRole) => write(teamEndpoints.setRole, { params: { ...params, memberId }, body: { role } }),
    remove: (memberId: string) => write(teamEndpoints.removeMember, { params: { ...params, memberId } }),
  };
}
