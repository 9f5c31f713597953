import { shorten } from "#contract/blocks/excerpt.ts";
import { escapeHtml } from "#contract/blocks/text.ts";
import { type ChosenCover, readCover } from "#contract/rules/cover.ts";
import type { Tag } from "#contract/tags.ts";
import type { Language } from "#contract/words/index.ts";
import { languageOf } from "../language.ts";
import type { Pictured } from "../presenters/release.ts";
import { linkPicture } from "../presenters/link-picture.ts";
import { publisherOf } from "../presenters/publisher.ts";
import type { Neighbours, PublicWorkspace, Release } from "../queries/releases.ts";
import type { Site } from "../site.ts";
import { SubscribeLine } from "../subscriptions/pages.tsx";
import { type About, Layout } from "./layout.tsx";
import { ReleaseDate, Tags } from "./parts.tsx";

export interface ReleasePageProps extends Pictured {
  workspace: PublicWorkspace;
  site: Site;
  /** The release's content. */
  html: string;
  neighbours: Neighbours;
  tags: readonly Tag[];
  now: Date;
  isPreview?: boolean;
}

export function ReleasePage({ workspace, site, release, image, html, neighbours, tags, now, isPreview = false }: ReleasePageProps) {
  const cover = coverOf(release, html);
  const language = languageOf(workspace);
  return (
    <Layout about={aboutRelease(workspace, site, { release, image })} branded={{ workspace, site, isPreview }}>
      {/* The title decides: what says its direction itself, such as date and tags, does not count. */}
      <article className="post" dir="auto">
        <div className="when">
          <ReleaseDate at={release.published_at} now={now} language={language} />
          <Tags keys={release.tags} tags={tags} site={site} language={language} />
        </div>
        <h1>{release.title}</h1>
        {release.author_name && (
          <p className="author">
            <span dir={language.dir}>{language.words.page.by(release.author_name)}</span>
          </p>
        )}
        {cover && (
          <figure className="cover">
            <img src={cover.url} alt={cover.alt} width={cover.width} height={cover.height} fetchPriority="high" decoding="async" />
          </figure>
        )}
        <div
          className="body"
          dangerouslySetInnerHTML={{ __html: cover ? withHeadingLevels(html) : firstImageAtOnce(withHeadingLevels(html)) }}
        />
        {/* Reports that the page was read; see ../counting. */}
        {!isPreview && <img className="reading" src={site.path(`/releases/${release.slug}.gif`)} alt="" width="1" height="1" />}
      </article>
      <SubscribeLine {...{ workspace, site }} />
      <Onward site={site} {...neighbours} language={language} />
    </Layout>
  );
}

/** A cover that was chosen opens the post, unless its text shows it anyway. */
function coverOf({ cover_image }: Release, html: string): ChosenCover | null {
  const cover = readCover(cover_image);
  return cover === null || cover === "none" || html.includes(`src="${escapeHtml(cover.url)}"`) ? null : cover;
}

function Onward({ site, older, newer, language }: Neighbours & { site: Site; language: Language }) {
  const { page: words } = language.words;
  return (
    <nav className="onward" aria-label={words.otherUpdates}>
      {older && (
        <a rel="prev" href={site.path(`/releases/${older.slug}`)}>
          <span>{words.before}</span> <bdi>{older.title}</bdi>
        </a>
      )}
      {newer && (
        <a rel="next" href={site.path(`/releases/${newer.slug}`)}>
          <span>{words.after}</span> <bdi>{newer.title}</bdi>
        </a>
      )}
      <a href={site.path("/releases")}>{words.allUpdates}</a>
    </nav>
  );
}

/** What search engines and previews are told about a release. */
export function aboutRelease(workspace: PublicWorkspace, site: Site, { release, image: picture }: Pictured): About {
  const { locale, words } = languageOf(workspace);
  const canonical = site.absolute(`/releases/${release.slug}`);
  // What the author chose, or shows first, says more than the title once more.
  const image = picture ? { ...picture, url: site.file(picture.url) } : linkPicture(workspace, site, release);
  return {
    title: `${release.title} · ${workspace.name}`,
    description: shorten(release.excerpt, 160) || words.page.newsFrom(workspace.name),
    canonical,
    image,
    published: release.published_at,
    data: {
      "@context": "https://schema.org",
      "@type": "BlogPosting",
      headline: release.title,
      description: release.excerpt,
      url: canonical,
      inLanguage: locale,
      mainEntityOfPage: canonical,
      datePublished: release.published_at.toISOString(),
      dateModified: release.updated_at.toISOString(),
      image: image.url,
      ...(release.author_name && { author: { "@type": "Person", name: release.author_name } }),
      publisher: publisherOf(workspace, site),
    },
  };
}

/**
 * Headings keep the size their author chose and get the level that a reader by ear expects: none is left out on the way down from the
 * page's title. `html` is what contract/blocks makes.
 */
function withHeadingLevels(html: string): string {
  const used = [...new Set([...html.matchAll(/<h([2-4])>/g)].map(([, level]) => Number(level)))].sort();
  let last = 1;
  return html.replace(/<h([2-4])>/g, (tag, written: string) => {
    last = Math.min(used.indexOf(Number(written)) + 2, last + 1);
    return last === Number(written) ? tag : `<h${written} aria-level="${last}">`;
  });
}

/** The first image of an article is most likely what a reader sees first: it is not waited for. `html` is what contract/blocks makes. */
const firstImageAtOnce = (html: string): string => html.replace(/(<img [^>]*?) loading="lazy"/, '$1 fetchpriority="high"');
