/** At most `max` calls in any `windowMs`. */
export class CallBudget {
  readonly #max: number;
  readonly #windowMs: number;
  #times: number[] = [];

  constructor(max: number, windowMs: number) {
    this.#max = max;
    this.#windowMs = windowMs;
  }

  /** Takes one call and answers 0, or answers how many milliseconds to wait for the next. */
  take(now: number): number {
    this.#times = this.#times.filter((time) => now - time < this.#windowMs);
    if (this.#times.length >= this.#max) return this.#times[0]! + this.#windowMs - now;
    this.#times.push(now);
    return 0;
  }
}
