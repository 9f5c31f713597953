import { useEffect } from "react";
import { useOutletContext } from "react-router-dom";
import type { Columns } from "./columns.ts";
import type { PostBrowser } from "../list/use-post-browser.ts";

/** What the changelog area gives to the page inside it. */
export interface ChangelogArea {
  browser: PostBrowser;
  onSearch(): void;
  onShortcuts(): void;
  /** On a phone: opens the list of posts; null where it is always there. */
  onShowPosts: (() => void) | null;
  /** Where there is room for columns: which of them are put away; null on a phone. */
  columns: Columns | null;
  /** Comments are beside the text. */
  setCrowded(crowded: boolean): void;
  /** Comments take the place of the list of posts, not the room at the other side of the text. */
  commentsInList: boolean;
}

export const useChangelogArea = (): ChangelogArea => useOutletContext<ChangelogArea>();

/** Why the posts could not be listed, where the list is not on the screen to say so itself. */
export function unseenListError({ browser, onShowPosts, columns }: ChangelogArea): string | null {
  const listIsShown = onShowPosts === null && !columns?.isAway("list") && !columns?.isAway("focus");
  return !listIsShown && browser.posts.length === 0 ? browser.list.error : null;
}

/** Makes room for comments for as long as it is wanted. */
export function useRoom({ setCrowded }: ChangelogArea, wanted: boolean): void {
  useEffect(() => {
    if (!wanted) return;
    setCrowded(true);
    return () => setCrowded(false);
  }, [setCrowded, wanted]);
}
