import { Grid, Stack } from "../../ui/layout.tsx";
import { Loading, Skeleton } from "../../ui/skeleton.tsx";

export function DashboardSkeleton() {
  return (
    <Loading label="Loading the dashboard">
      <Stack gap={8}>
        <Grid min="7rem" gap={6}>
          {[1, 2, 3].map((stat) => (
            <div key={stat}>
              <Skeleton width="7rem" />
              <Skeleton width="3.5rem" height="2rem" />
            </div>
          ))}
        </Grid>
        <Stack gap={3}>
          <Skeleton width="9rem" height="1.5rem" />
          {[1, 2, 3, 4].map((row) => (
            <Skeleton key={row} height="2.75rem" />
          ))}
        </Stack>
      </Stack>
    </Loading>
  );
}
