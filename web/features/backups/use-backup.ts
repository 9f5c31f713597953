import type { z } from "zod";
import { type Backup, backupEndpoints, type backupInput } from "#contract/backups.ts";
import { call } from "../../lib/api-client.ts";
import { useCall } from "../../lib/use-call.ts";

/** While a copy is made somebody may be looking. */
const whileRunningMs = 2_000;

const isRunning = (backup: Backup | undefined) => backup?.runs[0]?.state === "running";

/** Where a workspace's copies go and what became of them, and what can be done about it. What writes throws an ApiError. Null: nothing is asked. */
export function useBackup(workspaceId: string) {
  const params = { workspaceId };
  const { data, error, mutate } = useCall(
    backupEndpoints.get,
    { params },
    { refreshInterval: (latest) => (isRunning(latest) ? whileRunningMs : 0) },
  );
  return {
    data,
    error,
    reload: () => mutate(),
    save: async (body: z.input<typeof backupInput>): Promise<void> => {
      await mutate(await call(backupEndpoints.put, { params, body }), { revalidate: false });
    },
    remove: async (): Promise<void> => {
      await call(backupEndpoints.remove, { params });
      await mutate();
    },
    run: async (): Promise<void> => {
      await call(backupEndpoints.run, { params });
      await mutate();
    },
  };
}
