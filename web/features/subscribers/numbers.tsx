import type { SubscriberNumbers } from "#contract/subscribers.ts";
import { Note, Row, Stack, Text } from "../../ui/layout.tsx";
import { ListLoading } from "../../ui/list-loading.tsx";
import { useSubscriberNumbers, useTopics } from "./use-subscribers.ts";

/** Subscriber counts, topics and growth over twelve weeks. */
export function Numbers({ workspaceId }: { workspaceId: string }) {
  const { data, error, mutate } = useSubscriberNumbers(workspaceId);
  const { label } = useTopics(workspaceId);
  if (!data) return <ListLoading label="subscriber counts" error={error} rows={2} onRetry={() => void mutate()} />;
  const { active, pending, left, paused, suppressed, instant, daily, weekly, weeks } = data.numbers;
  const frequencies = `${formatNumber(instant)} instantly · ${formatNumber(daily)} daily · ${formatNumber(weekly)} weekly`;
  return (
    <Stack as="section" gap={6} aria-label="Numbers">
      <Row justify="between" align="end" gap={6}>
        <Row as="dl" gap={12} align="start">
          <Figure label="Subscribed" value={active} note={active > 0 ? frequencies : undefined} />
          <Figure label="Unconfirmed" value={pending} />
          <Figure label="Unsubscribed" value={left} />
          {paused + suppressed > 0 && <Figure label="Bounced" value={paused + suppressed} note="paused or blocked" />}
        </Row>
        <Growth weeks={weeks} />
      </Row>
      {active > 0 && <Topics numbers={data.numbers} label={label} />}
    </Stack>
  );
}

const formatNumber = (value: number): string => value.toLocaleString();

function Figure({ label, value, note }: { label: string; value: number; note?: string }) {
  return (
    <div>
      <Note as="dt">{label}</Note>
      <dd>
        <Text size="figure">{formatNumber(value)}</Text>
        {note && <Note>{note}</Note>}
      </dd>
    </div>
  );
}

function Topics({ numbers: { everything, tags }, label }: { numbers: SubscriberNumbers; label: (key: string) => string }) {
  const topics = [["Everything", everything], ...tags.map(({ key, readers }) => [label(key), readers] as const)] as const;
  return (
    <Row as="dl" gap={6} aria-label="Topics">
      {topics.map(([name, readers]) => (
        <Row key={name}>
          <Note as="dt">{name}</Note>
          <Text as="dd" size="small" strong>
            {formatNumber(readers)}
          </Text>
        </Row>
      ))}
    </Row>
  );
}

const dayMs = 86_400_000;

/** Mondays of the last weeks in UTC. */
function mondays(weeks: number, now: Date): Date[] {
  const today = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate());
  const monday = today - ((now.getUTCDay() + 6) % 7) * dayMs;
  return Array.from({ length: weeks }, (_, week) => new Date(monday - (weeks - 1 - week) * 7 * dayMs));
}

const day = (date: Date): string => date.toLocaleDateString(undefined, { day: "numeric", month: "short", timeZone: "UTC" });

/** Bar chart, with a table for screen readers. */
function Growth({ weeks }: { weeks: readonly number[] }) {
  const most = Math.max(1, ...weeks);
  const total = weeks.reduce((sum, count) => sum + count, 0);
  const begins = mondays(weeks.length, new Date());
  return (
    <Stack as="figure" gap={1} style={{ width: "min(16rem, 100%)" }}>
      <Note as="figcaption">
        <Text as="strong" tone="text">
          {formatNumber(total)}
        </Text>{" "}
        new in 12 weeks
      </Note>
      <svg viewBox={`0 0 ${weeks.length * 16} 48`} aria-hidden="true" preserveAspectRatio="none" style={{ width: "100%", height: "3rem" }}>
        {weeks.map((count, week) => {
          const height = count === 0 ? 2 : Math.max(4, (count / most) * 48);
          return (
            <rect
              key={week}
              x={week * 16 + 2}
              y={48 - height}
              width={12}
              height={height}
              rx={2}
              fill={count === 0 ? "var(--line)" : "var(--accent)"}
            >
              <title>{`Week of ${day(begins[week]!)}: ${formatNumber(count)}`}</title>
            </rect>
          );
        })}
      </svg>
      {begins.length > 0 && (
        <Note aria-hidden="true">
          <Row as="span" justify="between">
            <span>{day(begins[0]!)}</span>
            <span>this week</span>
          </Row>
        </Note>
      )}
      <table className="visually-hidden">
        <caption>New subscribers by week</caption>
        <thead>
          <tr>
            <th scope="col">Week of</th>
            <th scope="col">New</th>
          </tr>
        </thead>
        <tbody>
          {weeks.map((count, week) => (
            <tr key={week}>
              <th scope="row">{day(begins[week]!)}</th>
              <td>{formatNumber(count)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Stack>
  );
}
