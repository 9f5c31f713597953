interface Level {
  /** Bytes that are left; below zero after a large one. */
  left: number;
  at: number;
}

/** People whose budgets are kept; a full one is as good as none. */
const kept = 10_000;

/**
 * How many bytes each person may send and be sent: `size` at once, `perSecond` again. Counted in this process, because asking the database for
 * every save would cost more than it protects; each process protects itself.
 */
export class ByteBudget {
  readonly #levels = new Map<string, Level>();
  readonly #size: number;
  readonly #perSecond: number;
  readonly #now: () => number;

  constructor({ size, perSecond }: { size: number; perSecond: number }, now = () => performance.now()) {
    this.#size = size;
    this.#perSecond = perSecond;
    this.#now = now;
  }

  /** Seconds until this person may go on; 0 for now. What is larger than what is left leaves a debt. */
  wait(who: string): number {
    const { left } = this.#levelOf(who);
    return left > 0 ? 0 : (1 - left) / this.#perSecond;
  }

  charge(who: string, bytes: number): void {
    const { left, at } = this.#levelOf(who);
    this.#levels.delete(who);
    this.#levels.set(who, { left: left - bytes, at });
    const [oldest] = this.#levels.keys();
    if (this.#levels.size > kept && oldest !== undefined) this.#levels.delete(oldest);
  }

  #levelOf(who: string): Level {
    const now = this.#now();
    const { left, at } = this.#levels.get(who) ?? { left: this.#size, at: now };
    return { left: Math.min(this.#size, left + ((now - at) / 1_000) * this.#perSecond), at: now };
  }
}
