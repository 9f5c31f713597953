const half = 25_000;

export class SeenToday {
  readonly #seed = crypto.getRandomValues(new Int32Array(2));
  #day = "";
  #present = new Set<number>();
  #older = new Set<number>();

  keyOf(day: string, report: string): number {
    if (day !== this.#day) {
      this.#day = day;
      this.#present = new Set();
      this.#older = new Set();
    }
    return mixed(report, this.#seed);
  }

  has(key: number): boolean {
    return this.#present.has(key) || this.#older.has(key);
  }

  add(key: number): void {
    if (this.#present.size >= half) {
      this.#older = this.#present;
      this.#present = new Set();
    }
    this.#present.add(key);
  }

  delete(key: number): void {
    this.#present.delete(key);
    this.#older.delete(key);
  }
}

/** 53-bit hash (cyrb53). Collisions are unlikely, and the seed is secret. */
function mixed(text: string, [seed = 0, other = 0]: Int32Array): number {
  let [a, b] = [0xdeadbeef ^ seed, 0x41c6ce57 ^ other];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    a = Math.imul(a ^ code, 2_654_435_761);
    b = Math.imul(b ^ code, 1_597_334_677);
  }
  a = Math.imul(a ^ (a >>> 16), 2_246_822_507) ^ Math.imul(b ^ (b >>> 13), 3_266_489_909);
  b = Math.imul(b ^ (b >>> 16), 2_246_822_507) ^ Math.imul(a ^ (a >>> 13), 3_266_489_909);
  return 2 ** 32 * (b & 0x1fffff) + (a >>> 0);
}
