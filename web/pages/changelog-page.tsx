import { useEffect } from "react";
import { Link, useNavigate, useNavigation } from "react-router-dom";
import { paths } from "../lib/paths.ts";
import { ButtonLink } from "../components/button.tsx";
import { EmptyState } from "../components/empty-state.tsx";
import { Failure } from "../components/failure.tsx";
import { QuickToolbar } from "../features/posts/toolbar/quick-toolbar.tsx";
import { useCurrentWorkspace } from "../features/workspaces/current-workspace.tsx";
import { useIsHere } from "../lib/use-is-here.ts";
import { usePageTitle } from "../lib/use-page-title.ts";
import { unseenListError, useChangelogArea } from "../features/posts/page/area-context.ts";
import css from "./changelog-page.module.css";

const openFirstMs = 75;

/** The bare changelog: opens the first of the filtered posts, or invites to write the first one of all. */
export function Component() {
  const { workspace, role, canWrite } = useCurrentWorkspace();
  const area = useChangelogArea();
  const { browser, onSearch, onShowPosts, columns } = area;
  const navigate = useNavigate();
  const leaving = useNavigation().state !== "idle"; // a choice the person made stands
  const isHere = useIsHere();
  usePageTitle("Changelog", workspace.name);
  const first = browser.loading ? undefined : browser.posts[0]?.id;
  const unread = unseenListError(area);
  const none = browser.list.page > 0 && browser.list.posts.length === 0 && !browser.filtered;

  useEffect(() => {
    if (first === undefined || leaving) return;
    const timer = setTimeout(() => {
      if (isHere()) void navigate(paths.editPost(workspace.id, first), { replace: true });
    }, openFirstMs);
    return () => clearTimeout(timer);
  }, [first, leaving, isHere, navigate, workspace.id]);

  return (
    <>
      <h1 className="visually-hidden">Changelog</h1>
      <QuickToolbar
        workspaceId={workspace.id}
        context="default"
        canWrite={canWrite && !none}
        onSearch={onSearch}
        onShowPosts={onShowPosts}
        columns={columns}
      />
      {unread && <Failure title="Error loading posts" text={unread} onRetry={browser.list.reload} />}
      {none && (
        <div className={css.empty}>
          <EmptyState
            drawing="page"
            title="You currently have no posts"
            text={
              canWrite
                ? "Tell your readers what is new: the first post takes a few minutes."
                : "Posts appear here as soon as somebody of your team writes one."
            }
            action={
              canWrite && (
                <ButtonLink to={paths.newPost(workspace.id)} variant="primary" icon="plus">
                  Add post
                </ButtonLink>
              )
            }
          />
          {(role === "owner" || role === "admin") && (
            <p className={css.moving}>
              Coming from another product? <Link to={paths.importPosts(workspace.id)}>Bring your posts along</Link>
            </p>
          )}
        </div>
      )}
    </>
  );
}
