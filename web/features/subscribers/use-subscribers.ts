import { useState } from "react";
import { type MailSettings, subscriberEndpoints } from "#contract/subscribers.ts";
import type { SubscriberStatus } from "#contract/subscriptions.ts";
import { call } from "../../lib/api-client.ts";
import { useCall } from "../../lib/use-call.ts";

export type StatusFilter = "all" | SubscriberStatus;

/** One page of a workspace's subscribers, and taking one off the list. The write throws an ApiError. */
export function useSubscribers(workspaceId: string) {
  const [page, setPage] = useState(1);
  const [status, setStatus] = useState<StatusFilter>("all");
  const [q, setQ] = useState("");
  const params = { workspaceId };
  const query = { page, status, ...(q.trim() !== "" && { q: q.trim() }) };
  const { data, error, mutate } = useCall(subscriberEndpoints.list, { params, query }, { keepPreviousData: true });
  return {
    ...{ data, error, page, status, q, setPage },
    reload: () => mutate(),
    choose: (chosen: StatusFilter) => {
      setStatus(chosen);
      setPage(1);
    },
    search: (text: string) => {
      setQ(text);
      setPage(1);
    },
    remove: async (subscriberId: string, erase: boolean): Promise<void> => {
      await call(subscriberEndpoints.remove, { params: { workspaceId, subscriberId }, query: { erase: erase ? "true" : "false" } });
      await mutate();
    },
  };
}

export const useSubscriberNumbers = (workspaceId: string) => useCall(subscriberEndpoints.numbers, { params: { workspaceId } });

/** How the workspace mails; the write throws an ApiError. */
export function useMailSettings(workspaceId: string) {
  const params = { workspaceId };
  const { data, error, mutate } = useCall(subscriberEndpoints.settings, { params });
  return {
    settings: data?.settings,
    error,
    reload: () => mutate(),
    save: async (body: Partial<MailSettings>): Promise<void> => {
      const { settings } = await call(subscriberEndpoints.saveSettings, { params, body });
      await mutate({ settings }, { revalidate: false });
    },
  };
}
