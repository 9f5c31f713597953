import type { Sql } from "postgres";

/** One connection, used by one request at a time. */
interface Slot {
  client: Sql;
  /** Set while a request holds the slot: tells it that the connection has ended. */
  onLost: () => void;
}

/** What lite's query builder needs of a reserved connection. */
interface Reserved {
  unsafe(query: string, parameters?: unknown[]): PromiseLike<unknown>;
  release(): void;
}

/** What postgres.js, the network and Postgres say when a connection cannot be had or has ended. */
const connectionFault = /^(CONNECTION_|CONNECT_|ECONN|EPIPE|ETIMEDOUT|08|57P0[123])/;

/**
 * The connections of lite, in place of postgres.js' own reserve(): that one goes on writing to a connection that has ended under a
 * transaction, so a request hangs, or, once the connection was opened again for somebody else, works inside that other's transaction.
 * Here each connection is a client of its own, and a reservation that has lost its connection refuses everything.
 */
export class LiteConnections {
  /** How many requests have lost their connection or could not get one. */
  lost = 0;
  readonly #free: Slot[];
  readonly #waiting: ((slot: Slot) => void)[] = [];

  /** `open` makes a client of one connection that calls `onClose` whenever that ends; clients connect when they are first used. */
  constructor(size: number, open: (onClose: () => void) => Sql) {
    this.#free = Array.from({ length: size }, () => {
      const slot = { onLost: () => {} } as Slot;
      slot.client = open(() => slot.onLost());
      return slot;
    });
  }

  async reserve(): Promise<Reserved> {
    const slot = this.#free.pop() ?? (await new Promise<Slot>((resolve) => this.#waiting.push(resolve)));
    const { promise: lost, reject } = Promise.withResolvers<never>();
    lost.catch(() => {});
    let isLost = false;
    slot.onLost = () => {
      if (!isLost) this.lost += 1;
      isLost = true;
      reject(Object.assign(new Error("the database connection has ended"), { code: "CONNECTION_CLOSED" }));
    };
    return {
      unsafe: async (query, parameters = []) => {
        if (isLost) return await lost;
        try {
          // postgres.js leaves a query open that was written between a connection's error and its end
          return await Promise.race([slot.client.unsafe(query, parameters as never[]), lost]);
        } catch (error) {
          if (connectionFault.test((error as { code?: string }).code ?? "")) slot.onLost();
          throw error;
        }
      },
      release: () => this.#release(slot),
    };
  }

  #release(slot: Slot): void {
    slot.onLost = () => {};
    const next = this.#waiting.shift();
    if (next) next(slot);
    else this.#free.push(slot);
  }
}
