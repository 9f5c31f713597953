/** Lets all who want the same made at once wait for the first of them, who makes it; a change under load costs one rendering, not one a reader. */
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
