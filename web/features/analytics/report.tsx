import { useMemo } from "react";
import { type Analytics, daysIn } from "#contract/analytics.ts";
import { fullDay } from "./days.ts";
import { Figures } from "./figures.tsx";
import { OverDays } from "./over-days.tsx";
import { Part } from "./part.tsx";
import { PostsTable } from "./posts-table.tsx";
import { Ranking } from "./ranking.tsx";
import { Mails, WidgetReach } from "./reach.tsx";
import { type Drawn, namesOf, plainName, sourceWords } from "./metric-labels.ts";
import css from "./report.module.css";

interface ReportProps {
  workspaceId: string;
  data: Analytics;
  /** Other days are on their way. */
  stale: boolean;
  show: Drawn;
  today: string;
  onShow: (name: Drawn) => void;
}

/** All numbers of some days. */
export function Report({ workspaceId, data, stale, show, today, onShow }: ReportProps) {
  const days = daysIn(data.from, data.to);
  const table = { workspaceId, range: data };
  const named = useMemo(() => {
    const country = namesOf("region");
    const language = namesOf("language");
    const renamed = (rows: Analytics["referrers"], name: (of: string) => string) =>
      rows.map((row) => ({ name: name(row.name), count: row.count }));
    return {
      sources: data.sources.map(({ source, views }) => ({ name: sourceWords[source], count: views })),
      referrers: renamed(data.referrers, plainName),
      searches: renamed(data.searches, plainName),
      countries: renamed(data.countries, country),
      languages: renamed(data.languages, language),
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
          rows={named.sources}
          none="Nothing was read."
          what="places"
        />
        <Ranking
          {...table}
          table="referrers"
          title="Where readers came from"
          text="Visits, by the site that led to your page"
          heads={["Site", "Visits"]}
          rows={named.referrers}
          none="No other site led here, or none that says so."
          what="sites"
        />
        <Ranking
          {...table}
          table="searches"
          title="What to write next"
          text="Searched for on your page, and not found"
          heads={["Searched for", "Times"]}
          rows={named.searches}
          none="Nobody searched in vain."
          what="searches"
        />
        <WidgetReach totals={data.totals} />
        <Ranking
          {...table}
          table="countries"
          title="Countries"
          text="Readers"
          heads={["Country", "Readers"]}
          rows={named.countries}
          none="No countries are known. They are counted where the network in front of this installation names them."
          what="countries"
        />
        <Ranking
          {...table}
          table="languages"
          title="Languages"
          text="Readers, by what their browser asks for"
          heads={["Language", "Readers"]}
          rows={named.languages}
          none="No languages are known."
          what="languages"
        />
        <Mails totals={data.totals} previous={data.previous} days={days} />
        <Part title="How it is counted">
          {() => (
            <p className={css.note}>
              Days begin and end in UTC. Readers are counted without cookies, and nobody is followed from one day to the next: who comes on
              two days counts twice. Robots are left out, and who asks not to be tracked.
              {data.since && ` Counted since ${fullDay(data.since)}.`}
            </p>
          )}
        </Part>
      </div>
    </div>
  );
}
