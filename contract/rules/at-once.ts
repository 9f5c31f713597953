interface Place {
  open: number;
  waiting: (() => void)[];
}

/** Works of which each person, or whatever else they belong to, has so many under way at once; the others wait, first come first served. */
export class AtOnce {
  readonly #places = new Map<string, Place>();
  readonly #most: (who: string) => number;

  /** `most` may differ from one to the other, and change: it is asked at each beginning and end. One is always under way. */
  constructor(most: number | ((who: string) => number)) {
    this.#most = typeof most === "number" ? () => most : most;
  }

  async run<Made>(who: string, work: () => Promise<Made>): Promise<Made> {
    const place = this.#places.get(who) ?? { open: 0, waiting: [] };
    this.#places.set(who, place);
    if (place.open < this.#mostOf(who)) place.open += 1;
    else await new Promise<void>((resolve) => place.waiting.push(resolve)); // one that ends has counted it
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
