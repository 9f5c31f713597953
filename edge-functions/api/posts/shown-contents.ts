import { cleanBlocks } from "#contract/blocks/clean.ts";
import { blocksToHtml } from "#contract/blocks/to-html.ts";
import { RecentlyUsed } from "#contract/rules/recently-used.ts";
import { InFlight } from "../../_shared/in-flight.ts";

export interface ShownContent {
  content_raw: string;
  content_md: string;
}

/** LRU cache of cleaned and rendered content, up to `maxBytes`. The key is the content itself, so changed rows miss. */
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
