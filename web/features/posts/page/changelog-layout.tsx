import { lazy, Suspense, useEffect, useState } from "react";
import { Outlet, useNavigate, useParams } from "react-router-dom";
import { paths } from "../../../lib/paths.ts";
import { PostSidebar } from "../list/post-sidebar.tsx";
import { useLivePosts } from "../use-live-posts.ts";
import { usePostBrowser } from "../list/use-post-browser.ts";
import { useShortcuts } from "../toolbar/use-shortcuts.ts";
import { useCurrentWorkspace } from "../../workspaces/current-workspace.tsx";
import { classNames } from "../../../lib/class-names.ts";
import { useLatest } from "../../../lib/use-latest.ts";
import { useMediaQuery } from "../../../lib/use-media-query.ts";
import type { ChangelogArea } from "./area-context.ts";
import css from "./changelog-layout.module.css";

const SearchPalette = lazy(() => import("../search/search-palette.tsx").then((module) => ({ default: module.SearchPalette })));
const ShortcutsDialog = lazy(() => import("../toolbar/shortcuts-dialog.tsx").then((module) => ({ default: module.ShortcutsDialog })));

/** Below this width three columns would leave no room to write: the list slides in over the page. */
const drawerBelow = "(width < 1100px)";

/** The changelog area: all posts at the left, the open one beside them. It starts afresh in another workspace. */
export function Component() {
  const { workspace } = useCurrentWorkspace();
  return <Area key={workspace.id} workspaceId={workspace.id} />;
}

function Area({ workspaceId }: { workspaceId: string }) {
  const { canWrite } = useCurrentWorkspace();
  const { postId = null } = useParams();
  const navigate = useNavigate();
  const browser = usePostBrowser(workspaceId);
  const narrow = useMediaQuery(drawerBelow);
  const [drawer, setDrawer] = useState(false);
  const [overlay, setOverlay] = useState<"search" | "shortcuts" | null>(null);
  useLivePosts(workspaceId);
  useShortcuts({ onSearch: () => setOverlay("search"), onHelp: () => setOverlay("shortcuts") });

  useEscape(narrow && drawer, () => setDrawer(false));

  const close = () => setOverlay(null);
  const go = (path: string) => {
    close();
    void navigate(path);
  };
  const area: ChangelogArea = {
    browser,
    onSearch: () => setOverlay("search"),
    onShortcuts: () => setOverlay("shortcuts"),
    onShowPosts: narrow ? () => setDrawer(true) : null,
  };

  return (
    <div className={css.area}>
      <div className={classNames(css.sidebar, drawer && css.open)} inert={narrow && !drawer}>
        <PostSidebar
          workspaceId={workspaceId}
          browser={browser}
          activeId={postId}
          canWrite={canWrite}
          onClose={narrow ? () => setDrawer(false) : null}
        />
      </div>
      {narrow && drawer && (
        <button type="button" className={css.veil} tabIndex={-1} aria-label="Close the list of posts" onClick={() => setDrawer(false)} />
      )}
      <div className={css.page} inert={narrow && drawer}>
        <Outlet context={area} />
      </div>
      <Suspense>
        {overlay === "search" && (
          <SearchPalette
            workspaceId={workspaceId}
            canWrite={canWrite}
            onOpen={(post) => go(paths.editPost(workspaceId, post.id))}
            onCreate={() => go(paths.newPost(workspaceId))}
            onClose={close}
          />
        )}
        {overlay === "shortcuts" && <ShortcutsDialog onClose={close} />}
      </Suspense>
    </div>
  );
}

function useEscape(active: boolean, onEscape: () => void) {
  const latest = useLatest(onEscape);
  useEffect(() => {
    if (!active) return;
    const onKeyDown = (event: KeyboardEvent) => event.key === "Escape" && latest.current();
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [active, latest]);
}
