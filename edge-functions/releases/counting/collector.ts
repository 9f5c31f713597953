import { siteOf } from "#contract/rules/network-of.ts";
import { describeFault, type Log } from "../../_shared/log.ts";
import { persistently } from "../../_shared/persistently.ts";
import { isUnavailable, type Sql } from "../queries/database.ts";
import type { CountEvent } from "./events.ts";
import { SeenToday } from "./seen-today.ts";

const pauseMs = 1_000;
/** When so many are there, nobody waits for more. */
const enough = 200;
/** So many are told together: the database takes no more at once. */
const batch = 500;
/** So many wait at most while the database is slow or away. */
const waitingAtMost = 5_000;
/** Of them those of one workspace, and those from one network: who floods us loses counts of his own. */
const ofOneAtMost = waitingAtMost / 5;

interface Waiting {
  key: number;
  event: CountEvent;
  /** Its workspace and its network, as #shares counts them. */
  sharers: [workspace: string, network: string];
}

export interface CollectorOptions {
  sql: Sql;
  write: Log;
  /** Told of work that goes on when the request that began it is answered. */
  goOn(work: Promise<unknown>): void;
}

/**
 * Takes what is to be counted, and nobody waits for it: it is kept in memory and told to the database about once a second. What the database
 * does not take within some ten seconds is lost, and one line says how much.
 */
export class Collector {
  readonly #options: CollectorOptions;
  readonly #seen = new SeenToday();
  #waiting: Waiting[] = [];
  /** How many of each workspace and network wait or are on their way. */
  readonly #shares = new Map<string, number>();
  #unsent = 0;
  #tooMany = 0;
  #isRunning = false;
  /** Ends the pause. */
  #wake = (): void => {};

  constructor(options: CollectorOptions) {
    this.#options = options;
  }

  /**
   * `day` is the one of UTC, on which the same is counted once. `more` is asked for what else is to be said only when it is new, as most
   * requests are of a reader who was there already; null: it is not to be counted.
   */
  note(told: CountEvent, day: string, more: () => Partial<CountEvent> | null): void {
    const { what, subdomain, slug, name, address, agent } = told;
    const key = this.#seen.keyOf(day, `${what}\n${subdomain}\n${slug ?? name}\n${address}\n${agent}`);
    if (this.#seen.has(key)) return;
    const about = more();
    if (about === null) return;
    const event = { ...told, ...about };
    const sharers: Waiting["sharers"] = [subdomain, `@${siteOf(address)}`];
    if (this.#unsent >= waitingAtMost || sharers.some((one) => (this.#shares.get(one) ?? 0) >= ofOneAtMost)) {
      this.#tooMany++;
      return;
    }
    this.#seen.add(key);
    this.#unsent++;
    for (const one of sharers) this.#shares.set(one, (this.#shares.get(one) ?? 0) + 1);
    this.#waiting.push({ key, event, sharers });
    if (this.#waiting.length >= enough) this.#wake();
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#options.goOn(this.#run());
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      if (this.#waiting.length < enough) await this.#pause();
      await this.#send(this.#waiting.splice(0, batch));
    }
    this.#isRunning = false;
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, pauseMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async #send(sent: readonly Waiting[]): Promise<void> {
    const fault = await this.#tell(JSON.stringify(sent.map(({ event }) => event)));
    this.#unsent -= sent.length;
    for (const { sharers } of sent)
      for (const one of sharers) {
        const left = (this.#shares.get(one) ?? 0) - 1;
        if (left > 0) this.#shares.set(one, left);
        else this.#shares.delete(one);
      }
    if (fault !== undefined) {
      for (const { key } of sent) this.#seen.delete(key);
      this.#lost(sent.length, describeFault(fault).message);
    }
    if (this.#tooMany > 0) this.#lost(this.#tooMany, "too many at once");
    this.#tooMany = 0;
  }

  /** Answers what was wrong. Only a database that is away is asked again: it counts nobody twice, and what it refuses it would refuse again. */
  async #tell(events: string): Promise<unknown> {
    const { sql } = this.#options;
    const ask = async (): Promise<unknown> => {
      try {
        await sql`select private.count_events(${events}::text::jsonb)`;
        return undefined;
      } catch (thrown) {
        if (isUnavailable(thrown)) throw thrown;
        return thrown;
      }
    };
    return await persistently(ask).catch((thrown: unknown) => thrown);
  }

  #lost(events: number, reason: string): void {
    this.#options.write({ event: "counts lost", events, reason });
  }
}
