export class QueueFull extends Error {
  override readonly name = "QueueFull";
}

interface Queue {
  underWay: number;
  waiting: Set<() => void>;
}

/** A concurrency limit for each key, such as a person or a client address. Further tasks wait in order; beyond `waiting` they reject with QueueFull. */
export class ConcurrencyLimit {
  readonly #queues = new Map<string, Queue>();
  readonly #underWay: number;
  readonly #waiting: number;

  constructor({ underWay, waiting = Infinity }: { underWay: number; waiting?: number }) {
    this.#underWay = underWay;
    this.#waiting = waiting;
  }

  /** Rejects with the signal's reason if it is aborted while the task waits; the task then never starts. */
  async run<Result>(key: string, task: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    signal?.throwIfAborted();
    const queue = this.#queues.get(key) ?? { underWay: 0, waiting: new Set() };
    this.#queues.set(key, queue);
    if (queue.underWay < this.#underWay) queue.underWay += 1;
    else if (queue.waiting.size >= this.#waiting) throw new QueueFull();
    else await turn(queue.waiting, signal); // inherits the slot of the task that ended
    try {
      return await task();
    } finally {
      const [next] = queue.waiting;
      if (next) next();
      else queue.underWay -= 1;
      if (queue.underWay === 0) this.#queues.delete(key);
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
