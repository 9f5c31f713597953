import { ConcurrencyLimit } from "#contract/rules/concurrency-limit.ts";
import { networkOf } from "#contract/rules/network-of.ts";

/** As many as a browser sends over HTTP/1. */
const ofPerson = { underWay: 6, waiting: 100 };
/** Services take fewer: one statement may hold one of ten connections for eight seconds. Some hundred people may share an address. */
const ofAddress = { functions: { underWay: 12, waiting: 200 }, services: { underWay: 2, waiting: 200 } };

/** Functions call Auth, REST and Storage from this address, for every client. */
const functionsAddress = "127.0.0.1";

/**
 * Limits concurrent requests per person and per client address, until their response headers. Functions and services have one each: a function's
 * call of a service would deadlock in the same one.
 */
export class Concurrency {
  readonly #people: ConcurrencyLimit;
  readonly #addresses: ConcurrencyLimit;

  /** `scale` multiplies the queue lengths. */
  constructor(of: keyof typeof ofAddress, scale = 1) {
    const scaled = ({ underWay, waiting }: typeof ofPerson) => new ConcurrencyLimit({ underWay, waiting: waiting * Math.max(1, scale) });
    [this.#people, this.#addresses] = [scaled(ofPerson), scaled(ofAddress[of])];
  }

  /** Rejects with QueueFull. The address comes second, so that one person's queue holds no slots of their address. */
  run<Result>(
    { headers, signal }: Pick<Request, "headers" | "signal">,
    clientAddress: string,
    task: () => Promise<Result>,
  ): Promise<Result> {
    const person = headers.get("authorization") ?? headers.get("cookie");
    const atAddress = () => (clientAddress === functionsAddress ? task() : this.#addresses.run(networkOf(clientAddress), task, signal));
    return person === null ? atAddress() : this.#people.run(person, atAddress, signal);
  }
}
