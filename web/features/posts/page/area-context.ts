import { useEffect } from "react";
import { useOutletContext } from "react-router-dom";
import type { Columns } from "./columns.ts";
import type { PostBrowser } from "../list/use-post-browser.ts";

/** Outlet context of the changelog area. */
export interface ChangelogArea {
  browser: PostBrowser;
  onSearch(): void;
  onShortcuts(): void;
  /** Opens the post list on a phone; null where it is always visible. */
  onShowPosts: (() => void) | null;
  /** Visibility of the columns; null on a phone. */
  columns: Columns | null;
  /** Set while comments are beside the text. */
  setCrowded(crowded: boolean): void;
  /** Comments take the place of the post list. */
  commentsInList: boolean;
}

export const useChangelogArea = (): ChangelogArea => useOutletContext<ChangelogArea>();

/** Error of the post list while the list is hidden and can't show it. */
export function unseenListError({ browser, onShowPosts, columns }: ChangelogArea): string | null {
  const listIsShown = onShowPosts === null && !columns?.isHidden("list") && !columns?.isHidden("focus");
  return !listIsShown && browser.posts.length === 0 ? browser.list.error : null;
}

/** Reserves room for comments. */
export function useRoom({ setCrowded }: ChangelogArea, isNeeded: boolean): void {
  useEffect(() => {
    if (!isNeeded) return;
    setCrowded(true);
    return () => setCrowded(false);
  }, [setCrowded, isNeeded]);
}
