import { KeyedSemaphore } from "#contract/rules/keyed-semaphore.ts";
import { FairQueue } from "#contract/rules/fair-queue.ts";
import { RecentlyUsed } from "#contract/rules/recently-used.ts";
import type { Outcome } from "./resource.ts";

/** Characters of a page, feed, copy or post that hardly any workspace comes near. */
const large = 200_000;
const kept = 1_000;
/** Pages of one workspace that are made at once; one until it is known how long they are. */
const atOnce = 3;

/**
 * Who makes a page when: three of one workspace at once, so that thirty of its long posts are not begun together. Pages of workspaces with
 * long posts or pages go one at a time, all such workspaces together, in turns and with pauses, so that whatever changes there and however many
 * ask, half of the time is left for everybody else. Searches, which take the database's time, go one after the other.
 */
export class Lanes {
  readonly #slow = new FairQueue(Infinity);
  readonly #searches = new FairQueue(Infinity);
  /** Whether a workspace had something large lately, by subdomain; of others nothing is known. */
  readonly #large = new RecentlyUsed<boolean>(kept, () => 1);
  readonly #lanes = new KeyedSemaphore((subdomain) => (this.#large.has(subdomain) ? atOnce : 1));

  async read(subdomain: string, isSearch: boolean, read: () => Promise<Outcome>): Promise<Outcome> {
    if (isSearch) return await this.#searches.run(subdomain, read);
    const outcome = this.#large.get(subdomain) ? await this.#slow.run(subdomain, read) : await this.#inLane(subdomain, read);
    this.note(subdomain, outcome !== null && "text" in outcome ? outcome.text.length : 0);
    return outcome;
  }

  /** Something of a workspace was so many characters long. */
  note(subdomain: string, length: number): void {
    this.#large.set(subdomain, length > large || this.#large.get(subdomain) === true);
  }

  async #inLane(subdomain: string, read: () => Promise<Outcome>): Promise<Outcome> {
    // it may have been found to be large meanwhile
    return await this.#lanes.run(subdomain, () => (this.#large.get(subdomain) ? this.#slow.run(subdomain, read) : read()));
  }
}
