import { useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router-dom";
import { createListeners } from "../../../lib/listeners.ts";
import { paths } from "../../../lib/paths.ts";
import { useIsCurrentPage } from "../../../lib/use-is-current-page.ts";
import { useLatest } from "../../../lib/use-latest.ts";
import type { PostBrowser } from "./use-post-browser.ts";

export type Step = 1 | -1;

const steps = createListeners<[step: Step]>();
export const goToNeighbour = steps.notify;

/** Index after a step; without an active post the first one; null beyond the ends. */
export function placeBeside(ids: readonly string[], activeId: string | null, step: Step): number | null {
  const present = activeId === null ? -1 : ids.indexOf(activeId);
  if (present === -1) return ids.length > 0 ? 0 : null;
  const place = present + step;
  return place >= 0 && place < ids.length ? place : null;
}

/**
 * Moves through the filtered list on goToNeighbour. Unsaved changes are handled as in any navigation. At the end of the loaded posts it loads
 * the next page, then continues unless the user has moved on. Returns an announcement for screen readers.
 */
export function useNeighbours(workspaceId: string, browser: PostBrowser, activeId: string | null): string {
  const navigate = useNavigate();
  const [announcement, setAnnouncement] = useState("");
  const [waitingView, setWaitingView] = useState<string | null>(null); // view in which the step waits for the next page
  const isHere = useIsCurrentPage();
  const pendingStep = useRef<{ id: string; words: string } | null>(null);
  const { posts, list, status, tag, term } = browser;
  const view = JSON.stringify([activeId, status, tag, term]);
  const latest = useLatest({ posts, list, activeId, view });

  const go = useLatest((step: Step) => {
    const { posts, list, activeId, view } = latest.current;
    const place = placeBeside(
      posts.map(({ id }) => id),
      activeId,
      step,
    );
    if (place !== null) {
      const { id, title } = posts[place]!;
      pendingStep.current = { id, words: `${title || "Untitled"}, ${place + 1} of ${posts.length}` };
      void navigate(paths.editPost(workspaceId, id));
    } else if (step === 1 && (list.page < list.pages || list.loading)) {
      setWaitingView(view);
      list.loadMore();
    } else setAnnouncement(posts.length === 0 ? "No posts in the list" : step === 1 ? "This is the last post" : "This is the first post");
  });

  useEffect(() => steps.listen((step) => go.current(step)), [go]);
  useEffect(() => {
    if (waitingView === null || list.loading) return;
    setWaitingView(null);
    if (list.error === null && waitingView === view && isHere()) go.current(1);
  }, [waitingView, view, list.loading, list.error, isHere, go]);
  useEffect(() => {
    if (pendingStep.current?.id === activeId) setAnnouncement(pendingStep.current.words); // arrived: no dialog kept the user
  }, [activeId]);
  return announcement;
}
