import { useEffect } from "react";
import { useSWRConfig } from "swr";
import type { z } from "zod";
import { type MailSettings, type newSubscriber, subscriberEndpoints } from "#contract/subscribers.ts";
import { tagEndpoints } from "#contract/tag-endpoints.ts";
import { defaultTags, type Tag, tagOf } from "#contract/tags.ts";
import { address, call, download } from "../../lib/api-client.ts";
import { useCall } from "../../lib/use-call.ts";
import { useViewAddress } from "../../lib/use-view-address.ts";
import { toFilter, isFiltered, subscriberView } from "./subscriber-view.ts";

/** One page of filtered subscribers. The last rows stay (`stale`) while loading. Writes throw ApiError. */
export function useSubscribers(workspaceId: string) {
  const { cache } = useSWRConfig();
  const { written, view, type, choose, goTo, correct } = useViewAddress(subscriberView);
  const { page } = written;
  const params = { workspaceId };
  const query = { ...toFilter(written), page };
  const { data, error, isLoading, mutate, write } = useCall(subscriberEndpoints.list, { params, query }, { keepPreviousData: true });
  const isCached = cache.get(address(subscriberEndpoints.list.path, params, query))?.data !== undefined;
  const last = isCached && data && page > data.pagination.pages ? data.pagination.pages : undefined;
  useEffect(() => {
    if (last !== undefined) correct(last);
  });
  // isLoading too: SWR doesn't rerender for data equal to the current.
  const stale = isLoading || !isCached || last !== undefined;
  return {
    ...{ data, error, page, view, stale, type, choose, goTo },
    isFiltered: isFiltered(view),
    /** True without any subscribers, filters aside. */
    isEmpty: !stale && !error && data?.subscribers.length === 0 && !isFiltered(written),
    reload: () => mutate(),
    add: (body: z.input<typeof newSubscriber>) => write(subscriberEndpoints.add, { params, body }),
    remove: async (subscriberId: string, erase: boolean): Promise<void> => {
      await call(subscriberEndpoints.remove, { params: { workspaceId, subscriberId }, query: { erase: erase ? "true" : "false" } });
      if (data?.subscribers.length === 1 && page > 1) correct(page - 1);
      else await mutate();
    },
    file: (): Promise<File> => download(subscriberEndpoints.export, { params, query: toFilter(view) }),
  };
}

export const useSubscriberNumbers = (workspaceId: string) => useCall(subscriberEndpoints.numbers, { params: { workspaceId } });

/** Topics, and the label of a key. */
export function useTopics(workspaceId: string): { topics: Tag[]; label: (key: string) => string } {
  const { data } = useCall(tagEndpoints.list, { params: { workspaceId } });
  const topics = data?.tags ?? [...defaultTags];
  return { topics, label: (key) => tagOf(key, topics).label };
}

/** The write throws ApiError. */
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
