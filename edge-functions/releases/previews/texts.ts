import { giveIds } from "#contract/blocks/give-ids.ts";
import { cleaning } from "#contract/blocks/clean.ts";
import { shorten } from "#contract/blocks/excerpt.ts";
import { blockText } from "#contract/blocks/plain-text.ts";
import { htmlOfEach } from "#contract/blocks/to-html.ts";
import type { Language } from "#contract/words/index.ts";
import { inTurns } from "../../_shared/in-turns.ts";
import { coloursOf } from "../code-colours.ts";

/** A block as the public page has it, and what it says, shortened. */
export interface ShownBlock {
  id: string;
  html: string;
  words: string;
}

const wordsLength = 80;

/** The blocks of a post by the code that makes the public page. */
export async function shownBlocks(raw: unknown, { words }: Language): Promise<ShownBlock[]> {
  const content = giveIds(await inTurns(cleaning(raw)));
  const each = await inTurns(htmlOfEach(content, { page: true, colour: await coloursOf(content), words: words.content }));
  return content.blocks.map((block, at) => ({
    id: block.id ?? "",
    html: each[at] ?? "",
    words: shorten(blockText(block).join(" "), wordsLength),
  }));
}

/**
 * What was rendered lately, by post, version and language, so that whoever opens a link again and again costs a look into the database and no
 * more. Who may see it is asked anew each time; pages are never kept.
 */
export class PreviewTexts {
  readonly #most: number;
  readonly #kept = new Map<string, { blocks: ShownBlock[]; length: number }>();
  #length = 0;

  /** At most so many characters of HTML. */
  constructor(most: number) {
    this.#most = most;
  }

  get(key: string): ShownBlock[] | undefined {
    const known = this.#kept.get(key);
    if (known === undefined) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, known);
    return known.blocks;
  }

  keep(key: string, blocks: ShownBlock[]): void {
    this.#drop(key);
    const length = blocks.reduce((sum, { html, words }) => sum + html.length + words.length, key.length);
    if (length > this.#most) return; // for it all others would go, and then itself
    this.#kept.set(key, { blocks, length });
    this.#length += length;
    for (const oldest of this.#kept.keys()) {
      if (this.#length <= this.#most) break;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    const known = this.#kept.get(key);
    if (known === undefined) return;
    this.#length -= known.length;
    this.#kept.delete(key);
  }
}
