import { useEffect, useState } from "react";
import { useSearchParams } from "react-router-dom";
import type { Template } from "#contract/templates.ts";
import { ApiError } from "../../../lib/api-client.ts";
import { toasts } from "../../../lib/toasts.ts";
import { readTemplate } from "./template-calls.ts";

/** With what a new post begins. */
export type Beginning = "loading" | Template | null;

/**
 * The template that the address of a new post names, read once: the address of the first render counts, as the post gets one of its own. One
 * that cannot be read is said, and the post begins empty.
 */
export function useBeginning(workspaceId: string, isNew: boolean): Beginning {
  const [search] = useSearchParams();
  const [templateId] = useState(isNew ? search.get("template") : null);
  const [beginning, setBeginning] = useState<Beginning>(templateId === null ? null : "loading");

  useEffect(() => {
    if (templateId === null) return;
    let wanted = true;
    readTemplate(workspaceId, templateId).then(
      (template) => wanted && setBeginning(template),
      (error: unknown) => {
        if (!wanted) return;
        const isGone = error instanceof ApiError && (error.status === 404 || error.status === 422);
        toasts.error(
          "The template could not be read",
          isGone ? "Somebody has deleted it. Your post begins empty." : "Your post begins empty.",
        );
        setBeginning(null);
      },
    );
    return () => void (wanted = false);
  }, [workspaceId, templateId]);
  return beginning;
}
