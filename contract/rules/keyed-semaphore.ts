interface Place {
  open: number;
  waiting: (() => void)[];
}

/** A semaphore for each key, such as a person: at most so many of its works run at once, the others wait in the order they came (FIFO). */
export class KeyedSemaphore {
  readonly #places = new Map<string, Place>();
  readonly #most: (who: string) => number;

  /** `most` may differ from key to key, and change: it is asked whenever a work begins or ends. Less than one counts as one. */
  constructor(most: number | ((who: string) => number)) {
    this.#most = typeof most === "number" ? () => most : most;
  }

  async run<Made>(who: string, work: () => Promise<Made>): Promise<Made> {
    const place = this.#places.get(who) ?? { open: 0, waiting: [] };
    this.#places.set(who, place);
    if (place.open < this.#mostOf(who)) place.open += 1;
    else await new Promise<void>((resolve) => place.waiting.push(resolve)); // the work that ended has already counted this one
    try {
      return await work();
    } finally {
      place.open -= 1;
      for (const most = this.#mostOf(who); place.open < most && place.waiting.length > 0; place.open += 1) place.waiting.shift()!();
      if (place.open === 0) this.#places.delete(who);
    }
  }

  #mostOf(who: string): number {
    return Math.max(1, this.#most(who));
  }
}
