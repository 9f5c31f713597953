import { useMemo } from "react";
import { type Analytics, daysIn } from "#contract/analytics.ts";
import { fullDay } from "./days.ts";
import { Figures } from "./figures.tsx";
import { OverDays } from "./over-days.tsx";
import { Part } from "./part.tsx";
import { PostsTable } from "./posts-table.tsx";
import { Ranking } from "./ranking.tsx";
import { EmailStats, WidgetReach } from "./reach.tsx";
import { type ChartedFigure, codeNames, displayName, sourceLabels } from "./metric-labels.ts";
import css from "./report.module.css";
import { Text } from "../../ui/layout.tsx";

interface ReportProps {
  workspaceId: string;
  data: Analytics;
  /** Another range is loading. */
  stale: boolean;
  show: ChartedFigure;
  today: string;
  onShow: (name: ChartedFigure) => void;
}

export function Report({ workspaceId, data, stale, show, today, onShow }: ReportProps) {
  const days = daysIn(data.from, data.to);
  const table = { workspaceId, range: data };
  const rankings = useMemo(() => {
    const country = codeNames("region");
    const language = codeNames("language");
    const withNames = (rows: Analytics["referrers"], name: (of: string) => string) =>
      rows.map((row) => ({ name: name(row.name), count: row.count }));
    return {
      sources: data.sources.map(({ source, views }) => ({ name: sourceLabels[source], count: views })),
      referrers: withNames(data.referrers, displayName),
      searches: withNames(data.searches, displayName),
      countries: withNames(data.countries, country),
      languages: withNames(data.languages, language),
    };
  }, [data]);
  return (
    <div className={css.report} aria-busy={stale}>
      <Figures totals={data.totals} previous={data.previous} days={days} show={show} onShow={onShow} />
      <OverDays workspaceId={workspaceId} data={data} show={show} today={today} />
      <PostsTable workspaceId={workspaceId} data={data} />
      <div className={css.pairs}>
        <Ranking
          {...table}
          table="sources"
          title="Where posts were read"
          text="Views"
          heads={["Where", "Views"]}
          rows={rankings.sources}
          emptyText="No views in this period."
          noun="places"
        />
        <Ranking
          {...table}
          table="referrers"
          title="Where readers came from"
          text="Visits by referring site"
          heads={["Site", "Visits"]}
          rows={rankings.referrers}
          emptyText="No referrers in this period."
          noun="sites"
        />
        <Ranking
          {...table}
          table="searches"
          title="What to write next"
          text="Searches on your page without results"
          heads={["Search", "Count"]}
          rows={rankings.searches}
          emptyText="No searches without results."
          noun="searches"
        />
        <WidgetReach totals={data.totals} />
        <Ranking
          {...table}
          table="countries"
          title="Countries"
          text="Readers"
          heads={["Country", "Readers"]}
          rows={rankings.countries}
          emptyText="No country data. It needs a proxy that sends visitors' countries."
          noun="countries"
        />
        <Ranking
          {...table}
          table="languages"
          title="Languages"
          text="Readers by browser language"
          heads={["Language", "Readers"]}
          rows={rankings.languages}
          emptyText="No language data."
          noun="languages"
        />
        <EmailStats totals={data.totals} previous={data.previous} days={days} />
        <Part title="How we count">
          {() => (
            <Text tone="muted">
              Days are in UTC. Readers are counted without cookies or tracking across days, so one reader on two days counts twice. Bots and
              people who opt out of tracking aren't counted.
              {data.since && ` Counted since ${fullDay(data.since)}.`}
            </Text>
          )}
        </Part>
      </div>
    </div>
  );
}
