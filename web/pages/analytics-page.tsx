import { Failure } from "../ui/empty-state.tsx";
import { PageTitle } from "../ui/page-title.tsx";
import { AnalyticsSkeleton } from "../features/analytics/analytics-skeleton.tsx";
import { spanName } from "../features/analytics/days.ts";
import { NoNumbers } from "../features/analytics/no-numbers.tsx";
import { RangeBar } from "../features/analytics/range-bar.tsx";
import { Report } from "../features/analytics/report.tsx";
import { useAnalytics, useView } from "../features/analytics/use-analytics.ts";
import { useCurrentWorkspace } from "../features/workspaces/current-workspace.tsx";
import css from "./analytics-page.module.css";

/** In place of the specification's "analytics works!". Source: section 2; product decision 8. */
export function Component() {
  const { workspace } = useCurrentWorkspace();
  const { choice, typed, range, show, today, choose, setRange, draw } = useView();
  const { data, stale, error, reload } = useAnalytics(workspace.id, range);
  return (
    <div key={workspace.id} className={css.page}>
      <PageTitle
        title="Analytics"
        subtitle={
          <>
            <span className={css.printed}>{workspace.name} · </span>
            {range ? spanName(range) : "Views, readers and referrers"}
          </>
        }
        context={workspace.name}
      />
      <RangeBar choice={choice} typed={typed} onChoose={(chosen) => choose(chosen)} onRange={setRange} />
      {!range && <p className={css.unknown}>Enter a start and an end date.</p>}
      {data?.since === null ? (
        <NoNumbers workspace={workspace} />
      ) : data ? (
        <Report workspaceId={workspace.id} data={data} stale={stale} show={show} today={today} onShow={draw} />
      ) : error ? (
        <Failure title="Couldn't load the numbers" text={error.message} onRetry={reload} />
      ) : (
        range && <AnalyticsSkeleton />
      )}
    </div>
  );
}
