interface Place {
  open: number;
  waiting: Set<() => void>;
}

/** A semaphore for each key, such as a person: at most so many of its works run at once, the others wait in the order they came (FIFO). */
export class KeyedSemaphore {
  readonly #places = new Map<string, Place>();
  readonly #most: (who: string) => number;

  /** `most` may differ from key to key, and change: it is asked whenever a work begins or ends. Less than one counts as one. */
  constructor(most: number | ((who: string) => number)) {
    this.#most = typeof most === "number" ? () => most : most;
  }

  /** Whoever is gone by `signal` while he waits leaves the queue: his work never begins, and he gets the signal's reason. */
  async run<Made>(who: string, work: () => Promise<Made>, signal?: AbortSignal): Promise<Made> {
    signal?.throwIfAborted();
    const place = this.#places.get(who) ?? { open: 0, waiting: new Set() };
    this.#places.set(who, place);
    if (place.open < this.#mostOf(who)) place.open += 1;
    else await turn(place.waiting, signal); // the work that ended has already counted this one
    try {
      return await work();
    } finally {
      place.open -= 1;
      const most = this.#mostOf(who);
      for (const begin of place.waiting) {
        if (place.open >= most) break;
        place.open += 1;
        begin();
      }
      if (place.open === 0) this.#places.delete(who);
    }
  }

  #mostOf(who: string): number {
    return Math.max(1, this.#most(who));
  }
}

/** Waits among the others until it is called, which takes it out, or is gone. */
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
    signal?.addEventListener("abort", leave);
  });
}
