import { RoundRobinQueue } from "./round-robin-queue.ts";

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
  readonly #waiting = new RoundRobinQueue<Waiting>();
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
    if (this.#waiting.isEmpty && this.#refilled() > 0) {
      this.#left -= bytes;
      return;
    }
    await new Promise<void>((goOn) => {
      this.#waiting.add(who, { bytes, goOn });
      this.#wake();
    });
  }

  #wake(): void {
    if (this.#isSet || this.#waiting.isEmpty) return;
    this.#isSet = true;
    const ms = Math.max(0, (1 - this.#refilled()) / this.#perSecond) * 1_000;
    this.#later(() => {
      this.#isSet = false;
      while (this.#refilled() > 0 && !this.#waiting.isEmpty) this.#next();
      this.#wake();
    }, ms);
  }

  #next(): void {
    const piece = this.#waiting.next();
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
