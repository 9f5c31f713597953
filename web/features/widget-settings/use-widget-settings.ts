import { widgetEndpoints } from "#contract/widget-endpoints.ts";
import type { WidgetSettings } from "#contract/widget-choices.ts";
import { call } from "../../lib/api-client.ts";
import { useCall } from "../../lib/use-call.ts";

/** A workspace's saved widget settings. `save` throws an ApiError; what is cached is then asked for again. */
export function useWidgetSettings(workspaceId: string) {
  const params = { workspaceId };
  const { data, error, mutate } = useCall(widgetEndpoints.read, { params }, { revalidateOnFocus: false });
  return {
    settings: data?.settings,
    error,
    reload: () => mutate(),
    async save(settings: WidgetSettings): Promise<void> {
      try {
        const saved = await call(widgetEndpoints.save, { params, body: { settings } });
        await mutate({ settings: saved.settings }, { revalidate: false });
      } catch (error) {
        void mutate();
        throw error;
      }
    },
  };
}
