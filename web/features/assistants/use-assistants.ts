import { type Assistant, assistantEndpoints } from "#contract/oauth.ts";
import { call } from "../../lib/api-client.ts";
import { useCall } from "../../lib/use-call.ts";

/** The assistants that are connected with a workspace: one's own, for owners and admins everybody's. `end` throws an ApiError. */
export function useAssistants(workspaceId: string) {
  const { data, error, mutate } = useCall(assistantEndpoints.list, { params: { workspaceId } });
  return {
    assistants: data?.assistants,
    error,
    reload: () => mutate(),
    end: async ({ id }: Assistant): Promise<void> => {
      await call(assistantEndpoints.end, { params: { workspaceId, id } });
      await mutate();
    },
  };
}
