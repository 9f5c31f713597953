import { Stack } from "../../ui/layout.tsx";
import { Loading, Skeleton } from "../../ui/skeleton.tsx";
import { chartedFigures } from "./metric-labels.ts";
import css from "./analytics-skeleton.module.css";

export function AnalyticsSkeleton() {
  return (
    <Loading label="Loading analytics">
      <Stack gap={12}>
        <div className={css.figures}>
          {chartedFigures.map((name) => (
            <div key={name}>
              <Skeleton width="5rem" />
              <Skeleton width="4rem" height="2rem" />
              <Skeleton width="7rem" height="0.75rem" />
            </div>
          ))}
        </div>
        <div className={css.chart}>
          {[1, 2, 3, 4, 5].map((line) => (
            <Skeleton key={line} height="1px" />
          ))}
        </div>
        <Stack gap={3}>
          <Skeleton width="6rem" height="1.5rem" />
          {[1, 2, 3, 4, 5].map((row) => (
            <Skeleton key={row} height="2.5rem" />
          ))}
        </Stack>
      </Stack>
    </Loading>
  );
}
