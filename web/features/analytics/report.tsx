import { useMemo } from "react";
import { type Analytics, type AnalyticsTable, daysIn } from "#contract/analytics.ts";
import { fullDay } from "./days.ts";
import { Figures } from "./figures.tsx";
import { OverDays } from "./over-days.tsx";
import { Part } from "./part.tsx";
import { PostsTable } from "./posts-table.tsx";
import { Ranking, type RankingProps } from "./ranking.tsx";
import { EmailStats, WidgetReach } from "./reach.tsx";
import { type ChartedFigure, codeNames, displayName, sourceLabels } from "./metric-labels.ts";
import { Grid, Stack, Text } from "../../ui/layout.tsx";

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
  const rankings = useMemo(() => rankingsOf(data), [data]);
  const shown = (...tables: (keyof typeof rankings)[]) =>
    tables.map((table) => <Ranking key={table} {...rankings[table]} workspaceId={workspaceId} table={table} range={data} />);
  return (
    <Stack gap={12} aria-busy={stale} style={{ opacity: stale ? 0.6 : undefined }}>
      <Figures totals={data.totals} previous={data.previous} days={days} show={show} onShow={onShow} />
      <OverDays workspaceId={workspaceId} data={data} show={show} today={today} />
      <PostsTable workspaceId={workspaceId} data={data} />
      <Grid min="25rem" gap={12}>
        {shown("sources", "referrers", "searches")}
        <WidgetReach totals={data.totals} />
        {shown("countries", "languages")}
        <EmailStats totals={data.totals} previous={data.previous} days={days} />
        <Part title="How we count">
          <Text tone="muted">
            Days are in UTC. Readers are counted without cookies or tracking across days, so one reader on two days counts twice. Bots and
            people who opt out of tracking aren't counted.
            {data.since && ` Counted since ${fullDay(data.since)}.`}
          </Text>
        </Part>
      </Grid>
    </Stack>
  );
}

function rankingsOf({ sources, referrers, searches, countries, languages }: Analytics) {
  const withNames = (rows: Analytics["referrers"], name: (of: string) => string) =>
    rows.map((row) => ({ name: name(row.name), count: row.count }));
  return {
    sources: {
      title: "Where posts were read",
      text: "Views",
      heads: ["Where", "Views"],
      rows: sources.map(({ source, views }) => ({ name: sourceLabels[source], count: views })),
      emptyText: "No views in this period.",
      noun: "places",
    },
    referrers: {
      title: "Where readers came from",
      text: "Visits by referring site",
      heads: ["Site", "Visits"],
      rows: withNames(referrers, displayName),
      emptyText: "No referrers in this period.",
      noun: "sites",
    },
    searches: {
      title: "What to write next",
      text: "Searches on your page without results",
      heads: ["Search", "Count"],
      rows: withNames(searches, displayName),
      emptyText: "No searches without results.",
      noun: "searches",
    },
    countries: {
      title: "Countries",
      text: "Readers",
      heads: ["Country", "Readers"],
      rows: withNames(countries, codeNames("region")),
      emptyText: "No country data. It needs a proxy that sends visitors' countries.",
      noun: "countries",
    },
    languages: {
      title: "Languages",
      text: "Readers by browser language",
      heads: ["Language", "Readers"],
      rows: withNames(languages, codeNames("language")),
      emptyText: "No language data.",
      noun: "languages",
    },
  } satisfies Partial<Record<AnalyticsTable, Omit<RankingProps, "workspaceId" | "table" | "range">>>;
}
