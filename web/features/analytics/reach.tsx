import type { Analytics } from "#contract/analytics.ts";
import { formatShare } from "./change.ts";
import { ChangeLine } from "./figures.tsx";
import { Part } from "./part.tsx";
import { formatNumber } from "./metric-labels.ts";
import css from "./reach.module.css";

/** Funnel of the widget: shown, opened, clicked. */
export function WidgetReach({ totals: { widget_shown, widget_opens, clicks } }: Pick<Analytics, "totals">) {
  const most = Math.max(1, widget_shown, widget_opens, clicks);
  const opened = formatShare(widget_opens, widget_shown);
  const steps = [
    { name: "Shown", count: widget_shown },
    { name: "Opened", count: widget_opens, note: opened && `${opened} of readers who saw it` },
    { name: "Links clicked", count: clicks }, // no share: a reader can click several links
  ];
  return (
    <Part title="Widget reach" text="Daily readers">
      {() => (
        <dl className={css.steps}>
          {steps.map(({ name, count, note }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <strong>{formatNumber(count)}</strong>
                {note && <span> {note}</span>}
                <span className={css.bar} style={{ width: `${(count / most) * 100}%` }} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Part>
  );
}

export function EmailStats({ totals, previous, days }: Pick<Analytics, "totals" | "previous"> & { days: number }) {
  const lines = [
    ["mails_sent", "Emails sent"],
    ["mails_followed", "Email clicks"],
    ["subscribed", "New subscribers"],
    ["left", "Unsubscribed"],
  ] as const;
  return (
    <Part title="Email" text={`Subscribers: ${growth(totals.subscribed - totals.left)}`}>
      {() => (
        <dl className={css.lines}>
          {lines.map(([name, label]) => (
            <div key={name}>
              <dt>{label}</dt>
              <dd>
                <strong>{formatNumber(totals[name])}</strong> <ChangeLine now={totals[name]} before={previous[name]} days={days} plain />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Part>
  );
}

const growth = (change: number): string =>
  change === 0 ? "no change" : `${formatNumber(Math.abs(change))} ${change > 0 ? "more" : "fewer"} than before`;
