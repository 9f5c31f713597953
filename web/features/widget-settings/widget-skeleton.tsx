import { Loading, Skeleton } from "../../ui/skeleton.tsx";
import { Grid, Stack } from "../../ui/layout.tsx";

export function WidgetSkeleton() {
  return (
    <Loading label="Loading the widget settings">
      <Grid min="22rem" gap={8}>
        <Stack style={{ alignContent: "start" }}>
          {[1, 2, 3, 4].map((group) => (
            <Stack key={group}>
              <Skeleton width="9rem" height="1.5rem" />
              <Skeleton height="2.5rem" />
            </Stack>
          ))}
        </Stack>
        <Skeleton height="32rem" />
      </Grid>
    </Loading>
  );
}
