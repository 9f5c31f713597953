import { releasesTermMaxLength } from "#contract/limits.ts";
import type { Tag } from "#contract/tags.ts";
import type { Filter } from "../queries/releases.ts";
import type { Site } from "../site.ts";
import { monthLabel } from "./parts.tsx";

/** Search by words, and the tags that there are. */
export function Finder({ site, filter, tags }: { site: Site; filter: Filter; tags: readonly Tag[] }) {
  return (
    <div className="finder">
      <form role="search" action="/releases">
        {/* A form drops the query of its address. */}
        {site.by === "query" && <input type="hidden" name="workspace" value={site.subdomain} />}
        <input
          type="search"
          name="q"
          aria-label="Search updates"
          placeholder="Search updates"
          maxLength={releasesTermMaxLength}
          defaultValue={filter && "term" in filter ? filter.term : ""}
        />
        <button className="button" type="submit">
          Search
        </button>
      </form>
      {tags.length > 0 && (
        <nav aria-label="Tags">
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
}

/** Every month that has releases. */
export function Months({ site, months, filter }: MonthsProps) {
  if (months.length < 2) return null;
  const chosen = filter && "month" in filter ? filter.month : null;
  return (
    <nav className="months" aria-labelledby="months">
      <h2 id="months">By month</h2>
      <ul>
        {months.map(({ month, releases }) => (
          <li key={month}>
            <a href={site.path("/releases", { month })} aria-current={month === chosen ? "page" : undefined}>
              {monthLabel(month)}
            </a>{" "}
            <span>
              <span aria-hidden="true">{releases}</span>
              <span className="spoken">{releases === 1 ? "1 update" : `${releases} updates`}</span>
            </span>
          </li>
        ))}
      </ul>
    </nav>
  );
}
