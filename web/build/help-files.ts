import { readFileSync } from "node:fs";
import path from "node:path";
import type { Plugin } from "vite";
import { appearanceOfRow } from "#contract/appearance-choices.ts";
import { cleanBlocks } from "#contract/blocks/clean.ts";
import { excerpt } from "#contract/blocks/excerpt.ts";
import { blocksFromMarkdown } from "#contract/blocks/from-markdown.ts";
import { htmlTree } from "#contract/blocks/html-tree.ts";
import type { CleanedContent } from "#contract/blocks/schema.ts";
import { htmlOfEach } from "#contract/blocks/to-html.ts";
import { languageIn } from "#contract/i18n/index.ts";
import type { WidgetData, WidgetPost } from "#contract/releases.ts";
import { withDefaults } from "#contract/widget-choices.ts";
import { speechOf } from "#contract/widget-speech.ts";
import packageJson from "../../package.json" with { type: "json" };

interface Article extends Pick<WidgetData["posts"][number], "slug" | "title" | "url" | "published_at" | "date"> {
  content: CleanedContent;
}

const look = appearanceOfRow(null);
const source = `${packageJson.homepage.replace(/#.*/, "")}/blob/v${packageJson.version}`;

/** Help and news of this release as data for our own widget, from docs/using and docs/changelog: nothing is fetched from elsewhere. */
export function helpFiles(): Plugin {
  return {
    name: "help-files",
    generateBundle() {
      for (const [fileName, data] of files()) this.emitFile({ type: "asset", fileName, source: JSON.stringify(data) });
    },
    configureServer({ middlewares }) {
      const served = new Map(files());
      middlewares.use((request, response, next) => {
        const data = served.get(request.url!.slice(1).replace(/\?.*/, ""));
        if (data === undefined) next();
        else response.setHeader("content-type", "application/json").end(JSON.stringify(data));
      });
    },
  };
}

const files = (): [string, WidgetData | WidgetPost][] => [
  ...widgetFiles("help", articles(), `${source}/docs/using.md`, {
    whatsNew: "Help",
    latest: "How to use Tidings",
    all: "All documentation",
  }),
  ...widgetFiles("news", news(), `${source}/CHANGELOG.md`, { whatsNew: "What's new in Tidings" }),
];

function widgetFiles(
  name: string,
  posts: Article[],
  url: string,
  words: Partial<WidgetData["words"]>,
): [string, WidgetData | WidgetPost][] {
  const speech = speechOf({ look, fontFamily: "system", posts: posts.length, file: (file) => file });
  const data: WidgetData = {
    workspace: { name: "Tidings", url, mails: false },
    settings: withDefaults({ customisation: { widgetSize: "lg" } }),
    ...{ ...speech, words: { ...speech.words, ...words } },
    ...{ placed: [], changes_url: null },
    posts: posts.map(({ content, ...post }) => ({ ...post, id: post.slug, excerpt: excerpt(content), author_name: null, image: null })),
  };
  const contents = posts.map(({ slug, content }): [string, WidgetPost] => [
    `${name}/releases/${slug}.widget.json`,
    { content: htmlOfEach(content).flatMap(htmlTree) },
  ]);
  return [[`${name}/releases/widget.json`, data], ...contents];
}

function articles(): Article[] {
  const names = [...read("docs/using.md").matchAll(/\(([\w/-]+)\.md\)/g)].map(([, name]) => name!);
  return names.map((name) => {
    const url = `${source}/docs/${name}.md`;
    const [heading = "", ...lines] = read(`docs/${name}.md`)
      .replace(/^!\[.*$/gm, "")
      .split("\n");
    const content = blocksFromMarkdown(lines.join("\n"), { resolve: (address) => new URL(address, url).href });
    return { slug: path.basename(name), title: heading.replace("# ", ""), url, published_at: "1970-01-01T00:00:00Z", date: "", content };
  });
}

function news(): Article[] {
  const { posts } = JSON.parse(read("docs/changelog/workspace.json")) as { posts: (Omit<Article, "content"> & { content_raw: unknown })[] };
  return posts
    .map(({ slug, title, published_at, content_raw }) => ({
      ...{ slug, title, published_at, url: `${source}/CHANGELOG.md`, content: cleanBlocks(content_raw) },
      date: languageIn(look).dates.day(new Date(published_at)),
    }))
    .toSorted((one, other) => Date.parse(other.published_at) - Date.parse(one.published_at));
}

const read = (file: string): string => readFileSync(path.join(import.meta.dirname, "../..", file), "utf8");
