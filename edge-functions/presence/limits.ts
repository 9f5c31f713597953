/** Socket limit per person, workspace and worker; the oldest, possibly dead one is displaced. */
export class Seats<Seat> {
  readonly #most: number;
  readonly #taken = new Map<string, Set<Seat>>();

  constructor(most: number) {
    this.#most = most;
  }

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

/** Sliding window: at most `max` calls in `windowMs`. */
export class CallBudget {
  readonly #max: number;
  readonly #windowMs: number;
  #times: number[] = [];

  constructor(max: number, windowMs: number) {
    this.#max = max;
    this.#windowMs = windowMs;
  }

  take(now: number): number {
    this.#times = this.#times.filter((time) => now - time < this.#windowMs);
    if (this.#times.length >= this.#max) return this.#times[0]! + this.#windowMs - now;
    this.#times.push(now);
    return 0;
  }
}
