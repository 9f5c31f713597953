import { Loading, Skeleton } from "../../ui/skeleton.tsx";
import css from "./dashboard-skeleton.module.css";

export function DashboardSkeleton() {
  return (
    <Loading label="Loading the dashboard">
      <div className={css.page}>
        <div className={css.stats}>
          {[1, 2, 3].map((stat) => (
            <div key={stat}>
              <Skeleton width="7rem" />
              <Skeleton width="3.5rem" height="2rem" />
            </div>
          ))}
        </div>
        <div className={css.rows}>
          <Skeleton width="9rem" height="1.5rem" />
          {[1, 2, 3, 4].map((row) => (
            <Skeleton key={row} height="2.75rem" />
          ))}
        </div>
      </div>
    </Loading>
  );
}
