/** @jsxImportSource preact */
import type { AppearancePreview } from "#contract/appearance-preview.ts";
import { cleanBlocks } from "#contract/blocks/clean.ts";
import { readCover } from "#contract/rules/cover.ts";
import type { Tag } from "#contract/tags.ts";
import { ListPage } from "./pages/list-page.tsx";
import { renderPage } from "./pages/render.tsx";
import { firstImage } from "./presenters/first-image.ts";
import { presentWidgetData } from "./presenters/widget-data.ts";
import { defaultTagsIn } from "#contract/i18n/index.ts";
import { languageOf } from "./language.ts";
import { previewHtml } from "./preview.tsx";
import type { PublicWorkspace, Release } from "./queries/releases.ts";
import { addressesBelow, shownAt } from "./site.ts";

export interface Looked {
  publicUrl: string;
  workspace: PublicWorkspace;
  releases: readonly Release[];
  contents: ReadonlyMap<string, unknown>;
  tags: readonly Tag[];
  now: Date;
}

export async function renderLook({ publicUrl, workspace, releases, contents, tags: own, now }: Looked): Promise<AppearancePreview> {
  const site = addressesBelow(publicUrl).siteOf({ subdomain: workspace.subdomain, by: "host" }, workspace.domain);
  const defaults = defaultTagsIn(workspace.appearance.locale);
  const tags = own.map((tag) => defaults.find(({ key }) => key === tag.key) ?? tag);
  const sample = releases.length === 0;
  const shown = sample ? [sampleRelease(now)] : releases;
  const blocks = sample ? new Map([[sampleId, sampleBlocks]]) : contents;
  const pictured = shown.map((release) => {
    const cover = readCover(release.cover_image);
    return { release, image: cover === "none" ? null : (cover ?? firstImage(blocks.get(release.id) ?? [])) };
  });
  const whole = new Map<string, string>();
  for (const [id, stored] of workspace.appearance.layout === "posts" ? blocks : [])
    whole.set(id, await previewHtml(cleanBlocks(stored), languageOf(workspace)));
  const months = [...new Set(shown.map(({ published_at }) => published_at.toISOString().slice(0, 7)))];
  return {
    page: renderPage(
      <ListPage
        {...{ workspace, site, tags, now }}
        releases={pictured}
        page={1}
        size={shown.length}
        pages={1}
        total={shown.length}
        filter={null}
        months={months.map((month) => ({ month, releases: 1 }))}
        contents={whole}
        isPreview
      />,
    ),
    widget: presentWidgetData(workspace, shownAt(publicUrl, site), pictured, { now }),
    sample,
  };
}

const sampleId = "00000000-0000-4000-8000-000000000000";

const sampleBlocks = {
  blocks: [
    {
      type: "paragraph",
      data: { text: 'Easy on the eyes after sunset, and it follows your system. <a href="https://example.com">Read more</a>.' },
    },
    { type: "header", data: { text: "What is new", level: 2 } },
    { type: "list", data: { style: "unordered", items: ["Every page, every dialog", "Contrast checked"] } },
    { type: "code", data: { code: "theme: system", language: "yaml" } },
  ],
};

const sampleRelease = (now: Date): Release => ({
  id: sampleId,
  slug: "sample",
  title: "Dark mode is here",
  excerpt: "Easy on the eyes after sunset, and it follows your system.",
  tags: ["feature"],
  author_name: "Ada Lovelace",
  published_at: now,
  updated_at: now,
  version: 1,
  cover_image: null,
  details: null,
});
