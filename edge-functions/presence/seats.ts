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
