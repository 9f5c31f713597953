import type { Analytics } from "#contract/analytics.ts";
import { Grid, Note, Text } from "../../ui/layout.tsx";
import { formatShare } from "./change.ts";
import { ChangeLine } from "./figures.tsx";
import { formatNumber } from "./metric-labels.ts";
import { Part } from "./part.tsx";
import { RankingTable } from "./ranking-table.tsx";

/** Funnel of the widget: shown, opened, clicked. */
export function WidgetReach({ totals: { widget_shown, widget_opens, clicks } }: Pick<Analytics, "totals">) {
  const opened = formatShare(widget_opens, widget_shown);
  return (
    <Part title="Widget reach" text="Daily readers">
      <RankingTable
        label="Widget reach"
        heads={["Step", "Readers"]}
        rows={[
          { name: "Shown", count: widget_shown },
          { name: "Opened", count: widget_opens, note: opened && `${opened} of readers who saw it` },
          { name: "Links clicked", count: clicks }, // no share: a reader can click several links
        ]}
      />
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
      <Grid as="dl" min="10rem">
        {lines.map(([name, label]) => (
          <div key={name}>
            <Note as="dt">{label}</Note>
            <dd>
              <Text strong size="section">
                {formatNumber(totals[name])}
              </Text>
              <ChangeLine now={totals[name]} before={previous[name]} days={days} plain />
            </dd>
          </div>
        ))}
      </Grid>
    </Part>
  );
}

const growth = (change: number): string =>
  change === 0 ? "no change" : `${formatNumber(Math.abs(change))} ${change > 0 ? "more" : "fewer"} than before`;
