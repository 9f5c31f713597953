import { cleanBlocks } from "#contract/blocks/clean.ts";
import { blocksToHtml } from "#contract/blocks/to-html.ts";
import { RecentlyUsed } from "#contract/rules/recently-used.ts";
import { InFlight } from "../../_shared/in-flight.ts";

/** A content as it is shown: cleaned, as JSON, and as HTML. */
export interface ShownContent {
  content_raw: string;
  content_md: string;
}

/**
 * What was made of contents, so that one is cleaned and rendered once and not at every read; the least recently used go first once `maxBytes` are
 * held. It is kept under the content itself, which only who has read its row can ask with: nothing is told that they have not, and a row that
 * changes in whatever way asks with another.
 */
export class ShownContents {
  readonly #made: RecentlyUsed<ShownContent>;
  readonly #underWay = new InFlight<ShownContent>();

  constructor(maxBytes: number) {
    this.#made = new RecentlyUsed(maxBytes, (shown, key) => 2 * (key.length + shown.content_raw.length + shown.content_md.length));
  }

  async of(stored: unknown): Promise<ShownContent> {
    const key = JSON.stringify(stored);
    return this.#made.get(key) ?? (await this.#underWay.share(key, () => this.#make(stored, key)));
  }

  async #make(stored: unknown, key: string): Promise<ShownContent> {
    const content = cleanBlocks(stored);
    const shown = { content_raw: JSON.stringify(content), content_md: blocksToHtml(content) };
    this.#made.set(key, shown);
    return shown;
  }
}
