import type { ReactNode } from "react";
import { useNavigate } from "react-router-dom";
import { openOverlay } from "../../../lib/overlays.ts";
import { paths } from "../../../lib/paths.ts";
import { IconButton } from "../../../ui/icon-button.tsx";
import type { IconName } from "../../../ui/icon.tsx";
import type { Columns, Part } from "../page/columns.ts";
import type { ToolbarContext } from "./toolbar-context.ts";
import { type ToolbarRoom, useToolbarRoom } from "./use-toolbar-room.ts";
import css from "./toolbar.module.css";

interface QuickToolbarProps {
  workspaceId: string;
  context: ToolbarContext;
  canWrite: boolean;
  onSearch(): void;
  onShowPosts: (() => void) | null;
  columns: Columns | null;
  renderPresence?(room: ToolbarRoom): ReactNode;
  renderActions?(room: ToolbarRoom): ReactNode;
}

/** Navigation, search, new post, presence and actions. Source: specification, section 2 ("Post editor"). */
export function QuickToolbar({
  workspaceId,
  context,
  canWrite,
  onSearch,
  onShowPosts,
  columns,
  renderPresence,
  renderActions,
}: QuickToolbarProps) {
  const navigate = useNavigate();
  const [measured, room] = useToolbarRoom();
  const folds = renderActions !== undefined && room !== "roomy";
  if (columns?.isHidden("focus"))
    return (
      <div ref={measured} className={css.toolbar} role="toolbar" aria-label="Quick actions" data-context={context}>
        <div className={css.tools}>
          <IconButton icon="times" label="Exit focus mode" aria-keyshortcuts={focusKeys} onClick={() => columns.toggle("focus")} />
        </div>
        {renderPresence?.(room)}
        {renderActions && <div className={css.actions}>{renderActions(room)}</div>}
      </div>
    );
  return (
    <div ref={measured} className={css.toolbar} role="toolbar" aria-label="Quick actions" data-context={context}>
      <div className={css.tools}>
        {columns && <Fold columns={columns} part="menu" icon="bars" what="menu" />}
        {onShowPosts && <IconButton icon="list" label="Show post list" onClick={onShowPosts} />}
        {columns && !onShowPosts && <Fold columns={columns} part="list" icon="list" what="post list" />}
        <IconButton icon="arrow-left" label="Back" onClick={() => void navigate(-1)} />
        <IconButton icon="arrow-right" label="Forward" onClick={() => void navigate(1)} />
        <IconButton icon="search" label="Search posts" aria-keyshortcuts="Control+K Meta+K" onClick={onSearch} />
        {canWrite && context !== "creating" && (
          <IconButton icon="plus" label="Create post" onClick={() => void navigate(paths.newPost(workspaceId))} />
        )}
        {canWrite && !folds && <IconButton icon="file" label="New post from template" onClick={() => openOverlay("templates")} />}
        {columns && !folds && context !== "default" && (
          <IconButton icon="window-maximize" label="Focus mode" aria-keyshortcuts={focusKeys} onClick={() => columns.toggle("focus")} />
        )}
      </div>
      {renderPresence?.(room)}
      {renderActions && <div className={css.actions}>{renderActions(room)}</div>}
    </div>
  );
}

const focusKeys = "Control+\\ Meta+\\";

function Fold({ columns, part, icon, what }: { columns: Columns; part: Part; icon: IconName; what: string }) {
  const isHidden = columns.isHidden(part);
  return (
    <IconButton
      icon={icon}
      label={`${isHidden ? "Show" : "Hide"} ${what}`}
      aria-expanded={!isHidden}
      onClick={() => columns.toggle(part)}
    />
  );
}
