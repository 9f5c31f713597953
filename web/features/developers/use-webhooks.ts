import useSWRInfinite from "swr/infinite";
import type { z } from "zod";
import { type changedWebhook, type Delivery, type newWebhook, type Webhook, webhookEndpoints } from "#contract/webhooks.ts";
import { tagEndpoints } from "#contract/tag-endpoints.ts";
import { defaultTags, type Tag } from "#contract/tags.ts";
import { address, type ApiError, call, read } from "../../lib/api-client.ts";
import { useCall } from "../../lib/use-call.ts";

/** Webhooks and chats of a workspace, and what can be done with them. What writes throws an ApiError. */
export function useWebhooks(workspaceId: string) {
  const params = { workspaceId };
  const { data, error, mutate } = useCall(
    webhookEndpoints.list,
    { params },
    { refreshInterval: (latest) => (isBusy(latest?.webhooks) ? soonMs : 0) },
  );
  const one = (id: string) => ({ params: { workspaceId, id } });
  const settle = async (webhook: Webhook): Promise<Webhook> => {
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
      settle((await call(webhookEndpoints.change, { ...one(id), body })).webhook),
    enable: async (id: string) => settle((await call(webhookEndpoints.enable, one(id))).webhook),
    rotate: async (id: string) => {
      const made = await call(webhookEndpoints.rotate, one(id));
      await settle(made.webhook);
      return made;
    },
    ping: async (id: string) => {
      const { delivery } = await call(webhookEndpoints.ping, one(id));
      void mutate();
      return delivery;
    },
    remove: async (id: string): Promise<void> => {
      await call(webhookEndpoints.remove, one(id));
      await mutate();
    },
  };
}
export type Webhooks = ReturnType<typeof useWebhooks>;

/** How soon a page that waits for an answer looks again. */
const soonMs = 2_000;
const isBusy = (webhooks: readonly Webhook[] | undefined): boolean =>
  webhooks?.some(({ enabled, waiting, last_try_at }) => enabled && waiting > 0 && last_try_at === null) ?? false;

/** Whether something happens within the next moments. */
const isMoving = ({ state, next_try_at }: Delivery): boolean =>
  state === "sending" || (state === "waiting" && (next_try_at === null || Date.parse(next_try_at) - Date.now() < 20_000));

export type DeliveryFilter = "all" | Delivery["state"];
type Page = z.output<typeof webhookEndpoints.deliveries.response>;

/** What was sent to one of them, the newest first; looked at again by itself while something is on its way. */
export function useDeliveries(workspaceId: string, id: string, state: DeliveryFilter) {
  const params = { workspaceId, id };
  const { data, error, size, setSize, isValidating, mutate } = useSWRInfinite<Page, ApiError>(
    (index: number, earlier: Page | null) => {
      if (index > 0 && !earlier?.next) return null;
      return address(webhookEndpoints.deliveries.path, params, { state, cursor: earlier?.next });
    },
    (url: string) => read(webhookEndpoints.deliveries, url),
    { keepPreviousData: true, refreshInterval: (pages) => (pages?.some(({ deliveries }) => deliveries.some(isMoving)) ? soonMs : 0) },
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

/** The tags to choose from. */
export function useTags(workspaceId: string): readonly Tag[] {
  return useCall(tagEndpoints.list, { params: { workspaceId } }).data?.tags ?? defaultTags;
}
