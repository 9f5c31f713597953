import { useEffect, useState } from "react";
import type { AppearanceChoices } from "#contract/appearance.ts";
import { type AppearancePreview, appearancePreviewEndpoints } from "#contract/appearance-preview.ts";
import { ApiError, call } from "../../lib/api-client.ts";
import { useLatest } from "../../lib/use-latest.ts";

/** So long nothing must have changed: whoever draws a colour asks once he stands still. */
const pauseMs = 250;
const busyMs = 2_000;
/** The longest rest between two tries of what did not work, beginning with `busyMs`. */
const longestRestMs = 30_000;

/**
 * What the server makes of choices that are not saved; the last one stays until there is a newer one. `choices` null: something is wrong
 * with them, and nothing is asked. `pictures` says which are stored: the server takes those.
 */
export function useLookPreview(workspaceId: string, choices: AppearanceChoices | null, pictures: string) {
  const [made, setMade] = useState<AppearancePreview>();
  const [problem, setProblem] = useState<string>();
  const [tries, setTries] = useState(0);
  const latest = useLatest({ choices, isFirst: made === undefined });
  const wanted = choices === null ? null : JSON.stringify(choices);

  useEffect(() => {
    if (wanted === null) return;
    const asking = new AbortController();
    let timer = setTimeout(ask, latest.current.isFirst ? 0 : pauseMs);
    let restMs = busyMs;
    function ask() {
      const body = latest.current.choices ?? {};
      call(appearancePreviewEndpoints.preview, { params: { workspaceId }, body, signal: asking.signal }).then(
        (preview) => {
          if (asking.signal.aborted) return;
          setMade(preview);
          setProblem(undefined);
        },
        (error: unknown) => {
          if (asking.signal.aborted) return;
          const isLimited = error instanceof ApiError && error.code === "rate_limited";
          if (!isLimited) setProblem(error instanceof ApiError ? error.message : "Please try again later.");
          if (isLimited) timer = setTimeout(ask, error.retryAfterMs ?? busyMs);
          else if (!(error instanceof ApiError) || error.status === 0 || error.status >= 500) {
            timer = setTimeout(ask, restMs); // a server that starts, or a line that is gone: nobody has to press a button
            restMs = Math.min(restMs * 2, longestRestMs);
          }
        },
      );
    }
    return () => {
      clearTimeout(timer);
      asking.abort();
    };
  }, [workspaceId, wanted, pictures, tries, latest]);

  return { made, problem, again: () => setTries(tries + 1) };
}
