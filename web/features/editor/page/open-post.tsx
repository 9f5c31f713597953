import { useState } from "react";
import { Navigate } from "react-router-dom";
import type { SwitchState } from "../../../lib/leave-guard.ts";
import { paths } from "../../../lib/paths.ts";
import { Button, ButtonLink } from "../../../ui/button.tsx";
import { Failure } from "../../../ui/empty-state.tsx";
import { Loading, Skeleton } from "../../../ui/skeleton.tsx";
import { BodySkeleton } from "../body-skeleton.tsx";
import { QuickToolbar } from "../toolbar/quick-toolbar.tsx";
import { useLoadedPost } from "../../session/use-loaded-post.ts";
import { useInitialTemplate } from "../../posts/templates/use-initial-template.ts";
import { useProfile } from "../../account/profile.ts";
import { useCurrentWorkspace } from "../../workspaces/current-workspace.tsx";
import { unseenListError } from "./area-context.ts";
import { type OpenPostProps, Workbench } from "./workbench.tsx";
import { Stack } from "../../../ui/layout.tsx";
import css from "./page.module.css";

export function OpenPost(props: OpenPostProps) {
  const { visit, area } = props;
  const { workspace } = useCurrentWorkspace();
  const { data: profile } = useProfile();
  const loaded = useLoadedPost(visit.postId);
  const template = useInitialTemplate(workspace.id, visit.postId === null);
  const { list } = area.browser;
  const [listed, setListed] = useState(visit.postId !== null); // a new post waits for the list: if that fails, saving would too
  if (!listed && list.page > 0) setListed(true);
  const unseen = listed ? null : unseenListError(area);

  if (loaded.status === "ready" && loaded.post && loaded.post.workspace_id !== workspace.id) {
    const state: SwitchState = { chosen: true };
    return <Navigate replace to={paths.editPost(loaded.post.workspace_id, loaded.post.id)} state={state} />;
  }
  if (loaded.status === "ready" && profile && template !== "loading" && listed)
    return <Workbench {...props} opened={loaded.post} template={template} threads={loaded.threads} profile={profile} />;
  return (
    <>
      <QuickToolbar />
      <article className={css.article}>
        {loaded.status === "missing" && (
          <Failure
            drawing="signpost"
            title="Post not found"
            text="It was deleted, or you don't have access to it."
            action={
              <ButtonLink to={paths.changelog(workspace.id)} variant="primary">
                Go to changelog
              </ButtonLink>
            }
          />
        )}
        {loaded.status === "failed" && (
          <Failure
            title="Failed to load post"
            text="Please try again or contact support"
            action={<Button onClick={loaded.retry}>Try again</Button>}
          />
        )}
        {unseen !== null && <Failure title="Error loading posts" text={unseen} onRetry={list.reload} />}
        {(loaded.status === "loading" || template === "loading" || !profile || (!listed && list.error === null)) && (
          <Loading label="Loading post">
            <Stack className={css.skeleton}>
              <Skeleton width="70%" height="2.75rem" />
              <Skeleton width="9rem" height="1.5rem" />
            </Stack>
            <BodySkeleton />
          </Loading>
        )}
      </article>
    </>
  );
}
