import { RoundRobinQueue } from "./round-robin-queue.ts";

/** Somebody has as many works waiting as one person may have. */
export class QueueFull extends Error {
  override readonly name = "QueueFull";
}

/** A work is followed by a pause as long as it took, this long at most: half of the time belongs to everybody else. */
export const longestPauseMs = 100;

/**
 * Long works, one at a time, so that however many there are and whoever asks for them, short ones find the process free. Whoever waits has a
 * turn after one work of each other person, not after all of theirs.
 */
export class FairQueue {
  readonly #waiting = new RoundRobinQueue<() => void>();
  readonly #waitingEach: number;
  #busy = false;

  /** As many works of one person may wait; more are refused with QueueFull. */
  constructor(waitingEach = 8) {
    this.#waitingEach = waitingEach;
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
    if (!this.#busy) {
      this.#busy = true;
      return;
    }
    if (this.#waiting.countOf(who) >= this.#waitingEach) throw new QueueFull();
    await new Promise<void>((resolve) => this.#waiting.add(who, resolve));
  }

  #next(): void {
    const next = this.#waiting.next();
    if (next) next();
    else this.#busy = false;
  }
}
