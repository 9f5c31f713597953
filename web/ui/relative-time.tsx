import { relativeTime } from "#contract/rules/relative-time.ts";
import { moment } from "../lib/moment.ts";
import { relativeTimeRefreshMs } from "../lib/timings.ts";
import { useNow } from "../lib/use-now.ts";
import { Text } from "./layout.tsx";

/** "5 min ago", with date and time on hover. */
export function RelativeTime({ at }: { at: string }) {
  const now = useNow(relativeTimeRefreshMs);
  return (
    <Text as="time" size="small" tone="muted" style={{ flex: "none" }} dateTime={at} title={moment(at)}>
      {relativeTime(at, now)}
    </Text>
  );
}
