import { useEffect } from "react";
import { Link, useNavigate, useNavigation } from "react-router-dom";
import { paths } from "../lib/paths.ts";
import { ButtonLink } from "../ui/button.tsx";
import { EmptyState, Failure } from "../ui/empty-state.tsx";
import { QuickToolbar } from "../features/editor/toolbar/quick-toolbar.tsx";
import { useCurrentWorkspace } from "../features/workspaces/current-workspace.tsx";
import { useIsCurrentPage } from "../lib/use-is-current-page.ts";
import { usePageTitle } from "../lib/use-page-title.ts";
import { unseenListError, useChangelogArea } from "../features/editor/page/area-context.ts";
import { Text } from "../ui/layout.tsx";

const openFirstMs = 75;

/** Opens the first filtered post, or shows the empty state. */
export function Component() {
  const { workspace, role, canWrite } = useCurrentWorkspace();
  const area = useChangelogArea();
  const { browser } = area;
  const navigate = useNavigate();
  const leaving = useNavigation().state !== "idle"; // the user's own navigation wins
  const isCurrentPage = useIsCurrentPage();
  usePageTitle("Changelog", workspace.name);
  const first = browser.loading ? undefined : browser.posts[0]?.id;
  const listError = unseenListError(area);
  const isEmpty = browser.list.page > 0 && browser.list.posts.length === 0 && !browser.filtered;

  useEffect(() => {
    if (first === undefined || leaving) return;
    const timer = setTimeout(() => {
      if (isCurrentPage()) void navigate(paths.editPost(workspace.id, first), { replace: true });
    }, openFirstMs);
    return () => clearTimeout(timer);
  }, [first, leaving, isCurrentPage, navigate, workspace.id]);

  return (
    <>
      <h1 className="visually-hidden">Changelog</h1>
      <QuickToolbar />
      {listError && <Failure title="Error loading posts" text={listError} onRetry={browser.list.reload} />}
      {isEmpty && (
        <div style={{ paddingBlock: "var(--space-12)" }}>
          <EmptyState
            drawing="page"
            title="You currently have no posts"
            text={canWrite ? "Tell readers what's new. Your first post takes a few minutes." : "Posts by your team will appear here."}
            action={
              canWrite && (
                <ButtonLink to={paths.newPost(workspace.id)} variant="primary" icon="plus">
                  Add post
                </ButtonLink>
              )
            }
          />
          {(role === "owner" || role === "admin") && (
            <Text tone="muted" center>
              Coming from another product? <Link to={paths.importPosts(workspace.id)}>Import your posts</Link>
            </Text>
          )}
        </div>
      )}
    </>
  );
}
