import type { ReactNode } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import { openOverlay } from "../../../lib/overlays.ts";
import { paths } from "../../../lib/paths.ts";
import { IconButton } from "../../../ui/icon-button.tsx";
import { Row } from "../../../ui/layout.tsx";
import { useCurrentWorkspace } from "../../workspaces/current-workspace.tsx";
import { useChangelogArea } from "../page/area-context.ts";
import { useRovingFocus } from "./use-roving-focus.ts";
import { toolbarContext } from "./toolbar-context.ts";
import css from "./toolbar.module.css";

/** Navigation, search, new post, presence and actions. Source: specification, section 2 ("Post editor"). */
export function QuickToolbar({ presence, actions }: { presence?: ReactNode; actions?: ReactNode }) {
  const { workspace, canWrite } = useCurrentWorkspace();
  const { onShowPosts, columns } = useChangelogArea();
  const context = toolbarContext(useLocation().pathname);
  const navigate = useNavigate();
  const isListHidden = columns?.isHidden("list") ?? false;
  return (
    <div {...useRovingFocus()} className={css.toolbar} role="toolbar" aria-label="Quick actions" data-context={context}>
      <Row gap={0} nowrap className={css.tools}>
        {columns?.isHidden("focus") ? (
          <IconButton icon="times" label="Exit focus mode" aria-keyshortcuts="Control+\\ Meta+\\" onClick={() => columns.toggle("focus")} />
        ) : (
          <>
            {onShowPosts && <IconButton icon="list" label="Show post list" onClick={onShowPosts} />}
            {columns && !onShowPosts && (
              <IconButton
                icon="list"
                label={isListHidden ? "Show post list" : "Hide post list"}
                aria-expanded={!isListHidden}
                onClick={() => columns.toggle("list")}
              />
            )}
            <IconButton icon="arrow-left" label="Back" onClick={() => void navigate(-1)} />
            <IconButton icon="arrow-right" label="Forward" onClick={() => void navigate(1)} />
            <IconButton icon="search" label="Search posts" aria-keyshortcuts="Control+K Meta+K" onClick={() => openOverlay("palette")} />
            {canWrite && context !== "creating" && (
              <IconButton icon="plus" label="Create post" onClick={() => void navigate(paths.newPost(workspace.id))} />
            )}
          </>
        )}
      </Row>
      {presence}
      {actions && <div className={css.actions}>{actions}</div>}
    </div>
  );
}
