import { useEffect } from "react";
import { useSWRConfig } from "swr";
import type { z } from "zod";
import { type MailSettings, type newSubscriber, subscriberEndpoints } from "#contract/subscribers.ts";
import { tagEndpoints } from "#contract/tag-endpoints.ts";
import { defaultTags, type Tag, tagOf } from "#contract/tags.ts";
import { address, call, download } from "../../lib/api-client.ts";
import { useCall } from "../../lib/use-call.ts";
import { useViewAddress } from "../../lib/use-view-address.ts";
import { filterOf, isNarrowed, subscriberView } from "./subscriber-view.ts";

/**
 * One page of a workspace's subscribers as the address narrows it, and what can be done with them. The rows of the last page stay (`stale`) until
 * the next are there. What writes throws an ApiError.
 */
export function useSubscribers(workspaceId: string) {
  const { cache } = useSWRConfig();
  const { written, view, type, choose, goTo, correct } = useViewAddress(subscriberView);
  const { page } = written;
  const params = { workspaceId };
  const query = { ...filterOf(written), page };
  const { data, error, isLoading, mutate } = useCall(subscriberEndpoints.list, { params, query }, { keepPreviousData: true });
  const arrived = cache.get(address(subscriberEndpoints.list.path, params, query))?.data !== undefined;
  const last = arrived && data && page > data.pagination.pages ? data.pagination.pages : undefined;
  useEffect(() => {
    if (last !== undefined) correct(last);
  });
  // isLoading as well: SWR tells of an end of loading, but not of data that equal those shown.
  const stale = isLoading || !arrived || last !== undefined;
  return {
    ...{ data, error, page, view, stale, type, choose, goTo },
    isNarrowed: isNarrowed(view),
    /** There is nobody at all, and not only nobody who fits. */
    isEmpty: !stale && !error && data?.subscribers.length === 0 && !isNarrowed(written),
    reload: () => mutate(),
    add: async (body: z.input<typeof newSubscriber>) => {
      const answer = await call(subscriberEndpoints.add, { params, body });
      await mutate();
      return answer;
    },
    remove: async (subscriberId: string, erase: boolean): Promise<void> => {
      await call(subscriberEndpoints.remove, { params: { workspaceId, subscriberId }, query: { erase: erase ? "true" : "false" } });
      if (data?.subscribers.length === 1 && page > 1) correct(page - 1);
      else await mutate();
    },
    file: (): Promise<File> => download(subscriberEndpoints.export, { params, query: filterOf(view) }),
  };
}

export const useSubscriberNumbers = (workspaceId: string) => useCall(subscriberEndpoints.numbers, { params: { workspaceId } });

/** The topics a reader can choose from, and how a key is shown. */
export function useTopics(workspaceId: string): { topics: Tag[]; label: (key: string) => string } {
  const { data } = useCall(tagEndpoints.list, { params: { workspaceId } });
  const topics = data?.tags ?? [...defaultTags];
  return { topics, label: (key) => tagOf(key, topics).label };
}

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
