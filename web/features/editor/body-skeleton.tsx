import { Skeleton } from "../../ui/skeleton.tsx";
import { Stack } from "../../ui/layout.tsx";

export function BodySkeleton() {
  return (
    <Stack gap={3}>
      {["96%", "88%", "62%", "40%", "94%", "91%", "55%"].map((width, index) => (
        <Skeleton key={width} width={width} height={index === 3 ? "1.75rem" : "1.125rem"} />
      ))}
    </Stack>
  );
}
