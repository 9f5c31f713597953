import { RoundRobinQueue } from "./round-robin-queue.ts";

/** Somebody has as many works waiting as one person may have. */
export class QueueFull extends Error {
  override readonly name = "QueueFull";
}

/** A work is followed by a pause as long as it took, this long at most: half of the time belongs to everybody else. */
export const longestPauseMs = 100;

/**
 * Long works, one at a time or a few, so that however many there are and whoever asks for them, short ones find the process free. Whoever waits has a
 * turn after one work of each other person, not after all of theirs.
 */
export class FairQueue {
  readonly #waiting = new RoundRobinQueue<() => void>();
  readonly #waitingEach: number;
  readonly #atOnce: number;
  #underWay = 0;

  /** As many works of one person may wait, more are refused with QueueFull; `atOnce` are done at a time. */
  constructor(waitingEach = 8, atOnce = 1) {
    this.#waitingEach = waitingEach;
    this.#atOnce = atOnce;
  }

  async run<Made>(who: string, work: () => Promise<Made>): Promise<Made> {
    await this.#turn(who);
    const began = performance.now();
    try {
      return await work();
    } finally {
      setTimeout(() => this.#next(), Math.min(performance.now() - began, longestPauseMs));
    }
  }

  async #turn(who: string): Promise<void> {
    if (this.#underWay < this.#atOnce) {
      this.#underWay += 1;
      return;
    }
    if (this.#waiting.countOf(who) >= this.#waitingEach) throw new QueueFull();
    await new Promise<void>((resolve) => this.#waiting.add(who, resolve));
  }

  #next(): void {
    const next = this.#waiting.next();
    if (next) next();
    else this.#underWay -= 1;
  }
}
