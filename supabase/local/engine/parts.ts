import { StartError } from "../start-error.ts";

export interface Part {
  name: string;
  open?(): void;
  start?(): Promise<void>;
  /** As `start`, but in parallel with other parts. */
  startAlongside?(): Promise<void>;
  /** Also called if the part started partially or not at all. */
  stop?(): Promise<void> | void;
  /** Health by the names of /healthz. The database is queried once for all parts. */
  health?(databaseAnswers: boolean): Record<string, boolean>;
  gauges?(): Gauge[] | Promise<Gauge[]>;
}

export interface Gauge {
  name: string;
  help: string;
  value: number | null;
  labels?: Record<string, string>;
}

export class Parts {
  readonly #list: readonly Part[];
  #stopping = false;

  constructor(list: (Part | null)[]) {
    this.#list = list.filter((part) => part !== null);
  }

  async start(): Promise<void> {
    for (const part of this.#list) part.open?.();
    const alongside = Promise.all(this.#list.map((part) => part.startAlongside?.()));
    alongside.catch(() => {}); // reported below, unless another part fails first
    for (const part of this.#list) {
      if (this.#stopping) throw new StartError("Tidings was stopped during its start.");
      await part.start?.();
    }
    await alongside;
  }

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
