import useSWRInfinite from "swr/infinite";
import type { z } from "zod";
import { type changedWebhook, type Delivery, type newWebhook, type Webhook, webhookEndpoints } from "#contract/webhooks.ts";
import { tagEndpoints } from "#contract/tag-endpoints.ts";
import { defaultTags, type Tag } from "#contract/tags.ts";
import { address, type ApiError, call, read } from "../../lib/api-client.ts";
import { useCall } from "../../lib/use-call.ts";

/** Webhooks and chats of a workspace. Writes throw ApiError. */
export function useWebhooks(workspaceId: string) {
  const params = { workspaceId };
  const { data, error, mutate } = useCall(
    webhookEndpoints.list,
    { params },
    { refreshInterval: (latest) => (isBusy(latest?.webhooks) ? pollMs : 0) },
  );
  const paramsOf = (id: string) => ({ params: { workspaceId, id } });
  const updateCache = async (webhook: Webhook): Promise<Webhook> => {
    await mutate((list) => list && { webhooks: list.webhooks.map((other) => (other.id === webhook.id ? webhook : other)) }, {
      revalidate: false,
    });
    return webhook;
  };
  return {
    webhooks: data?.webhooks,
    error,
    reload: () => mutate(),
    add: async (body: z.input<typeof newWebhook>) => {
      const made = await call(webhookEndpoints.create, { params, body });
      void mutate();
      return made;
    },
    change: async (id: string, body: z.input<typeof changedWebhook>) =>
      updateCache((await call(webhookEndpoints.change, { ...paramsOf(id), body })).webhook),
    enable: async (id: string) => updateCache((await call(webhookEndpoints.enable, paramsOf(id))).webhook),
    rotate: async (id: string) => {
      const made = await call(webhookEndpoints.rotate, paramsOf(id));
      await updateCache(made.webhook);
      return made;
    },
    ping: async (id: string) => {
      const { delivery } = await call(webhookEndpoints.ping, paramsOf(id));
      void mutate();
      return delivery;
    },
    remove: async (id: string): Promise<void> => {
      await call(webhookEndpoints.remove, paramsOf(id));
      await mutate();
    },
  };
}
export type Webhooks = ReturnType<typeof useWebhooks>;

/** Polling interval while a delivery is pending. */
const pollMs = 2_000;
const isBusy = (webhooks: readonly Webhook[] | undefined): boolean =>
  webhooks?.some(({ enabled, waiting, last_try_at }) => enabled && waiting > 0 && last_try_at === null) ?? false;

/** True if the delivery is sending or due within 20 s. */
const isPending = ({ state, next_try_at }: Delivery): boolean =>
  state === "sending" || (state === "waiting" && (next_try_at === null || Date.parse(next_try_at) - Date.now() < 20_000));

export type DeliveryFilter = "all" | Delivery["state"];
type Page = z.output<typeof webhookEndpoints.deliveries.response>;

/** Newest first; polled while something is pending. */
export function useDeliveries(workspaceId: string, id: string, state: DeliveryFilter) {
  const params = { workspaceId, id };
  const { data, error, size, setSize, isValidating, mutate } = useSWRInfinite<Page, ApiError>(
    (index: number, earlier: Page | null) => {
      if (index > 0 && !earlier?.next) return null;
      return address(webhookEndpoints.deliveries.path, params, { state, cursor: earlier?.next });
    },
    (url: string) => read(webhookEndpoints.deliveries, url),
    { keepPreviousData: true, refreshInterval: (pages) => (pages?.some(({ deliveries }) => deliveries.some(isPending)) ? pollMs : 0) },
  );
  return {
    deliveries: data?.flatMap(({ deliveries }) => deliveries),
    error,
    isLoadingMore: isValidating && (data?.length ?? 0) < size,
    more: data?.at(-1)?.next ? () => void setSize(size + 1) : undefined,
    reload: () => mutate(),
    resend: async (deliveryId: string): Promise<void> => {
      await call(webhookEndpoints.resend, { params: { workspaceId, id: deliveryId } });
      await mutate();
    },
    resendFailed: async (since: string): Promise<number> => {
      const { count } = await call(webhookEndpoints.resendFailed, { params, body: { since } });
      await mutate();
      return count;
    },
  };
}

export function useTags(workspaceId: string): readonly Tag[] {
  return useCall(tagEndpoints.list, { params: { workspaceId } }).data?.tags ?? defaultTags;
}
