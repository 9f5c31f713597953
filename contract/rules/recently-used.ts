export class RecentlyUsed<Value> {
  readonly #most: number;
  readonly #weightOf: (value: Value, key: string) => number;
  readonly #entries = new Map<string, Value>();
  #weight = 0;

  /** `weightOf` (bytes or characters) must be stable per value. */
  constructor(most: number, weightOf: (value: Value, key: string) => number) {
    this.#most = most;
    this.#weightOf = weightOf;
  }

  has(key: string): boolean {
    return this.#entries.has(key);
  }

  get(key: string): Value | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  set(key: string, value: Value): void {
    this.delete(key);
    this.#entries.set(key, value);
    this.#weight += this.#weightOf(value, key);
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.#most || oldest === key) break;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    const value = this.#entries.get(key);
    if (value === undefined) return;
    this.#weight -= this.#weightOf(value, key);
    this.#entries.delete(key);
  }
}
