import { Failure } from "../../components/failure.tsx";
import { Button } from "../../components/button.tsx";
import { Loading, Skeleton } from "../../components/skeleton.tsx";
import { useSubscriberNumbers } from "./use-subscribers.ts";
import css from "./numbers.module.css";

/** How many get mails, how often, and how many joined in each of the last twelve weeks. */
export function Numbers({ workspaceId }: { workspaceId: string }) {
  const { data, error, mutate } = useSubscriberNumbers(workspaceId);
  if (!data && error) {
    return (
      <Failure
        title="The numbers could not be read"
        text={error.message}
        action={
          <Button icon="refresh" onClick={() => void mutate()}>
            Try again
          </Button>
        }
      />
    );
  }
  if (!data) {
    return (
      <Loading label="Loading the numbers">
        <Skeleton height="6rem" />
      </Loading>
    );
  }
  const { active, pending, left, instant, daily, weekly, weeks } = data.numbers;
  return (
    <section className={css.numbers} aria-label="Numbers">
      <dl className={css.list}>
        <Figure label="Subscribed" value={active} note={`${instant} at once · ${daily} daily · ${weekly} weekly`} />
        <Figure label="Not confirmed yet" value={pending} />
        <Figure label="Left" value={left} />
      </dl>
      <Growth weeks={weeks} />
    </section>
  );
}

function Figure({ label, value, note }: { label: string; value: number; note?: string }) {
  return (
    <div className={css.figure}>
      <dt>{label}</dt>
      <dd>
        <strong>{value.toLocaleString()}</strong>
        {note && value > 0 && <span>{note}</span>}
      </dd>
    </div>
  );
}

/** Bars of weeks; the sum is said in words, so that nobody needs to see them. */
function Growth({ weeks }: { weeks: readonly number[] }) {
  const most = Math.max(1, ...weeks);
  const total = weeks.reduce((sum, count) => sum + count, 0);
  return (
    <figure className={css.growth}>
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
            />
          );
        })}
      </svg>
      <figcaption>{total === 1 ? "1 new subscriber" : `${total.toLocaleString()} new subscribers`} in twelve weeks</figcaption>
    </figure>
  );
}
