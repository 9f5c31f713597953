import { Link } from "react-router-dom";
import type { PostAnalytics } from "#contract/analytics.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { Note, Row, Stack, Text } from "../../../ui/layout.tsx";
import { paths } from "../../../lib/paths.ts";
import { LineChart } from "../chart/line-chart.tsx";
import { toSlots } from "../chart/scale.ts";
import { spanName } from "../days.ts";
import { toDay } from "../range.ts";
import { RankingTable } from "../ranking-table.tsx";
import { formatCount, figureLabels, formatNumber, sourceLabels } from "../metric-labels.ts";

interface PostNumbersDialogProps {
  workspaceId: string;
  numbers: PostAnalytics;
  onClose: () => void;
}

export function PostNumbersDialog({ workspaceId, numbers: { totals, days, sources }, onClose }: PostNumbersDialogProps) {
  const slots = toSlots(
    days.map(({ day }) => day),
    toDay(Date.now()),
  );
  const lines = [
    ["Views", totals.views],
    ["Read in the widget", totals.widget_opens],
    ["Clicks", totals.clicks],
    ["Emails sent", totals.mails_sent],
    ["Email clicks", totals.mails_followed],
    ...(totals.placement_shown > 0
      ? ([
          ["Placement shown", totals.placement_shown],
          ["Placement dismissed", totals.placement_dismissed],
          ["Placement clicked", totals.placement_clicked],
        ] as const)
      : []),
  ] as const;
  return (
    <Dialog open title="This post in the last 30 days" width="40rem" onClose={onClose}>
      <Stack gap={6}>
        <Row as="dl" gap={8}>
          {lines.map(([label, value]) => (
            <div key={label}>
              <Note as="dt">{label}</Note>
              <Text as="dd" size="section">
                {formatNumber(value)}
              </Text>
            </div>
          ))}
        </Row>
        <div>
          <LineChart
            label="Views by day"
            slots={slots}
            values={days.map(({ views }) => views)}
            format={(value) => formatCount(value, figureLabels.views)}
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
                  <td>{formatNumber(views)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        {sources.length > 0 && (
          <section>
            <h3>Where it was read</h3>
            <RankingTable
              label="Where it was read"
              heads={["Where", "Views"]}
              rows={sources.map(({ source, views }) => ({ name: sourceLabels[source], count: views }))}
            />
          </section>
        )}
        <Row as="p" justify="between" gap={4}>
          <Link to={paths.analytics(workspaceId)}>Workspace analytics</Link>
          <Note as="span">Days in UTC, counted without cookies</Note>
        </Row>
      </Stack>
    </Dialog>
  );
}
