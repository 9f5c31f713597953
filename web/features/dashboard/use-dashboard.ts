import { useState } from "react";
import { workspaceEndpoints } from "#contract/workspaces.ts";
import { toasts } from "../../lib/toasts.ts";
import { useCall } from "../../lib/use-call.ts";
import { useTogglePublicChangelog } from "../workspaces/use-workspaces.ts";

export function useDashboard(workspaceId: string) {
  return useCall(workspaceEndpoints.dashboard, { params: { workspaceId } });
}

/** One change at a time; errors show as a toast. */
export function usePublicSwitch(workspaceId: string): { busy: boolean; change: (isPublic: boolean) => Promise<void> } {
  const [busy, setBusy] = useState(false);
  const toggle = useTogglePublicChangelog(workspaceId);

  async function change(isPublic: boolean) {
    if (busy) return;
    setBusy(true);
    try {
      await toggle(isPublic);
    } catch (error) {
      toasts.failure("Couldn't change the public changelog", error);
    } finally {
      setBusy(false);
    }
  }
  return { busy, change };
}
