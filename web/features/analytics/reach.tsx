import type { Analytics } from "#contract/analytics.ts";
import { shareOf } from "./change.ts";
import { ChangeLine } from "./figures.tsx";
import { Part } from "./part.tsx";
import { number } from "./metric-labels.ts";
import css from "./reach.module.css";

/** How far the widget gets: on whose screen it was, who opened it, who followed a link in it. */
export function WidgetReach({ totals: { widget_shown, widget_opens, clicks } }: Pick<Analytics, "totals">) {
  const most = Math.max(1, widget_shown, widget_opens, clicks);
  const opened = shareOf(widget_opens, widget_shown);
  const steps = [
    { name: "Shown", count: widget_shown },
    { name: "Opened", count: widget_opens, note: opened && `${opened} of those who saw it` },
    { name: "Links followed", count: clicks }, // no share: one reader may follow some of several posts
  ];
  return (
    <Part title="The widget's reach" text="Readers a day">
      {() => (
        <dl className={css.steps}>
          {steps.map(({ name, count, note }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <strong>{number(count)}</strong>
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

/** What mails did, and whom they reach. */
export function Mails({ totals, previous, days }: Pick<Analytics, "totals" | "previous"> & { days: number }) {
  const lines = [
    ["mails_sent", "Mails sent"],
    ["mails_followed", "Posts read from a mail"],
    ["subscribed", "New subscribers"],
    ["left", "Subscribers who left"],
  ] as const;
  return (
    <Part title="By mail" text={`Subscribers: ${growth(totals.subscribed - totals.left)}`}>
      {() => (
        <dl className={css.lines}>
          {lines.map(([name, label]) => (
            <div key={name}>
              <dt>{label}</dt>
              <dd>
                <strong>{number(totals[name])}</strong> <ChangeLine now={totals[name]} before={previous[name]} days={days} plain />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Part>
  );
}

const growth = (change: number): string =>
  change === 0 ? "as many as before" : `${number(Math.abs(change))} ${change > 0 ? "more" : "fewer"} than before`;
