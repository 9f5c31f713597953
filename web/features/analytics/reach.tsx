import type { Analytics } from "#contract/analytics.ts";
import { shareOf } from "./change.ts";
import { ChangeLine } from "./figures.tsx";
import { Part } from "./part.tsx";
import { number } from "./words.ts";
import css from "./reach.module.css";

/** How far the widget gets: on whose screen it was, who opened it, who followed a link in it. */
export function WidgetReach({ totals: { widget_shown, widget_opens, clicks } }: Pick<Analytics, "totals">) {
  const most = Math.max(1, widget_shown, widget_opens, clicks);
  const steps = [
    { name: "Shown", count: widget_shown, share: null, of: "" },
    { name: "Opened", count: widget_opens, share: shareOf(widget_opens, widget_shown), of: "of those who saw it" },
    { name: "Link followed", count: clicks, share: shareOf(clicks, widget_opens), of: "of those who opened it" },
  ];
  return (
    <Part title="The widget's reach" text="Readers a day">
      {() => (
        <dl className={css.steps}>
          {steps.map(({ name, count, share, of }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <strong>{number(count)}</strong>
                {share && (
                  <span>
                    {" "}
                    {share} {of}
                  </span>
                )}
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
  const followed = shareOf(totals.mails_followed, totals.mails_sent);
  const lines = [
    ["mails_sent", "Mails sent", null],
    ["mails_followed", "Mails followed", followed && `${followed} of those sent`],
    ["subscribed", "New subscribers", null],
    ["left", "Subscribers who left", null],
  ] as const;
  return (
    <Part title="By mail" text={`Subscribers: ${growth(totals.subscribed - totals.left)}`}>
      {() => (
        <dl className={css.lines}>
          {lines.map(([name, label, note]) => (
            <div key={name}>
              <dt>{label}</dt>
              <dd>
                <strong>{number(totals[name])}</strong> <ChangeLine now={totals[name]} before={previous[name]} days={days} plain />
                {note && <span className={css.note}>{note}</span>}
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
