interface Waiting {
  bytes: number;
  goOn: () => void;
}

/**
 * How fast long bodies come in: so many bytes a second of all together, a few at once. Taking them in is work, and who sends twenty files at once
 * would have all of the time; so whoever waits has a turn after one piece of each other person, not after all of theirs. Nobody is refused.
 */
export class BytePace {
  readonly #size: number;
  readonly #perSecond: number;
  readonly #now: () => number;
  readonly #later: (goOn: () => void, ms: number) => void;
  readonly #waiting = new Map<string, Waiting[]>();
  #left: number;
  #at: number;
  #isSet = false;

  constructor(
    { size, perSecond }: { size: number; perSecond: number },
    now = () => performance.now(),
    later = (goOn: () => void, ms: number): void => void setTimeout(goOn, ms),
  ) {
    [this.#size, this.#perSecond, this.#now, this.#later] = [size, perSecond, now, later];
    [this.#left, this.#at] = [size, now()];
  }

  /** Resolves when somebody's next piece has its turn. */
  async take(who: string, bytes: number): Promise<void> {
    if (this.#waiting.size === 0 && this.#refilled() > 0) {
      this.#left -= bytes;
      return;
    }
    await new Promise<void>((goOn) => {
      const mine = this.#waiting.get(who);
      if (mine) mine.push({ bytes, goOn });
      else this.#waiting.set(who, [{ bytes, goOn }]);
      this.#wake();
    });
  }

  #wake(): void {
    if (this.#isSet || this.#waiting.size === 0) return;
    this.#isSet = true;
    const ms = Math.max(0, (1 - this.#refilled()) / this.#perSecond) * 1_000;
    this.#later(() => {
      this.#isSet = false;
      while (this.#refilled() > 0 && this.#waiting.size > 0) this.#next();
      this.#wake();
    }, ms);
  }

  #next(): void {
    const [first] = this.#waiting;
    if (first === undefined) return;
    const [who, mine] = first;
    this.#waiting.delete(who);
    const piece = mine.shift();
    if (mine.length > 0) this.#waiting.set(who, mine); // behind everybody else who waits
    if (piece === undefined) return;
    this.#left -= piece.bytes;
    piece.goOn();
  }

  /** Bytes that are left now; below zero after a large piece. */
  #refilled(): number {
    const now = this.#now();
    this.#left = Math.min(this.#size, this.#left + ((now - this.#at) / 1_000) * this.#perSecond);
    this.#at = now;
    return this.#left;
  }
}
