import type { Sql } from "postgres";
import {
  asHosted,
  asksResponse,
  isBeginning,
  isCall,
  isEnding,
  keepsPlan,
  responseSettings,
  RoleOfTransaction,
  settingOf,
} from "./statements.ts";

export interface Connection {
  client: Sql;
  /** Resets the byte count; exceeding the limit closes the connection. */
  begin(): void;
}

interface Slot extends Connection {
  onLost: () => void;
}

interface Reserved {
  unsafe(query: string, parameters?: unknown[]): PromiseLike<unknown>;
  release(): void;
}

/** The request id that functions send in a header, for the slow query log. */
const cause = /"x-caused-by":"([\w-]{8,64})"/i;

/** Connection error codes of postgres.js, the network and Postgres. */
const connectionFault = /^(CONNECTION_|CONNECT_|ECONN|EPIPE|ETIMEDOUT|08|53300|57P0[123])/;

/** postgres.js' reserve() keeps writing to a connection lost in a transaction. Here a lost reservation rejects everything. */
export class LiteConnections {
  lost = 0;
  readonly #open: (onClose: () => void) => Connection;
  readonly #free: Slot[];
  readonly #waiting: ((slot: Slot) => void)[] = [];
  #holdsToRoles = false;

  constructor(size: number, open: (onClose: () => void) => Connection) {
    this.#open = open;
    this.#free = Array.from({ length: size }, () => {
      const slot = { onLost: () => {} } as Slot;
      this.#renew(slot);
      return slot;
    });
  }

  holdToRoles(): void {
    this.#holdsToRoles = true;
  }

  #renew(slot: Slot): void {
    const connection = this.#open(() => this.#lose(slot, connection.client));
    Object.assign(slot, connection);
  }

  /** Discards the client with its unsent queries: postgres.js would send them as superuser on the next connection. */
  #lose(slot: Slot, client: Sql): void {
    if (slot.client !== client) return;
    this.#renew(slot);
    void client.end({ timeout: 0 });
    slot.onLost();
  }

  async reserve(): Promise<Reserved> {
    const slot = this.#free.shift() ?? (await new Promise<Slot>((resolve) => this.#waiting.push(resolve)));
    slot.begin();
    const { client } = slot;
    const { promise: lost, reject } = Promise.withResolvers<never>();
    lost.catch(() => {});
    let isLost = false;
    slot.onLost = () => {
      if (!isLost) this.lost += 1;
      isLost = true;
      reject(connectionEnded());
    };
    const preamble = new Preamble();
    const role = new RoleOfTransaction();
    let answerSettings: Promise<unknown> | undefined;
    const send = (words: string, values: unknown[]) => {
      const { query, parameters } = asHosted(words, values);
      const prefetched = asksResponse(query) ? answerSettings : undefined;
      const result = prefetched ?? sent(client.unsafe(query, parameters as never[], { prepare: keepsPlan(query) }));
      answerSettings = isCall(query) ? sent(client.unsafe(responseSettings)) : undefined;
      answerSettings?.catch(() => {}); // the caller gets the error
      return result;
    };
    return {
      unsafe: async (query, parameters = []) => {
        if (isLost) return await lost;
        if (!role.allows(query, parameters) && this.#holdsToRoles) throw withoutRole(query);
        if (preamble.takes(query, parameters)) return [];
        if (isEnding(query) && preamble.begins) {
          preamble.clear(); // an empty transaction
          return [];
        }
        try {
          const answers = [...preamble.send(client), send(query, parameters)];
          for (const answer of answers) answer.catch(() => {}); // the caller gets the error
          // postgres.js never settles a query written between a connection's error and its close
          return (await Promise.race([Promise.all(answers), lost])).at(-1);
        } catch (error) {
          if (connectionFault.test((error as { code?: string }).code ?? "")) this.#lose(slot, client);
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

const connectionEnded = (): Error => Object.assign(new Error("the database connection has ended"), { code: "CONNECTION_CLOSED" });

/** Refuses an unknown statement outside a request's role: lite's wording may have changed. */
function withoutRole(query: string): Error {
  console.error("lite asks outside of a role:", query.slice(0, 300));
  return new Error("a statement outside of a request's role");
}

/** postgres.js sends a query when it's first awaited, so await each to keep the order. */
const sent = (query: PromiseLike<unknown>): Promise<unknown> => query.then((answer) => answer) as Promise<unknown>;

/** Pipelines the statements that lite sends before a request's query (a dozen round trips): settings as one, the rest without waiting. */
class Preamble {
  begins = false;
  readonly #settings = new Map<string, unknown>();

  takes(query: string, parameters: unknown[]): boolean {
    if (isBeginning(query)) return (this.begins = true);
    const setting = settingOf(query, parameters);
    if (!setting) return false;
    const { name, value } = setting;
    this.#settings.delete(name); // the last value wins
    this.#settings.set(name, value);
    const [, id] = (name === "request.headers" && cause.exec(String(value))) || [];
    if (id) this.#settings.set("application_name", id);
    return true;
  }

  send(client: Sql): Promise<unknown>[] {
    const answers: Promise<unknown>[] = [];
    if (this.begins) answers.push(sent(client.unsafe("begin")));
    if (this.#settings.size > 0) {
      const list = [...this.#settings.keys()].map((name, index) => `set_config('${name}', $${index + 1}, true)`).join(", ");
      answers.push(sent(client.unsafe(`select ${list}`, [...this.#settings.values()] as never[], { prepare: true })));
    }
    this.clear();
    return answers;
  }

  clear(): void {
    this.begins = false;
    this.#settings.clear();
  }
}
