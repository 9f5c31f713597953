import { useEffect, useState } from "react";
import { useSearchParams } from "react-router-dom";
import type { Template } from "#contract/templates.ts";
import { ApiError } from "../../../lib/api-client.ts";
import { toasts } from "../../../lib/toasts.ts";
import { readTemplate } from "./template-calls.ts";

export type InitialTemplate = "loading" | Template | null;

/** The template in a new post's URL, read once, because the URL changes on the first save. Without it the post starts blank. */
export function useInitialTemplate(workspaceId: string, isNew: boolean): InitialTemplate {
  const [search] = useSearchParams();
  const [templateId] = useState(isNew ? search.get("template") : null);
  const [initial, setInitial] = useState<InitialTemplate>(templateId === null ? null : "loading");

  useEffect(() => {
    if (templateId === null) return;
    let isMounted = true;
    readTemplate(workspaceId, templateId).then(
      (template) => isMounted && setInitial(template),
      (error: unknown) => {
        if (!isMounted) return;
        const isGone = error instanceof ApiError && (error.status === 404 || error.status === 422);
        toasts.error(
          "Couldn't load the template",
          isGone ? "This template was deleted. Starting with a blank post." : "Starting with a blank post.",
        );
        setInitial(null);
      },
    );
    return () => void (isMounted = false);
  }, [workspaceId, templateId]);
  return initial;
}
