import { useEffect, useState } from "react";
import type { AppearanceChoices } from "#contract/appearance.ts";
import { type AppearancePreview, appearancePreviewEndpoints } from "#contract/appearance-preview.ts";
import { ApiError, call } from "../../lib/api-client.ts";
import { useLatest } from "../../lib/use-latest.ts";

/** So long nothing must have changed: whoever draws a colour asks once he stands still. */
const pauseMs = 250;
const busyMs = 2_000;

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
          if (error instanceof ApiError && error.code === "rate_limited") timer = setTimeout(ask, error.retryAfterMs ?? busyMs);
          else setProblem(error instanceof ApiError ? error.message : "Please try again later.");
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
