import { useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router-dom";
import { createListeners } from "../../../lib/listeners.ts";
import { paths } from "../../../lib/paths.ts";
import { useIsHere } from "../../../lib/use-is-here.ts";
import { useLatest } from "../../../lib/use-latest.ts";
import type { PostBrowser } from "./use-post-browser.ts";

/** Down the list, or up. */
export type Step = 1 | -1;

const wanted = createListeners<[step: Step]>();
/** Opens the post beside the one that is open, where there is a list of posts. */
export const goToNeighbour = wanted.tell;

/** The place that a step leads to, from no post to the first one; null beyond an end. */
export function placeBeside(ids: readonly string[], activeId: string | null, step: Step): number | null {
  const present = activeId === null ? -1 : ids.indexOf(activeId);
  if (present === -1) return ids.length > 0 ? 0 : null;
  const place = present + step;
  return place >= 0 && place < ids.length ? place : null;
}

/**
 * Moves through the list as it is filtered when goToNeighbour asks; what is unsaved is kept, saved or asked about as on any other way out of a
 * post. Returns what to tell who does not see it. Below the last post that is loaded it goes on once there are more, unless the person has gone
 * elsewhere or filtered the list meanwhile.
 */
export function useNeighbours(workspaceId: string, browser: PostBrowser, activeId: string | null): string {
  const navigate = useNavigate();
  const [told, setTold] = useState("");
  const [waits, setWaits] = useState<string | null>(null); // what was on the screen
  const isHere = useIsHere();
  const asked = useRef<{ id: string; words: string } | null>(null);
  const { posts, list, status, tag, term } = browser;
  const shown = JSON.stringify([activeId, status, tag, term]);
  const latest = useLatest({ posts, list, activeId, shown });

  const go = useLatest((step: Step) => {
    const { posts, list, activeId, shown } = latest.current;
    const place = placeBeside(
      posts.map(({ id }) => id),
      activeId,
      step,
    );
    if (place !== null) {
      const { id, title } = posts[place]!;
      asked.current = { id, words: `${title || "Untitled"}, ${place + 1} of ${posts.length}` };
      void navigate(paths.editPost(workspaceId, id));
    } else if (step === 1 && (list.page < list.pages || list.loading)) {
      setWaits(shown);
      list.loadMore();
    } else setTold(posts.length === 0 ? "There are no posts in the list" : step === 1 ? "This is the last post" : "This is the first post");
  });

  useEffect(() => wanted.listen((step) => go.current(step)), [go]);
  useEffect(() => {
    if (waits === null || list.loading) return;
    setWaits(null);
    if (list.error === null && waits === shown && isHere()) go.current(1);
  }, [waits, shown, list.loading, list.error, isHere, go]);
  useEffect(() => {
    if (asked.current?.id === activeId) setTold(asked.current.words); // there, and not kept by a question on the way
  }, [activeId]);
  return told;
}
