/** Deduplicates concurrent work by key, so a change under load is rendered once. */
export class InFlight<Made> {
  readonly #running = new Map<string, Promise<Made>>();

  share(key: string, make: () => Promise<Made>): Promise<Made> {
    const running = this.#running.get(key);
    if (running !== undefined) return running;
    const begun = make().finally(() => this.#running.delete(key));
    this.#running.set(key, begun);
    return begun;
  }
}
