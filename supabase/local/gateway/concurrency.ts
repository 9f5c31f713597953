import { ConcurrencyLimit } from "#contract/rules/concurrency-limit.ts";
import { networkOf } from "#contract/rules/network-of.ts";

/** HTTP/1 connections of one browser. */
const ofPerson = { underWay: 6, waiting: 100 };
/** Services take fewer: a statement can hold one of ten connections for eight seconds. About a hundred people may share an address. */
const ofAddress = { functions: { underWay: 8, waiting: 200 }, services: { underWay: 2, waiting: 200 } };

/** Functions call services from this address for every client. */
const functionsAddress = "127.0.0.1";

/** Limits concurrent requests until their response headers. Separate for functions and services: one calls the other (deadlock). */
export class Concurrency {
  readonly #people: ConcurrencyLimit;
  readonly #addresses: ConcurrencyLimit;

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
