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
/** So many calls past the API wait that have no person's token and come from one address. */
const waitingOfAddress = 100;
/** What has answers as long as there are posts. */
const exports = /^\/rest\/v1\/rpc\/export_/;

/** How much is asked past the API at once: a processor stays free, and most of the connections. */
export const mostPastApi = (cores: number): number => Math.min(Math.max(cores - 1, 1), 4);

interface Call {
  path: string;
  headers: Headers;
  /** The client's. */
  address: string;
  /** Whether REST or Storage is asked past the API: by nobody of ours, and not for what is public. */
  isPastApi: boolean;
  /** All here. */
  body: Uint8Array | null;
}

/**
 * Auth, REST and Storage work in the process that everybody's requests pass through. So large calls, and those of people whose answers have been
 * large, go one at a time and in turns, and each person has a budget of bytes: twice that of /api, whose calls come through here as well. What is
 * asked of them past the API may keep the database busy as long as a statement may take, and be as large as one likes; it goes in turns by person and
 * leaves a processor, most of the connections and the queues of the functions' calls to everybody else.
 */
export class ServiceLoad {
  readonly #budget: ByteBudget;
  readonly #large = new FairQueue(20);
  readonly #exports = new FairQueue(20);
  readonly #pastApi: FairQueue;
  readonly #people = new KeyedSemaphore(atOnce);
  /** Until when: who had a large answer lately. */
  readonly #heavy = new RecentlyUsed<number>(kept, () => 1);
  readonly #isOurs: (token: string) => Promise<boolean>;

  /** `isOurs` says whether a token is one that our auth service has given out: whoever makes some up is known by the address. */
  constructor(rateLimitScale: number, isOurs: (token: string) => Promise<boolean>, cores = navigator.hardwareConcurrency) {
    this.#isOurs = isOurs;
    this.#budget = new ByteBudget({ size: 2 * byteBudget.size * rateLimitScale, perSecond: 2 * byteBudget.perSecond * rateLimitScale });
    this.#pastApi = new FairQueue(waitingOfAddress, mostPastApi(cores) * Math.max(1, rateLimitScale));
  }

  /** Whoever's budget is used up is refused before the body is read. Made-up tokens have none: `carry` knows them. */
  refusal(headers: Headers): Response | null {
    const token = personalToken(headers);
    const wait = token === undefined ? 0 : this.#budget.wait(token);
    return wait > 0 ? tooMuch(wait) : null;
  }

  /** `work` does what is asked. */
  async carry({ path, headers, address, isPastApi, body }: Call, work: () => Promise<Response>): Promise<Response> {
    const token = personalToken(headers);
    const length = body?.byteLength ?? 0;
    const isPerson = token !== undefined && ((length <= largeBytes && !isPastApi) || (await this.#isOurs(token)));
    const who = isPerson ? token : address;
    const wait = isPerson ? this.#budget.wait(who) : 0;
    if (wait > 0) return tooMuch(wait);
    if (body !== null && headers.get("content-type")?.includes("json") && hasTooManyValues(body)) return refuse("body_too_large");
    if (length > largeBytes) this.#budget.charge(who, length);
    const turn = async () => {
      if (isPastApi) return await this.#pastApi.run(who, work);
      if (length > largeBytes || (this.#heavy.get(who) ?? 0) > performance.now()) return await this.#large.run(who, work);
      return exports.test(path) ? await this.#exports.run(who, work) : await work();
    };
    try {
      return isPerson ? await this.#people.run(who, turn) : await turn();
    } catch (error) {
      if (error instanceof QueueFull) return tooMuch(1);
      throw error;
    }
  }

  /** What was answered: short answers count nothing. */
  answered(headers: Headers, address: string, bytes: number): void {
    if (bytes <= largeBytes) return;
    const who = personalToken(headers) ?? address;
    this.#budget.charge(who, bytes);
    this.#heavy.set(who, performance.now() + heavyMs);
  }
}

const tooMuch = (seconds: number): Response => refuse("rate_limited", { "retry-after": String(Math.ceil(seconds)) });
