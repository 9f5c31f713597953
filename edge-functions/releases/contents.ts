import { cleanBlocks } from "#contract/blocks/clean.ts";
import { htmlTree } from "#contract/blocks/html-tree.ts";
import { blocksToText } from "#contract/blocks/plain-text.ts";
import { blocksToHtml, htmlOfEach } from "#contract/blocks/to-html.ts";
import { blocksToMarkdown } from "#contract/blocks/to-markdown.ts";
import type { WidgetPost } from "#contract/releases.ts";
import type { Language } from "#contract/i18n/index.ts";
import { coloursOf } from "./code-colours.ts";
import { firstImage } from "./presenters/first-image.ts";
import { escapeXml } from "./presenters/xml.ts";
import type { Sql } from "./queries/database.ts";
import { releaseContents, type Release } from "./queries/releases.ts";
import { RecentlyUsed } from "#contract/rules/recently-used.ts";

export interface Form {
  name: string;
  make(raw: unknown): Promise<string> | string;
}

export const asHtml = (base: string, { locale, words }: Language): Form => ({
  name: `html ${locale} ${base}`,
  make: (raw) => blocksToHtml(cleanBlocks(raw), { base, words: words.content }),
});
/** Escaped for XML once, for all feeds. */
export const asXml = (base: string, { locale, words }: Language): Form => ({
  name: `xml ${locale} ${base}`,
  make: (raw) => escapeXml(blocksToHtml(cleanBlocks(raw), { base, words: words.content })),
});
export const asPage = ({ locale, words }: Language): Form => ({
  name: `page ${locale}`,
  make: async (raw) => {
    const content = cleanBlocks(raw);
    return blocksToHtml(content, { page: true, colour: await coloursOf(content), words: words.content });
  },
});
export const asMarkdown = (base: string): Form => ({
  name: `markdown ${base}`,
  make: (raw) => blocksToMarkdown(cleanBlocks(raw), { base }),
});
export const asListed = (base: string): Form => ({
  name: `listed ${base}`,
  make: (raw) => blocksToMarkdown(cleanBlocks(raw), { base, below: 1 }),
});
export const asText: Form = { name: "text", make: (raw) => blocksToText(cleanBlocks(raw)) };
export const asPicture = { name: "picture", make: (raw: unknown) => JSON.stringify(firstImage(raw)) } satisfies Form;
/** JSON tree, because the host page's Trusted Types may forbid parsing HTML. Lists indent by their own direction. */
export const asPanel = (base: string, { locale, words }: Language): Form => ({
  name: `panel ${locale} ${base}`,
  make: (raw) => {
    const blocks = htmlOfEach(cleanBlocks(raw), { base, words: words.content });
    const content = blocks.flatMap((html) => htmlTree(html.replace(/<[uo]l/g, '$& dir="auto"')));
    return JSON.stringify({ content } satisfies WidgetPost);
  },
});

const readAtOnce = 5;
const longForm = 50_000;

type Shown = Pick<Release, "id" | "version">;

/** LRU cache of rendered content by post and version, up to `maxLength` characters. */
export class Contents {
  readonly #sql: Sql;
  readonly #made: RecentlyUsed<string>;

  constructor(sql: Sql, maxLength: number) {
    this.#sql = sql;
    this.#made = new RecentlyUsed(maxLength, (text, key) => key.length + text.length);
  }

  async one(reader: string, release: Shown, form: Form): Promise<string> {
    for await (const rendered of this.each(reader, [release], form)) return rendered;
    return "";
  }

  async *each(reader: string, releases: readonly Shown[], form: Form): AsyncGenerator<string, void> {
    let read = new Map<string, string>();
    let atOnce = 1;
    for (const [index, release] of releases.entries()) {
      const cached = this.#made.get(keyOf(release, form)) ?? read.get(release.id);
      if (cached !== undefined) {
        yield cached;
        continue;
      }
      const missing = releases.slice(index).filter((release) => !this.#made.has(keyOf(release, form)));
      read = await this.#make(reader, missing.slice(0, atOnce), form);
      atOnce = [...read.values()].some(({ length }) => length > longForm) ? 1 : readAtOnce;
      yield read.get(release.id) ?? (await form.make([]));
    }
  }

  async #make(reader: string, releases: readonly Shown[], form: Form): Promise<Map<string, string>> {
    const rows = await releaseContents(
      this.#sql,
      reader,
      releases.map(({ id }) => id),
    );
    const texts = new Map<string, string>();
    for (const { id, version, content_raw } of rows) {
      const text = await form.make(content_raw);
      texts.set(id, text);
      this.#made.set(keyOf({ id, version }, form), text);
      this.#made.set(keyOf({ id, version }, asPicture), asPicture.make(content_raw));
    }
    return texts;
  }
}

const keyOf = ({ id, version }: Shown, { name }: Form): string => `${id} ${version} ${name}`;
