import { FairQueue } from "#contract/rules/fair-queue.ts";
import type { Outcome } from "./resource.ts";

/** Characters of a page, feed or copy that hardly any workspace comes near. */
const large = 200_000;
const kept = 1_000;

/**
 * Who makes a page when: the pages of one workspace one after the other, so that thirty of its long posts are not begun at once. Those of
 * workspaces whose pages are large wait for each other, too, in turns. Searches, which take the database's time, go one after the other.
 */
export class Lanes {
  readonly #slow = new FairQueue(Infinity);
  readonly #searches = new FairQueue(Infinity);
  /** Workspaces that had a large page lately. */
  readonly #large = new Set<string>();
  /** The last page of each workspace that is being made or waits for that. */
  readonly #last = new Map<string, Promise<unknown>>();

  async read(workspace: string, isSearch: boolean, read: () => Promise<Outcome>): Promise<Outcome> {
    if (isSearch) return await this.#searches.run(workspace, read);
    const before = this.#last.get(workspace);
    const made = (async () => {
      await before;
      return await this.#make(workspace, read);
    })();
    const over = made.catch(() => {});
    this.#last.set(workspace, over);
    void over.then(() => this.#last.get(workspace) === over && this.#last.delete(workspace));
    return await made;
  }

  async #make(workspace: string, read: () => Promise<Outcome>): Promise<Outcome> {
    const outcome = this.#large.has(workspace) ? await this.#slow.run(workspace, read) : await read();
    if (outcome !== null && "text" in outcome && outcome.text.length > large) this.#note(workspace);
    return outcome;
  }

  #note(workspace: string): void {
    this.#large.delete(workspace);
    this.#large.add(workspace);
    const [oldest] = this.#large;
    if (this.#large.size > kept && oldest !== undefined) this.#large.delete(oldest);
  }
}
