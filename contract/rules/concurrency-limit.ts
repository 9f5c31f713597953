/** As many works of one key wait as may; whoever comes behind them should try again in a second. */
export class QueueFull extends Error {
  override readonly name = "QueueFull";
}

interface Line {
  underWay: number;
  /** In the order in which they came. */
  waiting: Set<() => void>;
}

/**
 * How many works of one key (a person, a client address, a workspace) are under way at once. Further ones wait in order, and are refused with
 * QueueFull once `waiting` of them do.
 */
export class ConcurrencyLimit {
  readonly #lines = new Map<string, Line>();
  readonly #underWay: number;
  readonly #waiting: number;

  constructor({ underWay, waiting = Infinity }: { underWay: number; waiting?: number }) {
    this.#underWay = underWay;
    this.#waiting = waiting;
  }

  /** Rejects with the signal's reason if it is aborted while the work waits: the work never begins then. */
  async run<Made>(key: string, work: () => Promise<Made>, signal?: AbortSignal): Promise<Made> {
    signal?.throwIfAborted();
    const line = this.#lines.get(key) ?? { underWay: 0, waiting: new Set() };
    this.#lines.set(key, line);
    if (line.underWay < this.#underWay) line.underWay += 1;
    else if (line.waiting.size >= this.#waiting) throw new QueueFull();
    else await turn(line.waiting, signal); // takes the place of the work that ended
    try {
      return await work();
    } finally {
      const [next] = line.waiting;
      if (next) next();
      else line.underWay -= 1;
      if (line.underWay === 0) this.#lines.delete(key);
    }
  }
}

function turn(waiting: Set<() => void>, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      waiting.delete(begin);
      reject(signal?.reason as Error);
    };
    const begin = () => {
      waiting.delete(begin);
      signal?.removeEventListener("abort", leave);
      resolve();
    };
    waiting.add(begin);
    signal?.addEventListener("abort", leave, { once: true });
  });
}
