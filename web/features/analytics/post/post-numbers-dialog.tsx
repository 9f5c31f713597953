import { Link } from "react-router-dom";
import type { PostAnalytics } from "#contract/analytics.ts";
import { Dialog } from "../../../components/dialog.tsx";
import { paths } from "../../../lib/paths.ts";
import { LineChart } from "../chart/line-chart.tsx";
import { slotsOf } from "../chart/scale.ts";
import { spanName } from "../days.ts";
import { dayOf } from "../range.ts";
import { RankingTable } from "../ranking-table.tsx";
import { amount, drawnWords, number, sourceWords } from "../metric-labels.ts";
import css from "./post-numbers-dialog.module.css";

interface PostNumbersDialogProps {
  workspaceId: string;
  numbers: PostAnalytics;
  onClose: () => void;
}

/** A post's own numbers of the last 30 days. */
export function PostNumbersDialog({ workspaceId, numbers: { totals, days, sources }, onClose }: PostNumbersDialogProps) {
  const slots = slotsOf(
    days.map(({ day }) => day),
    dayOf(Date.now()),
  );
  const lines = [
    ["Views", totals.views],
    ["Read in the widget", totals.widget_opens],
    ["Clicks", totals.clicks],
    ["Mails sent", totals.mails_sent],
    ["Mails followed", totals.mails_followed],
  ] as const;
  return (
    <Dialog open title="This post in the last 30 days" width="40rem" onClose={onClose}>
      <div className={css.numbers}>
        <dl className={css.lines}>
          {lines.map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{number(value)}</dd>
            </div>
          ))}
        </dl>
        <div>
          <LineChart
            label="Views by day"
            slots={slots}
            values={days.map(({ views }) => views)}
            say={(value) => amount(value, drawnWords.views)}
          />
          <table className="visually-hidden">
            <caption>Views by day</caption>
            <thead>
              <tr>
                <th scope="col">Day</th>
                <th scope="col">Views</th>
              </tr>
            </thead>
            <tbody>
              {days.map(({ day, views }) => (
                <tr key={day}>
                  <th scope="row">{spanName({ from: day, to: day })}</th>
                  <td>{number(views)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        {sources.length > 0 && (
          <section>
            <h2 id="post-sources" className={css.title}>
              Where it was read
            </h2>
            <RankingTable
              labelledBy="post-sources"
              heads={["Where", "Views"]}
              rows={sources.map(({ source, views }) => ({ name: sourceWords[source], count: views }))}
            />
          </section>
        )}
        <p className={css.all}>
          <Link to={paths.analytics(workspaceId)}>All numbers of the workspace</Link>
          <span>Days of UTC, counted without cookies</span>
        </p>
      </div>
    </Dialog>
  );
}
