import type { z } from "zod";
import { type newReportRecipient, reportEndpoints } from "#contract/reports.ts";
import { call } from "../../lib/api-client.ts";
import { useCall } from "../../lib/use-call.ts";

/** Writes throw ApiError. */
export function useReports(workspaceId: string) {
  const params = { workspaceId };
  const { data, error, mutate } = useCall(reportEndpoints.read, { params });
  return {
    data,
    error,
    reload: () => mutate(),
    add: async (body: z.input<typeof newReportRecipient>) => {
      const answer = await call(reportEndpoints.add, { params, body });
      await mutate();
      return answer;
    },
    remove: async (recipientId: string): Promise<void> => {
      await call(reportEndpoints.remove, { params: { workspaceId, recipientId } });
      await mutate();
    },
    setMine: async (gets: boolean): Promise<void> => {
      await call(reportEndpoints.setMine, { params, body: { gets } });
      await mutate();
    },
    sendNow: () => call(reportEndpoints.preview, { params }),
  };
}
