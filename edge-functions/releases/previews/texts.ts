import { giveIds } from "#contract/blocks/give-ids.ts";
import { cleanBlocks } from "#contract/blocks/clean.ts";
import { shorten } from "#contract/blocks/excerpt.ts";
import { blockText } from "#contract/blocks/plain-text.ts";
import { htmlOfEach } from "#contract/blocks/to-html.ts";
import type { Language } from "#contract/i18n/index.ts";
import { coloursOf } from "../code-colours.ts";
import { RecentlyUsed } from "#contract/rules/recently-used.ts";

export interface ShownBlock {
  id: string;
  html: string;
  words: string;
}

const wordsLength = 80;

export async function shownBlocks(raw: unknown, { words }: Language): Promise<ShownBlock[]> {
  const content = giveIds(cleanBlocks(raw));
  const each = htmlOfEach(content, { page: true, colour: await coloursOf(content), words: words.content });
  return content.blocks.map((block, at) => ({
    id: block.id ?? "",
    html: each[at] ?? "",
    words: shorten(blockText(block).join(" "), wordsLength),
  }));
}

export class PreviewTexts {
  readonly #most: number;
  readonly #kept: RecentlyUsed<ShownBlock[]>;

  constructor(most: number) {
    this.#most = most;
    this.#kept = new RecentlyUsed<ShownBlock[]>(most, lengthOf);
  }

  get(key: string): ShownBlock[] | undefined {
    return this.#kept.get(key);
  }

  keep(key: string, blocks: ShownBlock[]): void {
    if (lengthOf(blocks, key) > this.#most) this.#kept.delete(key);
    else this.#kept.set(key, blocks);
  }
}

const lengthOf = (blocks: readonly ShownBlock[], key: string): number =>
  blocks.reduce((sum, { html, words }) => sum + html.length + words.length, key.length);
