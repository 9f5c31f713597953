import { largeBytes } from "#contract/body-limits.ts";
import { longestPauseMs, QueueFull } from "#contract/rules/fair-queue.ts";
import { KeyedCounter } from "#contract/rules/keyed-counter.ts";
import { KeyedSemaphore } from "#contract/rules/keyed-semaphore.ts";
import { TurnsByPerson } from "#contract/rules/turns-by-person.ts";
import { RecentlyUsed } from "#contract/rules/recently-used.ts";
import { lengthOf } from "./body-limit.ts";

/**
 * Requests for the public pages of one workspace that are under way at once; the others wait some milliseconds, and none is refused. So many where
 * its last answers were short, fewer where they were long: what is under way stays the same in bytes. Before any answer is known, its length is not
 * either: fewest.
 */
const readersAtOnce = { most: 12, fewest: 2, bytes: 12 * largeBytes };
/** A long answer's place rests twice as long as the answer took, and no longer than this, in milliseconds. */
const longestRestMs = 2 * longestPauseMs;
/** The weight of the newest sample in the moving average of the answers' lengths (EWMA). */
const newestWeight = 1 / 8;
/** Of these, one client's address has no more than this part, so that whoever searches without a pause lets others read meanwhile. */
const partOfAddress = 5 / 6;
/** Of all workspaces an address has so many; of those that nothing is known of so few: programs name hosts that are nobody's, each another one here. */
const readersOfAddress = 16;
const unknownOfAddress = 4;
/**
 * Calls of /api of people who have others under way: so many of all together. One call of each person goes at once, and of an address no more than
 * that as if each was another person's: who calls may have made his session up.
 */
const furtherCalls = navigator.hardwareConcurrency + 1;
const callersOfAddress = 12;
/**
 * So many of one address wait to read, so many for their calls, to look for a workspace and to send a large body; more are refused. An office of some
 * hundred people has no more at once, and a launch that all the world reads comes from many addresses.
 */
const waitingOfAddress = 200;
/** Calls that have their turn at once, whoever makes them. */
const mostCalls = 200;
/** A call that takes longer waits for something else, a file on a slow line or another server: then the next one goes. */
const longestCallMs = 250;
/**
 * Bodies of more bytes, so files and no save of an ordinary post, that come in at once from one address: as many as a browser sends. The next ones
 * wait in the network, where they cost nothing.
 */
const largeBody = 1_048_576;
const largeBodiesAtOnce = 6;
/**
 * So many refusals (429) of one client within `recentMs` are sent at once, later ones are delayed. Programs that obey Retry-After get fewer. The same
 * of pages of workspaces that are not there.
 */
const quickRefusals = 20;
const recentMs = 10_000;
const longestHoldMs = 1_000;
/** How many answers are delayed at a time, and of how many clients and workspaces anything is remembered. */
const mostHeld = 500;
const kept = 1_000;

/**
 * What keeps a crowd from one place from filling the process that everybody's requests pass through: its requests wait for one another, not
 * those of others for them. A client that goes on although refused is answered later each time, so that refusals do not take all the processor.
 * An address is what one subscriber has, of IPv6 a network: see networkOf. Whoever is gone by his `signal` waits no longer and gets its reason, and
 * of whom too many wait the next one gets QueueFull.
 */
export class Crowd {
  readonly #calls = new TurnsByPerson(
    Array.from({ length: mostCalls }, (_, slot) => slot),
    furtherCalls,
  );
  /** How many calls of each address wait or have their turn. */
  readonly #callsOf = new KeyedCounter();
  readonly #readersOfAddress = new KeyedSemaphore(readersOfAddress);
  readonly #readersOfBoth = new KeyedSemaphore((both) => Math.floor(partOfAddress * this.#readersOf(workspaceIn(both))));
  readonly #unknownOfAddress = new KeyedSemaphore(unknownOfAddress);
  readonly #readers = new KeyedSemaphore((workspace) => this.#readersOf(workspace));
  /** The moving average of the bytes of a workspace's answers. */
  readonly #lengths = new RecentlyUsed<number>(kept, () => 1);
  readonly #bodies = new KeyedSemaphore(largeBodiesAtOnce);
  readonly #refusals = new RecentlyUsed<{ count: number; since: number }>(kept, () => 1);
  /** How many of each address wait. */
  readonly #waiting = { toRead: new KeyedCounter(), toCall: new KeyedCounter(), toSeek: new KeyedCounter(), toSend: new KeyedCounter() };
  readonly #mostWaiting: number;
  readonly #quickRefusals: number;
  readonly #now: () => number;
  readonly #pause: Pause;
  #held = 0;

  constructor(rateLimitScale = 1, now = () => performance.now(), pause: Pause = pauseOf) {
    this.#mostWaiting = waitingOfAddress * Math.max(1, rateLimitScale);
    this.#quickRefusals = quickRefusals * Math.max(1, rateLimitScale);
    this.#now = now;
    this.#pause = pause;
  }

  /**
   * Has a workspace's page made when no more of its requests are under way; `work` tells of how many bytes it was made, and nothing where there is
   * no such page. Who has asked for many that are not there, of workspaces that nobody reads, waits before the next of them is looked for.
   * A long answer is followed by a pause, as a turn of FairQueue is, and twice as
   * long; its reader does not wait for that, nor do others from there who read elsewhere. The workspace's place is taken last: what waits for
   * anything else has none, or two addresses that are busy elsewhere would keep all others out.
   */
  read<Made>(
    workspace: string,
    address: string,
    work: (tell: (bytes: number) => void) => Promise<Made>,
    signal?: AbortSignal,
  ): Promise<Made> {
    let length = 0;
    const asked = () =>
      work((bytes) => {
        length = bytes;
        this.#weigh(workspace, bytes);
      });
    const read = (begin: () => void) =>
      new Promise<Made>((resolve, reject) => {
        let rested = Promise.resolve();
        const inTurn = () =>
          new Promise<Made>((answer, fail) => {
            const answerAndRest = async () => {
              begin();
              const began = this.#now();
              answer(await asked());
              if (length > largeBytes) await this.#pause(Math.min(2 * (this.#now() - began), longestRestMs));
            };
            rested = this.#readers.run(workspace, answerAndRest, signal);
            rested.catch(fail);
          });
        const isKnown = () => this.#lengths.has(workspace);
        const ofBoth = async () => {
          const made = isKnown() ? this.#readersOfAddress.run(address, inTurn, signal) : this.#find(address, inTurn, isKnown, signal);
          resolve(await made);
          await rested;
        };
        this.#readersOfBoth.run(`${address} ${workspace}`, ofBoth, signal).catch(reject);
      });
    return this.#inLine(this.#waiting.toRead, address, read);
  }

  /** Looks for what may not be there, a workspace by a name that anybody can make up. */
  seek<Made>(address: string, look: () => Promise<Made>, isThere: (made: Made) => boolean, signal?: AbortSignal): Promise<Made> {
    const seek = (begin: () => void) => {
      const looked = () => {
        begin();
        return look();
      };
      return this.#find(address, looked, isThere, signal);
    };
    return this.#inLine(this.#waiting.toSeek, address, seek);
  }

  async #find<Made>(
    address: string,
    look: () => Promise<Made>,
    isThere: (made: Made) => boolean,
    signal: AbortSignal | undefined,
  ): Promise<Made> {
    await this.#delay(this.#recent(missesOf(address)), signal);
    const made = await this.#unknownOfAddress.run(address, look, signal);
    if (!isThere(made)) this.#note(missesOf(address));
    return made;
  }

  /** Has a call of /api, or what a reader sends, answered when it is its turn: one of each person at once, further ones in turns by person. */
  call<Made>(who: string, address: string, work: () => Promise<Made>, signal?: AbortSignal): Promise<Made> {
    return this.#inLine(this.#waiting.toCall, address, async (begin) => {
      const end = await this.#turnOf(who, address, signal);
      begin();
      const timer = setTimeout(end, longestCallMs);
      try {
        return await work();
      } finally {
        clearTimeout(timer);
        end();
      }
    });
  }

  /** Waits for a call's turn; how it ends. */
  async #turnOf(who: string, address: string, signal: AbortSignal | undefined): Promise<() => void> {
    const caller = this.#callsOf.add(address) > callersOfAddress ? `address ${address}` : who;
    try {
      const slot = await this.#calls.take(caller, false, signal);
      return atMostOnce(() => {
        this.#calls.giveBack(caller, slot);
        this.#callsOf.remove(address);
      });
    } catch (error) {
      this.#callsOf.remove(address);
      throw error;
    }
  }

  /** Counts a work among those of its address that wait until it says that it begins; of these there are so many and no more. */
  async #inLine<Made>(waiting: KeyedCounter, address: string, work: (begin: () => void) => Promise<Made>): Promise<Made> {
    if (waiting.of(address) >= this.#mostWaiting) throw new QueueFull();
    waiting.add(address);
    const begin = atMostOnce(() => waiting.remove(address));
    try {
      return await work(begin);
    } finally {
      begin();
    }
  }

  #weigh(workspace: string, bytes: number): void {
    const before = this.#lengths.get(workspace) ?? bytes;
    this.#lengths.set(workspace, before + (bytes - before) * newestWeight);
  }

  #readersOf(workspace: string): number {
    const { most, fewest, bytes } = readersAtOnce;
    return Math.min(most, Math.max(fewest, Math.round(bytes / (this.#lengths.get(workspace) ?? Infinity))));
  }

  /** Reads a body; large ones wait for the other large ones from the same address. */
  receive<Made>(sent: Pick<Request, "headers" | "body" | "signal">, address: string, work: () => Promise<Made>): Promise<Made> {
    if (sent.body === null || lengthOf(sent.headers) <= largeBody) return work();
    return this.#inLine(this.#waiting.toSend, address, (begin) => {
      const begun = () => {
        begin();
        return work();
      };
      return this.#bodies.run(address, begun, sent.signal);
    });
  }

  /** Delays a refusal (429) for a client that has had many lately. */
  async hold(answer: Response, who: string): Promise<Response> {
    if (answer.status !== 429) return answer;
    await this.#delay(this.#note(who));
    return answer;
  }

  async #delay(times: number, signal?: AbortSignal): Promise<void> {
    const ms = Math.min((times - this.#quickRefusals) * 50, longestHoldMs);
    if (ms <= 0 || this.#held >= mostHeld) return;
    this.#held += 1;
    await this.#pause(ms, signal).finally(() => (this.#held -= 1));
  }

  /** Counts a refusal, or what was not there; how many there were lately, this one included. */
  #note(what: string): number {
    const count = this.#recent(what) + 1;
    this.#refusals.set(what, { count, since: this.#now() });
    return count;
  }

  #recent(what: string): number {
    const { count, since } = this.#refusals.get(what) ?? { count: 0, since: 0 };
    return Math.max(0, count - (this.#quickRefusals * (this.#now() - since)) / recentMs);
  }
}

type Pause = (ms: number, signal?: AbortSignal) => Promise<void>;

const pauseOf: Pause = (ms, signal) =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const leave = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", leave);
      resolve();
    }, ms);
    signal?.addEventListener("abort", leave);
  });

function atMostOnce(end: () => void): () => void {
  let isOver = false;
  return () => {
    if (!isOver) end();
    isOver = true;
  };
}

const workspaceIn = (both: string): string => both.slice(both.indexOf(" ") + 1);
const missesOf = (address: string): string => `pages that are not there: ${address}`;
