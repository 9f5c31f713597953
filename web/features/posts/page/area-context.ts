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
}

export const useChangelogArea = (): ChangelogArea => useOutletContext<ChangelogArea>();
