import { Button } from "./button.tsx";
import { Failure } from "./failure.tsx";
import css from "./list-loading.module.css";
import { Loading, Skeleton } from "./skeleton.tsx";

interface ListLoadingProps {
  /** For example "the keys". */
  label: string;
  error: Error | undefined;
  /** Number of skeleton rows. */
  rows: number;
  onRetry(): void;
}

/** Loading or error state in place of a list. */
export function ListLoading({ label, error, rows, onRetry }: ListLoadingProps) {
  if (error) return <Failure title={`Couldn't load ${label}`} text={error.message} onRetry={onRetry} />;
  return (
    <Loading label={`Loading ${label}`}>
      <div className={css.rows}>
        {Array.from({ length: rows }, (_, row) => (
          <Skeleton key={row} height="2.75rem" />
        ))}
      </div>
    </Loading>
  );
}

/** Error below stale rows. */
export function StaleRowsError({ error, onRetry }: { error: Error; onRetry(): void }) {
  return (
    <p role="alert" className={css.stays}>
      {error.message} You're seeing earlier results.{" "}
      <Button size="small" onClick={onRetry}>
        Try again
      </Button>
    </p>
  );
}
