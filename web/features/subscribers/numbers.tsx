import type { SubscriberNumbers } from "#contract/subscribers.ts";
import { Failure } from "../../ui/empty-state.tsx";
import { Row, Stack } from "../../ui/layout.tsx";
import { Loading, Skeleton } from "../../ui/skeleton.tsx";
import { useSubscriberNumbers, useTopics } from "./use-subscribers.ts";
import css from "./numbers.module.css";

/** Subscriber counts, topics and growth over twelve weeks. */
export function Numbers({ workspaceId }: { workspaceId: string }) {
  const { data, error, mutate } = useSubscriberNumbers(workspaceId);
  const { label } = useTopics(workspaceId);
  if (!data && error) {
    return <Failure title="Couldn't load the numbers" text={error.message} onRetry={() => void mutate()} />;
  }
  if (!data) {
    return (
      <Loading label="Loading subscriber counts">
        <Skeleton height="6rem" />
      </Loading>
    );
  }
  const { active, pending, left, paused, suppressed, instant, daily, weekly, weeks } = data.numbers;
  const frequencies = `${formatNumber(instant)} instantly · ${formatNumber(daily)} daily · ${formatNumber(weekly)} weekly`;
  return (
    <Stack as="section" gap={6} aria-label="Numbers">
      <Row justify="between" align="end" gap={6}>
        <dl className={css.list}>
          <Figure label="Subscribed" value={active} note={active > 0 ? frequencies : undefined} />
          <Figure label="Unconfirmed" value={pending} />
          <Figure label="Unsubscribed" value={left} />
          {paused + suppressed > 0 && <Figure label="Bounced" value={paused + suppressed} note="paused or blocked" />}
        </dl>
        <Growth weeks={weeks} />
      </Row>
      {active > 0 && <Topics numbers={data.numbers} label={label} />}
    </Stack>
  );
}

const formatNumber = (value: number): string => value.toLocaleString();

function Figure({ label, value, note }: { label: string; value: number; note?: string }) {
  return (
    <div className={css.figure}>
      <dt>{label}</dt>
      <dd>
        <strong>{formatNumber(value)}</strong>
        {note && <span>{note}</span>}
      </dd>
    </div>
  );
}

function Topics({ numbers: { everything, tags }, label }: { numbers: SubscriberNumbers; label: (key: string) => string }) {
  return (
    <Row as="dl" gap={6} className={css.topics} aria-label="Topics">
      <div>
        <dt>Everything</dt>
        <dd>{formatNumber(everything)}</dd>
      </div>
      {tags.map(({ key, readers }) => (
        <div key={key}>
          <dt>{label(key)}</dt>
          <dd>{formatNumber(readers)}</dd>
        </div>
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
    <figure className={css.growth}>
      <figcaption>
        <strong>{formatNumber(total)}</strong> new in 12 weeks
      </figcaption>
      <svg viewBox={`0 0 ${weeks.length * 16} 48`} aria-hidden="true" preserveAspectRatio="none">
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
              className={count === 0 ? css.none : css.bar}
            >
              <title>{`Week of ${day(begins[week]!)}: ${formatNumber(count)}`}</title>
            </rect>
          );
        })}
      </svg>
      {begins.length > 0 && (
        <p className={css.ends} aria-hidden="true">
          <span>{day(begins[0]!)}</span>
          <span>this week</span>
        </p>
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
    </figure>
  );
}
