/** @jsxImportSource preact */
import { shorten } from "#contract/blocks/excerpt.ts";
import type { Tag } from "#contract/tags.ts";
import type { Language } from "#contract/i18n/index.ts";
import { languageOf } from "../language.ts";
import type { PublicWorkspace, ReleaseList } from "../queries/releases.ts";
import type { Site } from "../site.ts";
import { canonicalOf, changesText, nameOf, pageQuery, showsWhole } from "../presenters/filter.ts";
import { markdownOf } from "../presenters/markdown.ts";
import type { Pictured } from "../presenters/release.ts";
import { Finder, Months } from "./finder.tsx";
import { SubscribeLine } from "../subscriptions/pages.tsx";
import { Layout } from "./layout.tsx";
import { linkPicture } from "../presenters/link-picture.ts";
import { publisherOf } from "../presenters/publisher.ts";
import { Facts, PageDrawing, PostButton, ReleaseDate, Tags } from "./parts.tsx";
import { pageHtml } from "./post-html.ts";
import { Cover, coverOf, EditLink } from "./release-page.tsx";

export interface ListPageProps extends Omit<ReleaseList, "releases"> {
  workspace: PublicWorkspace;
  site: Site;
  releases: readonly Pictured[];
  tags: readonly Tag[];
  months: readonly { month: string; releases: number }[];
  contents: ReadonlyMap<string, string>;
  now: Date;
  isPreview?: boolean;
  isNear?: boolean;
  editor?: string | null;
}

export function ListPage(props: ListPageProps) {
  const { workspace, site, releases, page, size, pages, total, filter, tags, months, contents, now, changes } = props;
  const { isPreview = false, isNear = false, editor = null } = props;
  const language = languageOf(workspace);
  const { page: words } = language.words;
  const only = nameOf(filter, tags, language);
  const tag = filter && "tag" in filter ? filter.tag : null;
  const title = `${words.title(only, page === 1 ? null : page)} · ${workspace.name}`;
  const canonical = canonicalOf(site, filter, page, size);
  const about = {
    title,
    description: words.about(workspace.name, only),
    canonical,
    image: linkPicture(workspace, site),
    markdown: markdownOf(site, "/releases", pageQuery(filter, page, size)),
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
  // Above the fold: one full post, or several excerpts.
  const seen = contents.size > 0 ? releases.slice(0, 1) : releases;
  const pictured = seen.find(({ image }) => image !== null);
  return (
    <Layout about={about} branded={{ workspace, site, isPreview, isNear, canSubscribe: true }}>
      <div className="wrap">
        <div className="title">
          <h1 dir="auto">{filter === null || "term" in filter ? words.changelog : words.title(only, null)}</h1>
          {only === null ? (
            <p>{words.whatIsNew(workspace.name)}</p>
          ) : (
            <p role="status">
              {changes ? changesText(changes, language) : filter && "term" in filter ? words.found(total, only) : words.only(only)}{" "}
              <a href={site.path("/releases")}>{words.showEverything}</a>
            </p>
          )}
        </div>
        {(months.length > 0 || filter !== null) && <Finder {...{ site, filter, tags, language }} />}
        {releases.length > 0 ? (
          <ol className="entries">
            {releases.map((one) => (
              <Entry
                key={one.release.id}
                {...{ ...one, site, tags, now, language, editor }}
                html={contents.get(one.release.id) ?? null}
                isWhole={showsWhole(workspace, filter)}
                atOnce={one === pictured}
              />
            ))}
          </ol>
        ) : filter === null ? (
          <Nothing title={words.nothingYet} hint={words.nothingYetHint} />
        ) : (
          <Nothing title={words.nothingFound} hint={words.nothingFoundHint} />
        )}
        {pages > 1 && <Pager {...{ page, pages, language }} to={(target) => site.path("/releases", pageQuery(filter, target, size))} />}
        <Months {...{ site, months, filter, language }} />
        <SubscribeLine {...{ workspace, site }} />
      </div>
    </Layout>
  );
}

interface EntryProps extends Pictured {
  html: string | null;
  isWhole: boolean;
  editor: string | null;
  site: Site;
  tags: readonly Tag[];
  now: Date;
  language: Language;
  atOnce: boolean;
}

function Entry({ release, image, html, isWhole, site, tags, now, language, editor, atOnce }: EntryProps) {
  const address = site.path(`/releases/${release.slug}`);
  return (
    <li className={isWhole ? "entry whole" : "entry"}>
      <div className="when">
        <a href={address} tabIndex={-1}>
          <ReleaseDate at={release.published_at} now={now} language={language} />
        </a>
        {isWhole && <Tags keys={release.tags} tags={tags} site={site} language={language} />}
        <Facts {...{ release, now, language }} />
      </div>
      <article dir="auto">
        <h2>
          <a href={address}>{release.title}</a>
        </h2>
        {html === null ? (
          <>
            {release.excerpt !== "" && <p>{shorten(release.excerpt, 200)}</p>}
            {isWhole && (
              <p className="more">
                <a href={address} dir={language.dir} aria-label={`${language.words.page.readWhole}: ${release.title}`}>
                  {language.words.page.readWhole}
                </a>
              </p>
            )}
            {!isWhole && <Tags keys={release.tags} tags={tags} site={site} language={language} />}
            {image && (
              <a className="picture" href={address} tabIndex={-1} aria-hidden="true">
                <img
                  src={image.url}
                  alt=""
                  width={image.width}
                  height={image.height}
                  loading={atOnce ? "eager" : "lazy"}
                  decoding="async"
                />
              </a>
            )}
          </>
        ) : (
          <Whole {...{ release, html, address, language, atOnce }} />
        )}
        {editor !== null && <EditLink {...{ editor, language }} id={release.id} />}
      </article>
    </li>
  );
}

interface WholeProps extends Pick<EntryProps, "release" | "language" | "atOnce"> {
  html: string;
  address: string;
}

function Whole({ release, html, address, language, atOnce }: WholeProps) {
  const cover = coverOf(release, html);
  const placed = { words: language.words.page, address, within: release.slug, title: release.title, atOnce: atOnce && cover === null };
  return (
    <>
      {release.author_name && (
        <p className="author">
          <span dir={language.dir}>{language.words.page.by(release.author_name)}</span>
        </p>
      )}
      {cover && <Cover cover={cover} atOnce={atOnce} />}
      <div className="body" dangerouslySetInnerHTML={{ __html: pageHtml(html, placed) }} />
      <PostButton release={release} />
    </>
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
  page: number;
  pages: number;
  language: Language;
  to(page: number): string;
}

function Pager({ page, pages, language, to }: PagerProps) {
  const { page: words } = language.words;
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
