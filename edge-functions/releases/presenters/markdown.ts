import { shorten } from "#contract/blocks/excerpt.ts";
import { markdownAddress, markdownLine, markdownParagraph } from "#contract/blocks/inline-to-markdown.ts";
import { factsOf as factsOfDetails, readDetails } from "#contract/rules/post-details.ts";
import { type Tag, tagOf } from "#contract/tags.ts";
import type { Language } from "#contract/i18n/index.ts";
import { languageOf } from "../language.ts";
import type { PublicWorkspace, Release, ReleaseList } from "../queries/releases.ts";
import type { Site } from "../site.ts";
import { changesText, nameOf, pageQuery, showsWhole } from "./filter.ts";

const dayOf = ({ published_at }: Release): string => published_at.toISOString().slice(0, 10);

const link = (text: string, address: string): string => `[${text}](${address})`;

export const markdownOf = (site: Site, page: string, query: Record<string, string | number | null> = {}): string =>
  site.path(`${page}.md`, query);

export const indexOf = (site: Site): string => site.path("/releases/llms.txt");

/** Link headers to the Markdown copy and the index. */
export const markdownLinks = (site: Site, page: string, query: Record<string, string | number | null> = {}) => ({
  link: `<${markdownOf(site, page, query)}>; rel="alternate"; type="text/markdown", <${indexOf(site)}>; rel="describedby"`,
});

export const canonicalLink = (page: string) => ({ link: `<${page}>; rel="canonical"` });

export const markdown = (release: Release, content: string, language: Language): string => {
  const { button } = readDetails(release.details);
  const action = button === null ? "" : `[${markdownLine(button.text)}]${markdownAddress(button.url)}`;
  return `${paragraphs(`# ${markdownLine(release.title)}`, factsOf(release, null, language), content, action)}\n`;
};

interface MarkdownList extends ReleaseList {
  workspace: PublicWorkspace;
  site: Site;
  tags: readonly Tag[];
  contents: ReadonlyMap<string, string>;
}

export function markdownList({ workspace, site, releases, filter, tags, contents, ...list }: MarkdownList): string {
  const language = languageOf(workspace);
  const { page: words } = language.words;
  const { page, pages, size, total } = list;
  const only = nameOf(filter, tags, language);
  const isWhole = showsWhole(workspace, filter);
  const about =
    only === null
      ? words.whatIsNew(workspace.name)
      : list.changes
        ? changesText(list.changes, language)
        : filter && "term" in filter
          ? words.found(total, only)
          : words.only(only);
  const at = (path: string): string => site.absolute(path);
  const entries = releases.map((release) => {
    const content = contents.get(release.id);
    const excerpt = markdownParagraph(shorten(release.excerpt, 200));
    const more = isWhole ? link(words.readWhole, at(`/releases/${release.slug}.md`)) : "";
    const title = `## ${link(markdownLine(release.title), at(`/releases/${release.slug}`))}`;
    return paragraphs(title, factsOf(release, tags, language), ...(content === undefined ? [excerpt, more] : [content]));
  });
  const nothing = filter === null ? [words.nothingYet, words.nothingYetHint] : [words.nothingFound, words.nothingFoundHint];
  const to = (target: number, text: string): string => link(text, site.absolute("/releases.md", pageQuery(filter, target, size)));
  const pager = [
    ...(page > 1 ? [to(page - 1, words.newer)] : []),
    words.pageOf(page, pages),
    ...(page < pages ? [to(page + 1, words.older)] : []),
  ];
  return `${paragraphs(
    `# ${markdownLine(`${words.title(only, page === 1 ? null : page)} · ${workspace.name}`)}`,
    markdownParagraph(about),
    ...(entries.length > 0 ? entries : nothing),
    pages > 1 ? pager.join(" · ") : "",
  )}\n`;
}

const paragraphs = (...texts: readonly string[]): string => texts.filter((text) => text !== "").join("\n\n");

function factsOf(release: Release, tags: readonly Tag[] | null, { words }: Language): string {
  const facts = [
    dayOf(release),
    tags === null ? "" : release.tags.map((key) => markdownLine(tagOf(key, tags).label)).join(", "),
    ...factsOfDetails(readDetails(release.details), words.page).map(markdownLine),
  ];
  return facts.filter((text) => text !== "").join(" · ");
}

interface Index {
  workspace: PublicWorkspace;
  site: Site;
  releases: readonly Release[];
  tags: readonly Tag[];
  months: readonly { month: string; releases: number }[];
}

/** Limit of months and of tags. */
const namedAtMost = 120;

/** llms.txt (llmstxt.org); "Optional" links may be skipped by readers. */
export function llmsIndex({ workspace, site, releases, tags, months }: Index): string {
  const language = languageOf(workspace);
  const { dates } = language;
  const { page } = language.words;
  const at = (path: string, query: Record<string, string> = {}): string => site.absolute(path, query);
  const entry = (text: string, address: string, about = ""): string =>
    `- ${link(markdownLine(text), address)}${about === "" ? "" : `: ${about}`}`;
  const latest = releases.map((release) => {
    const excerpt = markdownLine(shorten(release.excerpt, 200));
    const about = `${factsOf(release, tags, language)}${excerpt === "" ? "" : ` · ${excerpt}`}`;
    return entry(release.title, at(`/releases/${release.slug}.md`), about);
  });
  const byTag = tags.slice(0, namedAtMost).map(({ key, label }) => entry(label, at("/releases.md", { tag: key })));
  const byMonth = months
    .slice(0, namedAtMost)
    .map(({ month, releases: count }) => entry(dates.month(month), at("/releases.md", { month }), page.updates(count)));
  const section = (title: string, entries: readonly string[]): string =>
    entries.length === 0 ? "" : `## ${title}\n\n${entries.join("\n")}`;
  return `${paragraphs(
    `# ${markdownLine(`${page.changelog} · ${workspace.name}`)}`,
    `> ${markdownParagraph(page.about(workspace.name, null))}`,
    releases.length === 0 ? page.nothingYet : "",
    section(page.allUpdates, [entry(page.changelog, at("/releases.md"), "Markdown"), ...latest]),
    section(page.tags, byTag),
    section(page.byMonth, byMonth),
    section("Optional", [
      entry("JSON", at("/releases.json")),
      entry("JSON Feed", at("/releases.feed.json")),
      entry("Atom", at("/releases/atom.xml")),
      entry("RSS", at("/releases/rss.xml")),
      entry("Sitemap", at("/sitemap.xml")),
    ]),
  )}\n`;
}
