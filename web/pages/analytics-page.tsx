import { Failure } from "../ui/empty-state.tsx";
import { PageTitle } from "../ui/page-title.tsx";
import { spanName } from "../features/analytics/days.ts";
import { NoNumbers } from "../features/analytics/no-numbers.tsx";
import { RangeBar } from "../features/analytics/range-bar.tsx";
import { Report } from "../features/analytics/report.tsx";
import { useAnalytics, useView } from "../features/analytics/use-analytics.ts";
import { useCurrentWorkspace } from "../features/workspaces/current-workspace.tsx";
import { Stack, Text } from "../ui/layout.tsx";
import { Loading, Skeleton } from "../ui/skeleton.tsx";

/** In place of the specification's "analytics works!". Source: section 2; product decision 8. */
export function Component() {
  const { workspace } = useCurrentWorkspace();
  const { choice, typed, range, show, today, choose, setRange, draw } = useView();
  const { data, stale, error, reload } = useAnalytics(workspace.id, range);
  return (
    <Stack key={workspace.id} gap={8}>
      <PageTitle
        title="Analytics"
        subtitle={
          <>
            <span className="print-only">{workspace.name} · </span>
            {range ? spanName(range) : "Views, readers and referrers"}
          </>
        }
        context={workspace.name}
      />
      <RangeBar choice={choice} typed={typed} onChoose={(chosen) => choose(chosen)} onRange={setRange} />
      {!range && <Text tone="muted">Enter a start and an end date.</Text>}
      {data?.since === null ? (
        <NoNumbers workspace={workspace} />
      ) : data ? (
        <Report workspaceId={workspace.id} data={data} stale={stale} show={show} today={today} onShow={draw} />
      ) : error ? (
        <Failure title="Couldn't load the numbers" text={error.message} onRetry={reload} />
      ) : (
        range && (
          <Loading label="Loading analytics">
            <Stack gap={12}>
              <Skeleton height="7rem" />
              <Skeleton height="18rem" />
              <Skeleton height="16rem" />
            </Stack>
          </Loading>
        )
      )}
    </Stack>
  );
}
