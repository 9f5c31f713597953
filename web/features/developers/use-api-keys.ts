import type { z } from "zod";
import { type ApiKey, apiKeyEndpoints, type createApiKeyInput } from "#contract/api-keys.ts";
import { call } from "../../lib/api-client.ts";
import { useCall } from "../../lib/use-call.ts";

/** A workspace's keys, and what can be done with them. What writes throws an ApiError. */
export function useApiKeys(workspaceId: string) {
  const params = { workspaceId };
  const { data, error, mutate } = useCall(apiKeyEndpoints.list, { params });
  return {
    keys: data?.keys,
    error,
    reload: () => mutate(),
    create: async (body: z.input<typeof createApiKeyInput>) => {
      const made = await call(apiKeyEndpoints.create, { params, body });
      void mutate();
      return made;
    },
    rotate: async ({ id }: ApiKey) => {
      const made = await call(apiKeyEndpoints.rotate, { params: { workspaceId, id } });
      void mutate();
      return made;
    },
    revoke: async ({ id }: ApiKey): Promise<void> => {
      await call(apiKeyEndpoints.revoke, { params: { workspaceId, id } });
      await mutate();
    },
  };
}
