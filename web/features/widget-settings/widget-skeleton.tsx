import { Loading, Skeleton } from "../../ui/skeleton.tsx";
import css from "./widget-skeleton.module.css";

export function WidgetSkeleton() {
  return (
    <Loading label="Loading the widget settings">
      <div className={css.page}>
        <div className={css.groups}>
          {[1, 2, 3, 4].map((group) => (
            <div key={group} className={css.groups}>
              <Skeleton width="9rem" height="1.5rem" />
              <Skeleton height="2.5rem" />
            </div>
          ))}
        </div>
        <Skeleton height="32rem" />
      </div>
    </Loading>
  );
}
