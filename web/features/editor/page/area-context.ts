import { useOutletContext } from "react-router-dom";
import type { Columns } from "./columns.ts";
import type { PostBrowser } from "../../posts/list/use-post-browser.ts";

export interface ChangelogArea {
  browser: PostBrowser;
  /** Opens the post list on a phone; null where it is always visible. */
  onShowPosts: (() => void) | null;
  columns: Columns | null;
}

export const useChangelogArea = (): ChangelogArea => useOutletContext<ChangelogArea>();

/** Error of the post list while the list is hidden and can't show it. */
export function unseenListError({ browser, onShowPosts, columns }: ChangelogArea): string | null {
  const listIsShown = onShowPosts === null && !columns?.isHidden("list") && !columns?.isHidden("focus");
  return !listIsShown && browser.posts.length === 0 ? browser.list.error : null;
}
