import { ConcurrencyLimit } from "#contract/rules/concurrency-limit.ts";
import { networkOf } from "#contract/rules/network-of.ts";

/** Requests of one person that are under way at once: as many as a browser sends over HTTP/1. */
const ofPerson = { underWay: 6, waiting: 100 };
/** Of one client address. Further ones wait: an office of some hundred people has no more at once than may. */
const ofAddress = { functions: { underWay: 12, waiting: 200 }, services: { underWay: 2, waiting: 200 } };

/** Functions call Auth, REST and Storage from here, for everybody. */
const functionsAddress = "127.0.0.1";

/**
 * How many requests are under way at once: of one person and of one client address, so that whoever sends many waits for themselves. Answers are
 * not waited for to their end, nor are WebSockets. Rejects with QueueFull where too many wait.
 *
 * Functions have one and the services behind them another: in one, a call would wait for itself. Services take fewer of one address, as a single
 * statement may keep one of ten connections for eight seconds.
 */
export class Concurrency {
  readonly #people: ConcurrencyLimit;
  readonly #addresses: ConcurrencyLimit;

  /** `scale` multiplies how many may wait. */
  constructor(of: keyof typeof ofAddress, scale = 1) {
    const scaled = ({ underWay, waiting }: typeof ofPerson) => new ConcurrencyLimit({ underWay, waiting: waiting * Math.max(1, scale) });
    [this.#people, this.#addresses] = [scaled(ofPerson), scaled(ofAddress[of])];
  }

  /** The place of the address is taken last: who waits for their own requests keeps nobody else at their address waiting. */
  run<Made>({ headers, signal }: Pick<Request, "headers" | "signal">, clientAddress: string, work: () => Promise<Made>): Promise<Made> {
    const person = headers.get("authorization") ?? headers.get("cookie");
    const ofTheirAddress = () =>
      clientAddress === functionsAddress ? work() : this.#addresses.run(networkOf(clientAddress), work, signal);
    return person === null ? ofTheirAddress() : this.#people.run(person, ofTheirAddress, signal);
  }
}
