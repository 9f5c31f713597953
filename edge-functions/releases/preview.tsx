/** @jsxImportSource preact */
import { cleanBlocks } from "#contract/blocks/clean.ts";
import type { CleanedContent } from "#contract/blocks/schema.ts";
import { typeOf } from "#contract/blocks/block-types.ts";
import { htmlOfEach } from "#contract/blocks/to-html.ts";
import type { PostPreview } from "#contract/previews.ts";
import { readCover } from "#contract/rules/cover.ts";
import type { Tag } from "#contract/tags.ts";
import type { Language } from "#contract/i18n/index.ts";
import { coloursOf } from "./code-colours.ts";
import { asPanel } from "./contents.ts";
import { defaultTagsIn } from "#contract/i18n/index.ts";
import { languageOf } from "./language.ts";
import { aboutRelease, ReleasePage } from "./pages/release-page.tsx";
import { renderPage } from "./pages/render.tsx";
import { firstImage } from "./presenters/first-image.ts";
import { presentWidgetData, withDetails } from "./presenters/widget-data.ts";
import type { Neighbours, PublicWorkspace, Release } from "./queries/releases.ts";
import { addressesBelow, shownAt } from "./site.ts";

export interface Previewed {
  publicUrl: string;
  workspace: PublicWorkspace;
  release: Release;
  content: unknown;
  neighbours: Neighbours;
  tags: readonly Tag[];
  now: Date;
}

export async function renderPreview({
  publicUrl,
  workspace,
  release,
  content,
  tags: own,
  ...rest
}: Previewed): Promise<Omit<PostPreview, "email">> {
  const site = addressesBelow(publicUrl).siteOf({ subdomain: workspace.subdomain, by: "host" }, workspace.domain);
  const cleaned = cleanBlocks(content);
  const language = languageOf(workspace);
  const tags = [...own, ...defaultTagsIn(language.locale)];
  const cover = readCover(release.cover_image);
  const image = cover === "none" ? null : (cover ?? firstImage(cleaned));
  const html = await previewHtml(cleaned, language);
  const about = aboutRelease(workspace, site, { release, image });
  const panel = await asPanel(site.origin, language).make(cleaned);
  return {
    theme: workspace.appearance.theme,
    page: renderPage(<ReleasePage {...{ workspace, site, release, image, html, tags, ...rest }} isPreview />),
    widget: {
      data: presentWidgetData(workspace, shownAt(publicUrl, site), [{ release, image }], {
        now: rest.now,
        placed: [{ release, image }],
        isPreview: true,
      }),
      post: withDetails(JSON.parse(panel) as PostPreview["widget"]["post"], release, language),
    },
    card: {
      host: new URL(site.origin).host,
      url: site.absolute(`/releases/${release.slug}`),
      title: about.title,
      description: about.description,
      image: image
        ? { url: site.file(image.url), alt: image.alt, large: true }
        : { url: drawnFor(workspace.id, release), alt: release.title, large: true },
    },
  };
}

const drawnFor = (workspaceId: string, { title, published_at }: Release): string =>
  `/api/workspaces/${workspaceId}/posts/preview/picture?${new URLSearchParams({ title, published_at: published_at.toISOString() })}`;

/** As on the page, but players become links, so nothing runs in the preview's frame. */
export async function previewHtml(content: CleanedContent, { words: { content: words } }: Language): Promise<string> {
  const asPage = htmlOfEach(content, { page: true, colour: await coloursOf(content), words });
  const elsewhere = htmlOfEach(content, { words });
  return content.blocks.map((block, index) => (typeOf(block).frames ? elsewhere[index] : asPage[index])).join("\n");
}
