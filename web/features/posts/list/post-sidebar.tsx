import { useId } from "react";
import { IconButton } from "../../../ui/icon-button.tsx";
import { openOverlay } from "../../../lib/overlays.ts";
import type { PostBrowser } from "./use-post-browser.ts";
import { PostFilters } from "./post-filters.tsx";
import { PostList } from "./post-list.tsx";
import { Row, Text } from "../../../ui/layout.tsx";
import css from "./list.module.css";

interface PostSidebarProps {
  workspaceId: string;
  browser: PostBrowser;
  activeId: string | null;
  canWrite: boolean;
  onClose: (() => void) | null;
}

/** The workspace's posts beside the open one. Source: specification, section 2 ("Changelog area"). */
export function PostSidebar({ workspaceId, browser, activeId, canWrite, onClose }: PostSidebarProps) {
  const heading = useId();
  const Heading = onClose ? "h1" : "h2";
  return (
    <section className={css.sidebar} aria-labelledby={heading} data-post-list>
      <Row as="header" nowrap gap={0} className={css.top}>
        <Text as={Heading} id={heading} size="section" grow>
          Posts
        </Text>
        {canWrite && <IconButton icon="tags" label="Manage tags" onClick={() => openOverlay("tags")} />}
        {onClose && <IconButton icon="times" label="Close post list" onClick={onClose} />}
      </Row>
      <PostFilters workspaceId={workspaceId} browser={browser} />
      <PostList workspaceId={workspaceId} browser={browser} activeId={activeId} onChoose={onClose ?? doNothing} />
    </section>
  );
}

const doNothing = () => undefined;
