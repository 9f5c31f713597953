import { useEffect, useState } from "react";
import type { AppearanceChoices } from "#contract/appearance.ts";
import { type AppearancePreview, appearancePreviewEndpoints } from "#contract/appearance-preview.ts";
import { ApiError, call, sentenceOf } from "../../lib/api-client.ts";
import { useLatest } from "../../lib/use-latest.ts";

/** Debounce while a colour is being dragged. */
const debounceMs = 250;
const firstRetryMs = 2_000;
/** Longest backoff between retries. */
const maxRetryMs = 30_000;

/** Server preview of unsaved choices, debounced and retried. `choices` null (invalid): keeps the last one. `pictures` identifies the saved images. */
export function useLookPreview(workspaceId: string, choices: AppearanceChoices | null, pictures: string) {
  const [preview, setPreview] = useState<AppearancePreview>();
  const [problem, setProblem] = useState<string>();
  const [tries, setTries] = useState(0);
  const latest = useLatest({ choices, isFirst: preview === undefined });
  const requestKey = choices === null ? null : JSON.stringify(choices);

  useEffect(() => {
    if (requestKey === null) return;
    const controller = new AbortController();
    let timer = setTimeout(request, latest.current.isFirst ? 0 : debounceMs);
    let backoffMs = firstRetryMs;
    function request() {
      const body = latest.current.choices ?? {};
      call(appearancePreviewEndpoints.preview, { params: { workspaceId }, body, signal: controller.signal }).then(
        (preview) => {
          if (controller.signal.aborted) return;
          setPreview(preview);
          setProblem(undefined);
        },
        (error: unknown) => {
          if (controller.signal.aborted) return;
          const isLimited = error instanceof ApiError && error.code === "rate_limited";
          if (!isLimited) setProblem(sentenceOf(error, "Please try again later."));
          if (isLimited) timer = setTimeout(request, error.retryAfterMs ?? firstRetryMs);
          else if (!(error instanceof ApiError) || error.status === 0 || error.status >= 500) {
            timer = setTimeout(request, backoffMs); // network or server error: retry with backoff
            backoffMs = Math.min(backoffMs * 2, maxRetryMs);
          }
        },
      );
    }
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [workspaceId, requestKey, pictures, tries, latest]);

  return { made: preview, problem, again: () => setTries(tries + 1) };
}
