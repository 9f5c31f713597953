import { shorten } from "#contract/blocks/excerpt.ts";
import { releasesPageSize } from "#contract/limits.ts";
import { type Tag, tagOf } from "#contract/tags.ts";
import type { Language } from "#contract/words/index.ts";
import { languageOf } from "../language.ts";
import type { Filter, PublicWorkspace } from "../queries/releases.ts";
import type { Site } from "../site.ts";
import type { Pictured } from "../presenters/release.ts";
import { Finder, Months } from "./finder.tsx";
import { SubscribeLine } from "../subscriptions/pages.tsx";
import { Layout } from "./layout.tsx";
import { linkPicture } from "../presenters/link-picture.ts";
import { publisherOf } from "../presenters/publisher.ts";
import { PageDrawing, ReleaseDate, Tags } from "./parts.tsx";

export interface ListPageProps {
  workspace: PublicWorkspace;
  site: Site;
  releases: readonly Pictured[];
  page: number;
  /** How many releases a page has. */
  size: number;
  pages: number;
  total: number;
  filter: Filter;
  /** Those that releases carry. */
  tags: readonly Tag[];
  months: readonly { month: string; releases: number }[];
  now: Date;
  isPreview?: boolean;
}

export function ListPage({
  workspace,
  site,
  releases,
  page,
  size,
  pages,
  total,
  filter,
  tags,
  months,
  now,
  isPreview = false,
}: ListPageProps) {
  const language = languageOf(workspace);
  const { page: words } = language.words;
  const only = nameOf(filter, tags, language);
  const tag = filter && "tag" in filter ? filter.tag : null;
  const title = `${words.title(only, page === 1 ? null : page)} · ${workspace.name}`;
  // What somebody searched for is no page of its own; one of another length says what stands on that of the usual one where it begins.
  const usual = Math.floor(((page - 1) * size) / releasesPageSize) + 1;
  const canonical =
    filter && "term" in filter ? null : site.absolute("/releases", { ...queryOf(filter), page: usual === 1 ? null : usual });
  const about = {
    title,
    description: words.about(workspace.name, only),
    canonical,
    image: linkPicture(workspace, site),
    tag,
    data: {
      "@context": "https://schema.org",
      "@type": "Blog",
      name: title,
      url: canonical,
      inLanguage: language.locale,
      publisher: publisherOf(workspace, site),
    },
  };
  const pictured = releases.find(({ image }) => image !== null);
  return (
    <Layout about={about} branded={{ workspace, site, isPreview }}>
      <div className="wrap">
        <div className="title">
          <h1>{words.changelog}</h1>
          {only === null ? (
            <p>{words.whatIsNew(workspace.name)}</p>
          ) : (
            <p role="status">
              {filter && "term" in filter ? words.found(total, only) : words.only(only)}{" "}
              <a href={site.path("/releases")}>{words.showEverything}</a>
            </p>
          )}
        </div>
        {(months.length > 0 || filter !== null) && <Finder {...{ site, filter, tags, language }} />}
        {releases.length > 0 ? (
          <ol className="entries">
            {releases.map((one) => (
              <Entry key={one.release.id} {...{ ...one, site, tags, now, language }} atOnce={one === pictured} />
            ))}
          </ol>
        ) : filter === null ? (
          <Nothing title={words.nothingYet} hint={words.nothingYetHint} />
        ) : (
          <Nothing title={words.nothingFound} hint={words.nothingFoundHint} />
        )}
        {pages > 1 && (
          <Pager {...{ site, page, pages, language }} query={{ ...queryOf(filter), limit: size === releasesPageSize ? null : size }} />
        )}
        <Months {...{ site, months, filter, language }} />
        <SubscribeLine {...{ workspace, site }} />
      </div>
    </Layout>
  );
}

/** A filter as a reader would call it; null for none. */
function nameOf(filter: Filter, tags: readonly Tag[], { words, dates }: Language): string | null {
  if (filter === null) return null;
  if ("tag" in filter) return tagOf(filter.tag, tags).label;
  return "term" in filter ? words.page.quoted(filter.term) : dates.month(filter.month);
}

function queryOf(filter: Filter): Record<string, string> {
  if (filter === null) return {};
  return "term" in filter ? { q: filter.term } : { ...filter };
}

interface EntryProps extends Pictured {
  site: Site;
  tags: readonly Tag[];
  now: Date;
  language: Language;
  /** Its image is the page's first: it is not waited for. */
  atOnce: boolean;
}

function Entry({ release, image, site, tags, now, language, atOnce }: EntryProps) {
  const address = site.path(`/releases/${release.slug}`);
  return (
    <li className="entry">
      <div className="when">
        <ReleaseDate at={release.published_at} now={now} language={language} />
      </div>
      <article dir="auto">
        <h2>
          <a href={address}>{release.title}</a>
        </h2>
        {release.excerpt !== "" && <p>{shorten(release.excerpt, 200)}</p>}
        <Tags keys={release.tags} tags={tags} site={site} language={language} />
        {image && (
          <a className="picture" href={address} tabIndex={-1} aria-hidden="true">
            <img src={image.url} alt="" width={image.width} height={image.height} loading={atOnce ? "eager" : "lazy"} decoding="async" />
          </a>
        )}
      </article>
    </li>
  );
}

function Nothing({ title, hint }: { title: string; hint: string }) {
  return (
    <div className="note">
      <PageDrawing />
      <h2>{title}</h2>
      <p>{hint}</p>
    </div>
  );
}

interface PagerProps {
  site: Site;
  page: number;
  pages: number;
  language: Language;
  query: Record<string, string | number | null>;
}

function Pager({ site, page, pages, language, query }: PagerProps) {
  const { page: words } = language.words;
  const to = (target: number): string => site.path("/releases", { ...query, page: target === 1 ? null : target });
  return (
    <nav className="pager" aria-label={words.pages}>
      {page > 1 ? (
        <a rel="prev" href={to(page - 1)}>
          {words.newer}
        </a>
      ) : (
        <span />
      )}
      <span>{words.pageOf(page, pages)}</span>
      {page < pages ? (
        <a rel="next" href={to(page + 1)}>
          {words.older}
        </a>
      ) : (
        <span />
      )}
    </nav>
  );
}
