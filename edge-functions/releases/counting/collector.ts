import { siteOf } from "#contract/rules/network-of.ts";
import { describeFault, type Log } from "../../_shared/log.ts";
import { retry } from "../../_shared/retry.ts";
import { isUnavailable, type Sql } from "../queries/database.ts";
import type { CountEvent } from "./events.ts";
import { SeenToday } from "./seen-today.ts";

const pauseMs = 1_000;
const enough = 200;
const batch = 500;
const waitingAtMost = 5_000;
/** Share of a workspace and of a network, so a flood only drops its own counts. */
const ofOneAtMost = waitingAtMost / 5;

interface Waiting {
  key: number;
  event: CountEvent;
  sharers: [workspace: string, network: string];
}

export interface CollectorOptions {
  sql: Sql;
  write: Log;
  waitUntil(work: Promise<unknown>): void;
}

/** Buffers events and sends them about once a second. What the database doesn't accept within ten seconds is dropped and logged. */
export class Collector {
  readonly #options: CollectorOptions;
  readonly #seen = new SeenToday();
  #waiting: Waiting[] = [];
  /** Buffered and in-flight events by workspace and network. */
  readonly #shares = new Map<string, number>();
  #unsent = 0;
  #tooMany = 0;
  #isRunning = false;
  #wake = (): void => {};

  constructor(options: CollectorOptions) {
    this.#options = options;
  }

  /** `day` in UTC. `more` computes details only for new events; null skips the event. */
  note(event: CountEvent, day: string, more: () => Partial<CountEvent> | null): void {
    const { what, subdomain, slug, name, address, agent } = event;
    const key = this.#seen.keyOf(day, `${what}\n${subdomain}\n${slug ?? name}\n${address}\n${agent}`);
    if (this.#seen.has(key)) return;
    const about = more();
    if (about === null) return;
    const counted = { ...event, ...about };
    const sharers: Waiting["sharers"] = [subdomain, `@${siteOf(address)}`];
    if (this.#unsent >= waitingAtMost || sharers.some((sharer) => (this.#shares.get(sharer) ?? 0) >= ofOneAtMost)) {
      this.#tooMany++;
      return;
    }
    this.#seen.add(key);
    this.#unsent++;
    for (const one of sharers) this.#shares.set(one, (this.#shares.get(one) ?? 0) + 1);
    this.#waiting.push({ key, event: counted, sharers });
    if (this.#waiting.length >= enough) this.#wake();
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#options.waitUntil(this.#run());
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

  /** Returns the error. Retries only an unavailable database: counting is idempotent, and rejections are permanent. */
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
    return await retry(ask).catch((thrown: unknown) => thrown);
  }

  #lost(events: number, reason: string): void {
    this.#options.write({ event: "counts lost", events, reason });
  }
}
