import { byteBudget, largeBytes } from "#contract/body-limits.ts";
import { KeyedSemaphore } from "#contract/rules/keyed-semaphore.ts";
import { ByteBudget } from "#contract/rules/byte-budget.ts";
import { FairQueue, QueueFull } from "#contract/rules/fair-queue.ts";
import { hasTooManyValues } from "#contract/rules/json-values.ts";
import { RecentlyUsed } from "#contract/rules/recently-used.ts";
import { personalToken } from "../engine/personal-token.ts";
import { refuse } from "./refuse.ts";

/** Calls of one person that are under way at once; the others wait. A page of the app makes fewer. */
const atOnce = 6;
const kept = 1_000;
/** For so long somebody whose answer was large waits for a turn. */
const heavyMs = 30_000;
/**
 * Reads under way at once whose answer may be as long as the asker likes (whole tables and exports): of one person, and of all together whose answers
 * have been short.
 */
const unboundedAtOnce = 2;
const unbounded = /^\/rest\/v1\/(?!rpc\/(?!export_)\w+$)/;

/**
 * Auth, REST and Storage work in the process that everybody's requests pass through. So large calls, and those of people whose answers have been
 * large, go one at a time and in turns, and each person has a budget of bytes: twice that of /api, whose calls come through here as well.
 */
export class ServiceLoad {
  readonly #budget: ByteBudget;
  readonly #large = new FairQueue(20);
  /** Reads without a bound of people whose answers have been large. */
  readonly #heavyReads = new FairQueue(20);
  /** One at a time: those, and in turns with them the reads of people of whose answers nothing is known yet. */
  readonly #reads = new FairQueue(Infinity);
  readonly #people = new KeyedSemaphore(atOnce);
  /** Each person's, and then all together: somebody with many waiting is no more often the next than others. */
  readonly #unboundedOf = new KeyedSemaphore(unboundedAtOnce);
  readonly #unbounded = new KeyedSemaphore(unboundedAtOnce);
  /** Whose last read without a bound was short. */
  readonly #light = new RecentlyUsed<true>(kept, () => 1);
  /** Until when: who had a large answer lately. */
  readonly #heavy = new RecentlyUsed<number>(kept, () => 1);
  readonly #isOurs: (token: string) => Promise<boolean>;

  /** `isOurs` says whether a token is one that our auth service has given out: whoever makes some up is known by the address. */
  constructor(rateLimitScale: number, isOurs: (token: string) => Promise<boolean>) {
    this.#isOurs = isOurs;
    this.#budget = new ByteBudget({ size: 2 * byteBudget.size * rateLimitScale, perSecond: 2 * byteBudget.perSecond * rateLimitScale });
  }

  /** Whoever's budget is used up is refused before the body is read. Made-up tokens have none: `carry` knows them. */
  refusal(headers: Headers): Response | null {
    const token = personalToken(headers);
    const wait = token === undefined ? 0 : this.#budget.wait(token);
    return wait > 0 ? tooMuch(wait) : null;
  }

  /** `body` is all here; `work` does what is asked at `path`. */
  async carry(path: string, headers: Headers, address: string, body: Uint8Array | null, work: () => Promise<Response>): Promise<Response> {
    const token = personalToken(headers);
    const length = body?.byteLength ?? 0;
    const isPerson = token !== undefined && (length <= largeBytes || (await this.#isOurs(token)));
    const who = isPerson ? token : address;
    const wait = isPerson ? this.#budget.wait(who) : 0;
    if (wait > 0) return tooMuch(wait);
    if (body !== null && headers.get("content-type")?.includes("json") && hasTooManyValues(body)) return refuse("body_too_large");
    if (length > largeBytes) this.#budget.charge(who, length);
    const isHeavy = () => (this.#heavy.get(who) ?? 0) > performance.now();
    const turn = async () => {
      const isLarge = length > largeBytes;
      if (isLarge || !unbounded.test(path)) return isLarge || isHeavy() ? await this.#large.run(who, work) : await work();
      if (isHeavy()) return await this.#readMuch(who, work);
      // who waited may have been found to be heavy meanwhile
      return (await this.#readUnbounded(who, async () => (isHeavy() ? null : await work()))) ?? (await this.#readMuch(who, work));
    };
    try {
      return isPerson ? await this.#people.run(who, turn) : await turn();
    } catch (error) {
      if (error instanceof QueueFull) return tooMuch(1);
      throw error;
    }
  }

  /** How long the answer gets is known when it is here: many begun together would hold every connection and both cores until then. */
  #readUnbounded<Made>(who: string, read: () => Promise<Made>): Promise<Made> {
    return this.#unboundedOf.run(who, () =>
      this.#light.has(who) ? this.#unbounded.run("light", read) : this.#reads.run("not known", read),
    );
  }

  /** People in turns, and nobody's saves wait for it. */
  #readMuch<Made>(who: string, read: () => Promise<Made>): Promise<Made> {
    return this.#heavyReads.run(who, () => this.#reads.run("heavy", read));
  }

  /** What was answered at `path`: short answers count nothing. Those of other calls tell nothing of how long a whole table is. */
  answered(path: string, headers: Headers, address: string, bytes: number): void {
    const who = personalToken(headers) ?? address;
    if (bytes <= largeBytes) {
      if (unbounded.test(path)) this.#light.set(who, true);
      return;
    }
    this.#light.delete(who);
    this.#budget.charge(who, bytes);
    this.#heavy.set(who, performance.now() + heavyMs);
  }
}

const tooMuch = (seconds: number): Response => refuse("rate_limited", { "retry-after": String(Math.ceil(seconds)) });
