/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { shorten } from "#contract/blocks/excerpt.ts";
import { escapeHtml } from "#contract/blocks/text.ts";
import { excerptLength } from "#contract/limits.ts";
import { type ChosenCover, readCover } from "#contract/rules/cover.ts";
import type { Tag } from "#contract/tags.ts";
import type { Language } from "#contract/i18n/index.ts";
import { languageOf } from "../language.ts";
import type { Pictured } from "../presenters/release.ts";
import { markdownOf } from "../presenters/markdown.ts";
import { linkPicture } from "../presenters/link-picture.ts";
import { publisherOf } from "../presenters/publisher.ts";
import type { Neighbours, PublicWorkspace, Release } from "../queries/releases.ts";
import type { Site } from "../site.ts";
import { SubscribeLine } from "../subscriptions/pages.tsx";
import { type About, Layout } from "./layout.tsx";
import { Facts, PostButton, ReleaseDate, Tags } from "./parts.tsx";
import { pageHtml } from "./post-html.ts";
import { Share } from "./share.tsx";
import type { Style } from "./style.ts";

export interface ReleasePageProps extends Pictured {
  workspace: PublicWorkspace;
  site: Site;
  html: string;
  neighbours?: Neighbours;
  tags: readonly Tag[];
  now: Date;
  isPreview?: boolean;
  isNear?: boolean;
  editor?: string | null;
  shared?: Shared;
}

export interface Shared {
  notice: ComponentChildren;
  style: Style;
  comments: ComponentChildren;
  isClosed: boolean;
}

export function ReleasePage({ workspace, site, release, image, html, neighbours, tags, now, ...reader }: ReleasePageProps) {
  const { isPreview = false, isNear = false, editor = null, shared } = reader;
  const isClosed = shared?.isClosed ?? false;
  const cover = coverOf(release, html);
  const language = languageOf(workspace);
  const body = pageHtml(html, { words: language.words.page, address: "", atOnce: cover === null });
  return (
    <Layout
      about={shared ? aboutShared(workspace, release) : aboutRelease(workspace, site, { release, image })}
      branded={{ workspace, site, isPreview, isNear, isClosed, canSubscribe: !shared }}
      notice={shared?.notice}
      style={shared?.style}
    >
      {/* dir follows the title, not elements with their own dir. */}
      <article className="post" dir="auto">
        <div className="when">
          <ReleaseDate at={release.published_at} now={now} language={language} />
          <Tags keys={release.tags} {...{ tags, site, language, isClosed }} />
          <Facts {...{ release, now, language }} />
        </div>
        <h1>{release.title}</h1>
        {release.author_name && (
          <p className="author">
            <span dir={language.dir}>{language.words.page.by(release.author_name)}</span>
          </p>
        )}
        {cover && <Cover cover={cover} atOnce />}
        <div className="body" dangerouslySetInnerHTML={{ __html: body }} />
        <PostButton release={release} />
        {editor !== null && <EditLink {...{ editor, language }} id={release.id} />}
        {/* Tracking pixel, see ../counting. Last, or React would preload it in the head. */}
        {!isPreview && !shared && (
          <img className="reading" src={site.path(`/releases/${release.slug}.gif`)} alt="" width="1" height="1" fetchPriority="low" />
        )}
      </article>
      {shared?.comments}
      {!shared && <Share url={site.absolute(`/releases/${release.slug}`)} title={release.title} language={language} />}
      {!shared && <SubscribeLine {...{ workspace, site }} />}
      {neighbours && <Onward site={site} {...neighbours} language={language} />}
    </Layout>
  );
}

export function Cover({ cover, atOnce }: { cover: ChosenCover; atOnce: boolean }) {
  const when = atOnce ? ({ fetchPriority: "high" } as const) : ({ loading: "lazy" } as const);
  return (
    <figure className="cover">
      <img src={cover.url} alt={cover.alt} width={cover.width} height={cover.height} {...when} decoding="async" />
    </figure>
  );
}

export function EditLink({ editor, id, language }: { editor: string; id: string; language: Language }) {
  return (
    <p className="edit">
      <a href={`${editor}/${id}`} dir={language.dir}>
        {language.words.page.edit}
      </a>
    </p>
  );
}

/** Shown above the text, unless the text contains it. */
export function coverOf({ cover_image }: Release, html: string): ChosenCover | null {
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

const aboutShared = (workspace: PublicWorkspace, { title, excerpt }: Release): About => ({
  title: `${title} · ${workspace.name}`,
  description: shorten(excerpt, excerptLength) || title,
  canonical: null,
});

export function aboutRelease(workspace: PublicWorkspace, site: Site, { release, image: picture }: Pictured): About {
  const { locale, words } = languageOf(workspace);
  const canonical = site.absolute(`/releases/${release.slug}`);
  // The chosen or first image says more than a generated one with the title.
  const image = picture ? { ...picture, url: site.file(picture.url) } : linkPicture(workspace, site, release);
  return {
    title: `${release.title} · ${workspace.name}`,
    description: shorten(release.excerpt, excerptLength) || words.page.newsFrom(workspace.name),
    canonical,
    markdown: markdownOf(site, `/releases/${release.slug}`),
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
