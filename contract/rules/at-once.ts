interface Place {
  open: number;
  waiting: (() => void)[];
}

/** Works of which each person, or whatever else they belong to, has so many under way at once; the others wait, first come first served. */
export class AtOnce {
  readonly #places = new Map<string, Place>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  async run<Made>(who: string, work: () => Promise<Made>): Promise<Made> {
    const place = this.#places.get(who) ?? { open: 0, waiting: [] };
    this.#places.set(who, place);
    if (place.open < this.#most) place.open += 1;
    else await new Promise<void>((resolve) => place.waiting.push(resolve)); // takes over from one that ends
    try {
      return await work();
    } finally {
      const next = place.waiting.shift();
      if (next) next();
      else if (--place.open === 0) this.#places.delete(who);
    }
  }
}
