/** Sockets of one person in one workspace, by this worker: the newest stay, because an older one may be of a connection that is long lost. */
export class Seats<Seat> {
  readonly #most: number;
  readonly #taken = new Map<string, Set<Seat>>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Answers who has to go for it, if anybody. */
  take(person: string, seat: Seat): Seat | undefined {
    const seats = this.#taken.get(person) ?? new Set();
    this.#taken.set(person, seats.add(seat));
    if (seats.size <= this.#most) return undefined;
    const [oldest] = seats;
    seats.delete(oldest!);
    return oldest;
  }

  leave(person: string, seat: Seat): void {
    const seats = this.#taken.get(person);
    seats?.delete(seat);
    if (seats?.size === 0) this.#taken.delete(person);
  }
}

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
