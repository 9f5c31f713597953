import { useId } from "react";
import { IconButton } from "../../../components/icon-button.tsx";
import type { PostBrowser } from "./use-post-browser.ts";
import { PostFilters } from "./post-filters.tsx";
import { PostList } from "./post-list.tsx";
import css from "./post-sidebar.module.css";

interface PostSidebarProps {
  workspaceId: string;
  browser: PostBrowser;
  /** The post that is open. */
  activeId: string | null;
  canWrite: boolean;
  /** On a phone the sidebar lies over the page and has to be closed. */
  onClose: (() => void) | null;
}

/** All posts of the workspace beside the open one. Source: specification, section 2 ("Changelog area"). */
export function PostSidebar({ workspaceId, browser, activeId, canWrite, onClose }: PostSidebarProps) {
  const heading = useId();
  const Heading = onClose ? "h1" : "h2"; // over the page it is the page
  return (
    <section className={css.sidebar} aria-labelledby={heading} data-post-list>
      <header className={css.top}>
        <Heading id={heading} className={css.heading}>
          Posts
        </Heading>
        {onClose && <IconButton icon="times" label="Close the list of posts" onClick={onClose} />}
      </header>
      <PostFilters workspaceId={workspaceId} browser={browser} canWrite={canWrite} />
      <PostList workspaceId={workspaceId} browser={browser} activeId={activeId} onChoose={onClose ?? nothing} />
    </section>
  );
}

const nothing = () => undefined;
