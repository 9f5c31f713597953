import { useEffect, useRef, useState } from "react";
import { Outlet, useParams } from "react-router-dom";
import { goToNeighbour, useNeighbours } from "../../posts/list/neighbours.ts";
import { PostSidebar } from "../../posts/list/post-sidebar.tsx";
import { useLivePosts } from "../../posts/use-live-posts.ts";
import { usePostBrowser } from "../../posts/list/use-post-browser.ts";
import { useShortcuts } from "../toolbar/use-shortcuts.ts";
import { useCurrentWorkspace } from "../../workspaces/current-workspace.tsx";
import { classNames } from "../../../lib/class-names.ts";
import { useDrawerFocus } from "../../../lib/use-drawer-focus.ts";
import { useLatest } from "../../../lib/use-latest.ts";
import { useIsMobile, useMediaQuery } from "../../../lib/use-media-query.ts";
import type { ChangelogArea } from "./area-context.ts";
import { useColumns } from "./columns.ts";
import css from "./page.module.css";

const drawerBelow = "(width < 1280px)";

/** The changelog area: the post list and the open post. Remounts per workspace. */
export function Component() {
  const { workspace } = useCurrentWorkspace();
  return <Area key={workspace.id} workspaceId={workspace.id} />;
}

function Area({ workspaceId }: { workspaceId: string }) {
  const { canWrite } = useCurrentWorkspace();
  const { postId = null } = useParams();
  const browser = usePostBrowser(workspaceId);
  const narrow = useMediaQuery(drawerBelow);
  const [drawer, setDrawer] = useState(false);
  useLivePosts(workspaceId);
  const mobile = useIsMobile();
  const columns = useColumns(!mobile);
  useShortcuts({ onFocus: mobile ? undefined : () => columns.toggle("focus"), onNeighbour: goToNeighbour });
  const announcement = useNeighbours(workspaceId, browser, postId);
  const listHidden = !narrow && (columns.isHidden("list") || columns.isHidden("focus"));

  const sidebar = useRef<HTMLDivElement>(null);
  useEscape(narrow && drawer, () => setDrawer(false));
  useDrawerFocus(narrow && drawer, sidebar, { enters: true });

  const area: ChangelogArea = {
    browser,
    onShowPosts: narrow ? () => setDrawer(true) : null,
    columns: mobile ? null : columns,
  };

  return (
    <div className={classNames(css.area, listHidden && css.withoutList, narrow && css.narrow)}>
      <div className={css.page} inert={narrow && drawer}>
        <Outlet context={area} />
      </div>
      <div ref={sidebar} className={classNames(css.sidebar, drawer && css.open)} hidden={listHidden} inert={narrow && !drawer}>
        <PostSidebar
          workspaceId={workspaceId}
          browser={browser}
          activeId={postId}
          canWrite={canWrite}
          onClose={narrow ? () => setDrawer(false) : null}
        />
      </div>
      {narrow && drawer && (
        <button type="button" className={css.veil} tabIndex={-1} aria-label="Close post list" onClick={() => setDrawer(false)} />
      )}
      <p className="visually-hidden" role="status">
        {announcement}
      </p>
    </div>
  );
}

/** Not for a dialog that is open above. */
function useEscape(active: boolean, onEscape: () => void) {
  const latest = useLatest(onEscape);
  useEffect(() => {
    if (!active) return;
    const onKeyDown = ({ key }: KeyboardEvent) =>
      key === "Escape" && document.querySelector("[role=dialog][aria-modal=true]") === null && latest.current();
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [active, latest]);
}
