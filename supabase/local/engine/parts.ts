import { StartError } from "../start-error.ts";

/** One thing that the stack starts, watches and stops. */
export interface Part {
  name: string;
  /** Before any part starts: takes what can be taken already, such as a port, so that a start that cannot work says so at once. */
  open?(): void;
  /** Resolves when the part works. It may use the parts before it in the list. */
  start?(): Promise<void>;
  /** As `start`, of a part that needs no other one: the rest starts meanwhile. */
  startAlongside?(): Promise<void>;
  /** Also called when the part has not started, or has started half. */
  stop?(): Promise<void> | void;
  /** What is up, by the names of /healthz. Most of it needs the database, which is asked once for all. */
  health?(databaseAnswers: boolean): Record<string, boolean>;
  gauges?(): Gauge[] | Promise<Gauge[]>;
}

/** A value of this moment for /metrics; null where it cannot be known. */
export interface Gauge {
  name: string;
  help: string;
  value: number | null;
  labels?: Record<string, string>;
}

/** Starts parts in the order of the list and stops them in the reverse one. */
export class Parts {
  readonly #list: readonly Part[];
  #stopping = false;

  constructor(list: (Part | null)[]) {
    this.#list = list.filter((part) => part !== null);
  }

  /** Rejects when a part cannot start; those before it run on until `stop`. */
  async start(): Promise<void> {
    for (const part of this.#list) part.open?.();
    const alongside = Promise.all(this.#list.map((part) => part.startAlongside?.()));
    alongside.catch(() => {}); // told below, unless another part fails before
    for (const part of this.#list) {
      if (this.#stopping) throw new StartError("Tidings was stopped during its start.");
      await part.start?.();
    }
    await alongside;
  }

  /** A part that does not stop well is told and does not keep the others from it. */
  async stop(): Promise<void> {
    this.#stopping = true;
    for (const part of this.#list.toReversed()) {
      try {
        await part.stop?.();
      } catch (error) {
        console.error(`stopping ${part.name}:`, error);
      }
    }
  }

  health(databaseAnswers: boolean): Record<string, boolean> {
    return Object.assign({}, ...this.#list.map((part) => part.health?.(databaseAnswers))) as Record<string, boolean>;
  }

  async gauges(): Promise<Gauge[]> {
    return (await Promise.all(this.#list.map((part) => part.gauges?.() ?? []))).flat();
  }
}
