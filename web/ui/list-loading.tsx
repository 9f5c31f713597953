import { sentenceOf } from "../lib/api-client.ts";
import { Button } from "./button.tsx";
import { Failure } from "./empty-state.tsx";
import { Stack, Text } from "./layout.tsx";
import { Loading, Skeleton } from "./skeleton.tsx";
import css from "./loading.module.css";

interface ListLoadingProps {
  label: string;
  error: Error | undefined;
  rows: number;
  onRetry(): void;
}

export function ListLoading({ label, error, rows, onRetry }: ListLoadingProps) {
  if (error) return <Failure title={`Couldn't load ${label}`} text={sentenceOf(error, error.message)} onRetry={onRetry} />;
  return (
    <Loading label={`Loading ${label}`}>
      <Stack gap={3} style={{ marginTop: "var(--space-4)" }}>
        {Array.from({ length: rows }, (_, row) => (
          <Skeleton key={row} height="2.75rem" />
        ))}
      </Stack>
    </Loading>
  );
}

export function StaleRowsError({ error, onRetry }: { error: Error; onRetry(): void }) {
  return (
    <Text role="alert" tone="danger" className={css.stale}>
      {error.message} You're seeing earlier results.{" "}
      <Button size="small" onClick={onRetry}>
        Try again
      </Button>
    </Text>
  );
}
