export class Losses {
  readonly #counts = new Map<string, { count: number; many: (count: number) => string }>();

  add(one: string, many: (count: number) => string): void {
    const loss = this.#counts.get(one);
    if (loss === undefined) this.#counts.set(one, { count: 1, many });
    else loss.count++;
  }

  get sentences(): string[] {
    return [...this.#counts].map(([one, { count, many }]) => (count === 1 ? one : many(count)));
  }
}
