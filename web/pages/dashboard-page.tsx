import { useDeferredValue, useEffect } from "react";
import { useSearchParams, Link } from "react-router-dom";
import { parseSearch } from "#contract/rules/search-tokens.ts";
import type { Dashboard } from "#contract/workspaces.ts";
import { Failure } from "../ui/empty-state.tsx";
import { PageTitle } from "../ui/page-title.tsx";
import { useDashboard } from "../features/dashboard/use-dashboard.ts";
import { FirstSteps } from "../features/dashboard/first-steps.tsx";
import { DashboardSkeleton } from "../features/dashboard/dashboard-skeleton.tsx";
import { NoPosts, RecentActivity } from "../features/dashboard/recent-activity.tsx";
import { PublicSwitch } from "../features/dashboard/public-switch.tsx";
import { Stats } from "../features/dashboard/stats.tsx";
import { WaitingForYou } from "../features/dashboard/waiting-for-you.tsx";
import { UpcomingPosts } from "../features/dashboard/upcoming-posts.tsx";
import { TablePreload } from "../features/posts/table/table-preload.tsx";
import { useHasAddOn } from "../features/add-ons/use-add-ons.ts";
import { useCurrentWorkspace } from "../features/workspaces/current-workspace.tsx";
import { toasts } from "../lib/toasts.ts";
import { paths } from "../lib/paths.ts";
import { PostsTable } from "../features/posts/table/posts-table.tsx";
import { Row, Stack } from "../ui/layout.tsx";

export function Component() {
  const { workspace } = useCurrentWorkspace();
  const { data, error, mutate } = useDashboard(workspace.id);
  const isShown = useDeferredValue(data !== undefined); // the first render of the content yields to the browser
  const isCounted = useHasAddOn(workspace.id, "analytics");
  useEffect(() => {
    if (error && error.code !== "unauthenticated") toasts.error("Failed to load dashboard data", advice);
  }, [error]);

  return (
    <Stack gap={8}>
      <PageTitle title="Dashboard" subtitle="Keep track of your recent changelogs" context={workspace.name} />
      {data && isShown ? (
        <Content dashboard={data} />
      ) : error ? (
        <Failure title="Failed to load dashboard data" text={error.message} onRetry={() => void mutate()} />
      ) : (
        <>
          {isCounted !== undefined && <TablePreload workspaceId={workspace.id} isCounted={isCounted} />}
          <DashboardSkeleton />
        </>
      )}
    </Stack>
  );
}

const advice = "Please try refreshing the page or contact support if the problem persists.";

function Content({ dashboard }: { dashboard: Dashboard }) {
  const { workspace, role, canWrite } = useCurrentWorkspace();
  const [params] = useSearchParams();
  const { count, views, memberCount, hasArchive, creators, recentActivities, public_changelog_enabled: isPublic } = dashboard;
  const isEmpty = count === 0 && !(hasArchive && parseSearch(params.get("q") ?? "").status === "archived");
  const noPosts = isEmpty && <NoPosts workspaceId={workspace.id} canWrite={canWrite} hasArchive={hasArchive} />;
  const manages = role === "owner" || role === "admin";
  return (
    <>
      {manages && <WaitingForYou workspaceId={workspace.id} />}
      {manages ? (
        <FirstSteps key={workspace.id} workspace={workspace} done={dashboard.firstSteps} isPublic={isPublic} isOwner={role === "owner"}>
          {noPosts}
        </FirstSteps>
      ) : (
        noPosts
      )}
      {role === "owner" && <PublicSwitch workspace={workspace} enabled={isPublic} />}
      <Stats workspaceId={workspace.id} posts={count} views={views} members={memberCount} />
      <UpcomingPosts workspaceId={workspace.id} />
      {!isEmpty && <RecentPosts workspaceId={workspace.id} creators={creators} isCounted={views !== null} canWrite={canWrite} />}
      <RecentActivity workspaceId={workspace.id} activities={recentActivities} />
    </>
  );
}

interface RecentPostsProps {
  workspaceId: string;
  /** Options of the creator filter. */
  creators: readonly string[];
  isCounted: boolean;
  canWrite: boolean;
}

function RecentPosts({ workspaceId, creators, isCounted, canWrite }: RecentPostsProps) {
  return (
    <Stack as="section" aria-labelledby="recent-posts">
      <Row as="header" gap={4} justify="between" align="baseline">
        <h2 id="recent-posts">Recent posts</h2>
        <Link to={paths.changelog(workspaceId)}>View all posts</Link>
      </Row>
      <PostsTable workspaceId={workspaceId} labelledBy="recent-posts" canWrite={canWrite} creators={creators} isCounted={isCounted} />
    </Stack>
  );
}
