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

/** One way to show a post's content. `make` gets the blocks as they are stored. */
export interface Form {
  name: string;
  make(raw: unknown): Promise<string> | string;
}

/** For readers elsewhere, with absolute addresses of stored images. */
export const asHtml = (base: string, { locale, words }: Language): Form => ({
  name: `html ${locale} ${base}`,
  make: (raw) => blocksToHtml(cleanBlocks(raw), { base, words: words.content }),
});
/** The same as it stands in a feed's XML: escaped once for all feeds that carry it, not at each making of one. */
export const asXml = (base: string, { locale, words }: Language): Form => ({
  name: `xml ${locale} ${base}`,
  make: (raw) => escapeXml(blocksToHtml(cleanBlocks(raw), { base, words: words.content })),
});
/** For the public page. */
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
/** In a list, whose headings are the posts' titles. */
export const asListed = (base: string): Form => ({
  name: `listed ${base}`,
  make: (raw) => blocksToMarkdown(cleanBlocks(raw), { base, below: 1 }),
});
export const asText: Form = { name: "text", make: (raw) => blocksToText(cleanBlocks(raw)) };
/** The first image or null, as JSON. */
export const asPicture = { name: "picture", make: (raw: unknown) => JSON.stringify(firstImage(raw)) } satisfies Form;
/**
 * The post as the widget shows it in its panel, as JSON: a tree, because its host's page may forbid to parse HTML. The marks of a list stand
 * where its letters begin.
 */
export const asPanel = (base: string, { locale, words }: Language): Form => ({
  name: `panel ${locale} ${base}`,
  make: (raw) => {
    const blocks = htmlOfEach(cleanBlocks(raw), { base, words: words.content });
    const content = blocks.flatMap((html) => htmlTree(html.replace(/<[uo]l/g, '$& dir="auto"')));
    return JSON.stringify({ content } satisfies WidgetPost);
  },
});

/** Contents are read a few posts at a time, and one at a time where they are long: nobody may ask for the rest of them. */
const readAtOnce = 5;
const longForm = 50_000;

type Shown = Pick<Release, "id" | "version">;

/**
 * What was made of posts' contents, by post and version, so that a post is read, cleaned and rendered once and not whenever something else of
 * its workspace changes; the least recently used go first once `maxLength` characters are held.
 */
export class Contents {
  readonly #sql: Sql;
  readonly #made: RecentlyUsed<string>;

  constructor(sql: Sql, maxLength: number) {
    this.#sql = sql;
    this.#made = new RecentlyUsed(maxLength, (text, key) => key.length + text.length);
  }

  /** A release in a form. */
  async one(subdomain: string, release: Shown, form: Form): Promise<string> {
    for await (const made of this.each(subdomain, [release], form)) return made;
    return "";
  }

  /** Releases in a form, in their order; whoever has enough asks for no more. */
  async *each(subdomain: string, releases: readonly Shown[], form: Form): AsyncGenerator<string, void> {
    let read = new Map<string, string>();
    let atOnce = 1;
    for (const [index, release] of releases.entries()) {
      const known = this.#made.get(keyOf(release, form)) ?? read.get(release.id);
      if (known !== undefined) {
        yield known;
        continue;
      }
      const missing = releases.slice(index).filter((one) => !this.#made.has(keyOf(one, form)));
      read = await this.#make(subdomain, missing.slice(0, atOnce), form);
      atOnce = [...read.values()].some(({ length }) => length > longForm) ? 1 : readAtOnce;
      yield read.get(release.id) ?? (await form.make([])); // gone meanwhile
    }
  }

  async #make(subdomain: string, releases: readonly Shown[], form: Form): Promise<Map<string, string>> {
    const rows = await releaseContents(
      this.#sql,
      subdomain,
      releases.map(({ id }) => id),
    );
    const made = new Map<string, string>();
    for (const { id, version, content_raw } of rows) {
      const text = await form.make(content_raw);
      made.set(id, text);
      this.#made.set(keyOf({ id, version }, form), text);
      this.#made.set(keyOf({ id, version }, asPicture), asPicture.make(content_raw)); // mostly asked for next, and small
    }
    return made;
  }
}

const keyOf = ({ id, version }: Shown, { name }: Form): string => `${id} ${version} ${name}`;
