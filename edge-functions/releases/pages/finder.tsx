/** @jsxImportSource preact */
import { releasesTermMaxLength } from "#contract/limits.ts";
import type { Tag } from "#contract/tags.ts";
import type { Language } from "#contract/i18n/index.ts";
import type { Filter } from "../queries/releases.ts";
import type { Site } from "../site.ts";

export function Finder({ site, filter, tags, language }: { site: Site; filter: Filter; tags: readonly Tag[]; language: Language }) {
  const { page: words } = language.words;
  return (
    <div className="finder">
      <form role="search" action="/releases">
        {/* Forms drop the query of their action. */}
        {site.by === "query" && <input type="hidden" name="workspace" value={site.subdomain} />}
        <input
          type="search"
          name="q"
          aria-label={words.searchUpdates}
          placeholder={words.searchUpdates}
          maxLength={releasesTermMaxLength}
          defaultValue={filter && "term" in filter ? filter.term : ""}
        />
        <button type="submit" aria-label={words.search} title={words.search}>
          <svg viewBox="0 0 20 20" width="20" height="20" fill="none" stroke="currentColor" stroke-width="1.75" aria-hidden="true">
            <circle cx="9" cy="9" r="5.5" />
            <path d="m13 13 4.5 4.5" stroke-linecap="round" />
          </svg>
        </button>
      </form>
      {tags.length > 1 && (
        <nav aria-label={words.tags}>
          <ul className="tags">
            {tags.map(({ key, label, colour }) => (
              <li key={key}>
                <a
                  className={`tag tag-${colour}`}
                  href={site.path("/releases", { tag: key })}
                  aria-current={filter && "tag" in filter && filter.tag === key ? "page" : undefined}
                >
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      )}
    </div>
  );
}

interface MonthsProps {
  site: Site;
  months: readonly { month: string; releases: number }[];
  filter: Filter;
  language: Language;
}

export function Months({ site, months, filter, language }: MonthsProps) {
  if (months.length < 2) return null;
  const { words, dates } = language;
  const chosen = filter && "month" in filter ? filter.month : null;
  return (
    <nav className="months" aria-labelledby="months">
      <h2 id="months">{words.page.byMonth}</h2>
      <ul>
        {months.map(({ month, releases }) => (
          <li key={month}>
            <a href={site.path("/releases", { month })} aria-current={month === chosen ? "page" : undefined}>
              {dates.month(month)}
            </a>{" "}
            <span>
              <span aria-hidden="true">{releases}</span>
              <span className="spoken">{words.page.updates(releases)}</span>
            </span>
          </li>
        ))}
      </ul>
    </nav>
  );
}
