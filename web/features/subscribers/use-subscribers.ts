import { useEffect, useState } from "react";
import type { z } from "zod";
import { type MailSettings, type newSubscriber, subscriberEndpoints, type SubscriberFilter } from "#contract/subscribers.ts";
import { tagEndpoints } from "#contract/tag-endpoints.ts";
import { defaultTags, type Tag, tagOf } from "#contract/tags.ts";
import { call, download } from "../../lib/api-client.ts";
import { searchDebounceMs } from "../../lib/timings.ts";
import { useCall } from "../../lib/use-call.ts";

export const noFilter: SubscriberFilter = { status: "all", frequency: "all" };

const isNarrowed = ({ status, frequency, tag, q }: SubscriberFilter): boolean =>
  status !== "all" || frequency !== "all" || tag !== undefined || (q ?? "").trim() !== "";

/** One page of a workspace's subscribers, and what can be done with them. What writes throws an ApiError. */
export function useSubscribers(workspaceId: string) {
  const [page, setPage] = useState(1);
  const [filter, setFilter] = useState(noFilter);
  const q = useSettled(filter.q?.trim() || undefined);
  const params = { workspaceId };
  const asked = { ...filter, q };
  const { data, error, mutate } = useCall(subscriberEndpoints.list, { params, query: { ...asked, page } }, { keepPreviousData: true });
  return {
    ...{ data, error, page, filter, setPage },
    isNarrowed: isNarrowed(filter),
    reload: () => mutate(),
    narrow: (changes: Partial<SubscriberFilter>) => {
      setFilter({ ...filter, ...changes });
      setPage(1);
    },
    add: async (body: z.input<typeof newSubscriber>) => {
      const answer = await call(subscriberEndpoints.add, { params, body });
      await mutate();
      return answer;
    },
    remove: async (subscriberId: string, erase: boolean): Promise<void> => {
      await call(subscriberEndpoints.remove, { params: { workspaceId, subscriberId }, query: { erase: erase ? "true" : "false" } });
      if (data?.subscribers.length === 1 && page > 1) setPage(page - 1);
      else await mutate();
    },
    file: (): Promise<File> => download(subscriberEndpoints.export, { params, query: { ...filter, q: filter.q?.trim() || undefined } }),
  };
}

/** What was typed, once nothing more has been for a moment; an empty field at once. */
function useSettled(text: string | undefined): string | undefined {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), text === undefined ? 0 : searchDebounceMs);
    return () => clearTimeout(timer);
  }, [text]);
  return text && settled;
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
