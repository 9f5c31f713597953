import { Button } from "./button.tsx";
import { Failure } from "./failure.tsx";
import css from "./list-not-read.module.css";
import { Loading, Skeleton } from "./skeleton.tsx";

interface ListNotReadProps {
  /** "the keys". */
  what: string;
  error: Error | undefined;
  /** How many rows its stand-in has. */
  rows: number;
  onRetry(): void;
}

/** In a list's place while its rows are not there: that they are being read, or could not be. */
export function ListNotRead({ what, error, rows, onRetry }: ListNotReadProps) {
  if (error) return <Failure title={`T${what.slice(1)} could not be read`} text={error.message} onRetry={onRetry} />;
  return (
    <Loading label={`Loading ${what}`}>
      <div className={css.rows}>
        {Array.from({ length: rows }, (_, row) => (
          <Skeleton key={row} height="2.75rem" />
        ))}
      </div>
    </Loading>
  );
}

/** Below rows that stayed because those that were asked for could not be read: why, that they are not those, and once more. */
export function RowsNotRead({ error, onRetry }: { error: Error; onRetry(): void }) {
  return (
    <p role="alert" className={css.stays}>
      {error.message} What is shown was read before.{" "}
      <Button size="small" onClick={onRetry}>
        Try again
      </Button>
    </p>
  );
}
