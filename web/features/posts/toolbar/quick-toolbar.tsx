import type { ReactNode } from "react";
import { useNavigate } from "react-router-dom";
import { paths } from "../../../lib/paths.ts";
import { IconButton } from "../../../components/icon-button.tsx";
import type { ToolbarContext } from "./toolbar-context.ts";
import css from "./quick-toolbar.module.css";

interface QuickToolbarProps {
  workspaceId: string;
  context: ToolbarContext;
  canWrite: boolean;
  onSearch(): void;
  /** On a phone: opens the list of posts. */
  onShowPosts: (() => void) | null;
  /** Who else is here. */
  presence?: ReactNode;
  /** What can be done with the open post. */
  actions?: ReactNode;
}

/** Back, forward, search, new post; then who is here and what can be done. Source: specification, section 2 ("Post editor"). */
export function QuickToolbar({ workspaceId, context, canWrite, onSearch, onShowPosts, presence, actions }: QuickToolbarProps) {
  const navigate = useNavigate();
  return (
    <div className={css.toolbar} role="toolbar" aria-label="Quick actions" data-context={context}>
      <div className={css.tools}>
        {onShowPosts && <IconButton icon="list" label="Show the list of posts" onClick={onShowPosts} />}
        <IconButton icon="arrow-left" label="Back" onClick={() => void navigate(-1)} />
        <IconButton icon="arrow-right" label="Forward" onClick={() => void navigate(1)} />
        <IconButton icon="search" label="Search posts" aria-keyshortcuts="Control+K Meta+K" onClick={onSearch} />
        {canWrite && context !== "creating" && (
          <IconButton icon="plus" label="Create post" onClick={() => void navigate(paths.newPost(workspaceId))} />
        )}
      </div>
      {presence}
      {actions && <div className={css.actions}>{actions}</div>}
    </div>
  );
}
