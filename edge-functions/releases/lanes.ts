import { FairQueue } from "../_shared/fair-queue.ts";
import type { Outcome } from "./resource.ts";

/** Characters of a page, feed or copy that hardly any workspace comes near. */
const large = 200_000;
const kept = 1_000;

/**
 * Who makes a page when: at once, but those of a workspace whose pages are large wait for each other and for those of other such workspaces, in
 * turns, so that rendering them never takes the readers of all the others their time. Searches, which take the database's time, go one after the
 * other.
 */
export class Lanes {
  readonly #slow = new FairQueue(Infinity);
  readonly #searches = new FairQueue(Infinity);
  /** Workspaces that had a large page lately. */
  readonly #large = new Set<string>();

  async read(workspace: string, isSearch: boolean, read: () => Promise<Outcome>): Promise<Outcome> {
    const inTurn = isSearch ? () => this.#searches.run(workspace, read) : read;
    const outcome = this.#large.has(workspace) ? await this.#slow.run(workspace, inTurn) : await inTurn();
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
