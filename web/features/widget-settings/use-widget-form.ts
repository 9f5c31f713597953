import { useState } from "react";
import type { WidgetSettings } from "#contract/widget-choices.ts";
import { widgetEndpoints } from "#contract/widget-endpoints.ts";
import { widgetSettings } from "#contract/widget-settings.ts";
import { ApiError, call } from "../../lib/api-client.ts";
import { toasts } from "../../lib/toasts.ts";
import { useCall } from "../../lib/use-call.ts";
import { toForm, isSameWidget, type WidgetForm } from "./form.ts";

/** Source: specification, sections 4 and 8 ("Widget"). */
export function useWidgetForm(workspaceId: string) {
  const params = { workspaceId };
  const { data, error, mutate } = useCall(widgetEndpoints.read, { params }, { revalidateOnFocus: false });
  const [draft, setDraft] = useState<WidgetForm | null>(null);
  const [saving, setSaving] = useState(false);
  const saved = data && toForm(data.settings);
  const form = draft ?? saved;

  return {
    form,
    error,
    reload: () => mutate(),
    saving,
    dirty: draft !== null && saved !== undefined && !isSameWidget(draft, saved),
    /** Error of the number of posts. */
    problem: form && widgetSettings.safeParse(form).error?.issues[0]?.message,
    change<Group extends keyof WidgetForm>(group: Group, fields: Partial<WidgetForm[Group]>): void {
      if (form) setDraft({ ...form, [group]: { ...form[group], ...fields } });
    },
    /** True if everything is saved. */
    async save(): Promise<boolean> {
      if (saving || draft === null) return draft === null;
      setSaving(true);
      try {
        const { settings } = await call(widgetEndpoints.save, { params, body: { settings: draft as WidgetSettings } });
        await mutate({ settings }, { revalidate: false });
        setDraft((current) => (current === draft ? null : current));
        toasts.success("Widget settings saved successfully", "Your changes have been saved.");
        return true;
      } catch (error) {
        void mutate();
        const silent = error instanceof ApiError && error.code === "unauthenticated";
        if (!silent) toasts.error("Failed to save widget settings", "Please try again or contact support if the problem persists.");
        return false;
      } finally {
        setSaving(false);
      }
    },
  };
}
export type WidgetFormState = ReturnType<typeof useWidgetForm>;
