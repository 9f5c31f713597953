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

/** A client of one connection. */
export interface Connection {
  client: Sql;
  /** Resets the count of result bytes; the connection ends when it passes its limit. */
  begin(): void;
}

/** One connection, used by one request at a time. */
interface Slot extends Connection {
  /** Set while a request holds the slot: tells it that the connection has ended. */
  onLost: () => void;
}

/** What lite's query builder needs of a reserved connection. */
interface Reserved {
  unsafe(query: string, parameters?: unknown[]): PromiseLike<unknown>;
  release(): void;
}

/** What a function says in a header about the request that made it ask: so a slow statement's line in the log names it. */
const cause = /"x-caused-by":"([\w-]{8,64})"/i;

/** What postgres.js, the network and Postgres say when a connection cannot be had or has ended. */
const connectionFault = /^(CONNECTION_|CONNECT_|ECONN|EPIPE|ETIMEDOUT|08|53300|57P0[123])/;

/**
 * The connections of lite, in place of postgres.js' own reserve(): that one goes on writing to a connection that has ended under a
 * transaction, so a request hangs, or, once the connection was opened again for somebody else, works inside that other's transaction.
 * Here each connection is a client of its own, and a reservation that has lost its connection refuses everything.
 */
export class LiteConnections {
  /** How many requests have lost their connection or could not get one. */
  lost = 0;
  readonly #open: (onClose: () => void) => Connection;
  readonly #free: Slot[];
  readonly #waiting: ((slot: Slot) => void)[] = [];
  #holdsToRoles = false;

  /** `open` makes a client of one connection that calls `onClose` whenever that ends; clients connect when they are first used. */
  constructor(size: number, open: (onClose: () => void) => Connection) {
    this.#open = open;
    this.#free = Array.from({ length: size }, () => {
      const slot = { onLost: () => {} } as Slot;
      this.#renew(slot);
      return slot;
    });
  }

  /** From now on only what is lite's own is asked as the superuser; everything else is refused outside of a request's role. */
  holdToRoles(): void {
    this.#holdsToRoles = true;
  }

  #renew(slot: Slot): void {
    const connection = this.#open(() => this.#lose(slot, connection.client));
    Object.assign(slot, connection);
  }

  /**
   * Once a connection has ended or could not be had, its client is given up with all that it has not sent: postgres.js would send that
   * on the next connection, where nothing has begun and nobody has said whose role it is, so as the superuser.
   */
  #lose(slot: Slot, client: Sql): void {
    if (slot.client !== client) return;
    this.#renew(slot);
    void client.end({ timeout: 0 });
    slot.onLost();
  }

  async reserve(): Promise<Reserved> {
    // Least recently used first, so that every connection has its plans cached before a burst.
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
      const known = asksResponse(query) ? answerSettings : undefined;
      const asked = known ?? sent(client.unsafe(query, parameters as never[], { prepare: keepsPlan(query) }));
      answerSettings = isCall(query) ? sent(client.unsafe(responseSettings)) : undefined;
      answerSettings?.catch(() => {}); // whoever asks for it is told
      return asked;
    };
    return {
      unsafe: async (query, parameters = []) => {
        if (isLost) return await lost;
        if (!role.allows(query, parameters) && this.#holdsToRoles) throw withoutRole(query);
        if (preamble.takes(query, parameters)) return [];
        if (isEnding(query) && preamble.begins) {
          preamble.clear(); // a transaction in which nothing was asked
          return [];
        }
        try {
          const answers = [...preamble.send(client), send(query, parameters)];
          for (const answer of answers) answer.catch(() => {}); // whoever waits is told
          // postgres.js leaves a query open that was written between a connection's error and its end
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

/** lite words its statements differently than its version here did, or asks for more than its own: nobody gets what only a superuser may. */
function withoutRole(query: string): Error {
  console.error("lite asks outside of a role:", query.slice(0, 300));
  return new Error("a statement outside of a request's role");
}

/** postgres.js sends a query when somebody first waits for it, so several keep their order only when each is waited for at once. */
const sent = (query: PromiseLike<unknown>): Promise<unknown> => query.then((answer) => answer) as Promise<unknown>;

/**
 * The statements that come before a request's own query. lite waits for each of them, a dozen round trips; here they are kept back and
 * sent together with that query: the settings as one statement, everything without waiting. A refused one makes the query fail.
 */
class Preamble {
  begins = false;
  readonly #settings = new Map<string, unknown>();

  /** Whether the statement was one of these and is kept for later. */
  takes(query: string, parameters: unknown[]): boolean {
    if (isBeginning(query)) return (this.begins = true);
    const setting = settingOf(query, parameters);
    if (!setting) return false;
    const { name, value } = setting;
    this.#settings.delete(name); // the last one counts, in its place
    this.#settings.set(name, value);
    const [, id] = (name === "request.headers" && cause.exec(String(value))) || [];
    if (id) this.#settings.set("application_name", id);
    return true;
  }

  /** Writes what was kept, in order, and does not wait for the answers. */
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
