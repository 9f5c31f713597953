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
  const { data, error, mutate, write } = useCall(
    webhookEndpoints.list,
    { params },
    { refreshInterval: (latest) => (isBusy(latest?.webhooks) ? pollMs : 0) },
  );
  const paramsOf = (id: string) => ({ params: { workspaceId, id } });
  return {
    webhooks: data?.webhooks,
    error,
    reload: () => mutate(),
    add: (body: z.input<typeof newWebhook>) => write(webhookEndpoints.create, { params, body }),
    change: (id: string, body: z.input<typeof changedWebhook>) => write(webhookEndpoints.change, { ...paramsOf(id), body }),
    enable: (id: string) => write(webhookEndpoints.enable, paramsOf(id)),
    rotate: (id: string) => write(webhookEndpoints.rotate, paramsOf(id)),
    ping: (id: string) => write(webhookEndpoints.ping, paramsOf(id)),
    remove: (id: string) => write(webhookEndpoints.remove, paramsOf(id)),
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
