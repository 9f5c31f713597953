/** A rendered answer, ready to be sent any number of times. */
export interface Rendered {
  status: 200 | 404;
  type: string;
  body: ReturnType<TextEncoder["encode"]>;
  /** Strong, from the bytes: the same on every instance and after every deployment that renders the same. */
  etag: string;
}

/** Rendered answers by what they were rendered from; the least recently sent go first once `maxBytes` are held. */
export class PageCache {
  readonly #entries = new Map<string, Rendered>();
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get(key: string): Rendered | undefined {
    const entry = this.#entries.get(key);
    if (entry !== undefined) {
      this.#entries.delete(key);
      this.#entries.set(key, entry);
    }
    return entry;
  }

  set(key: string, entry: Rendered): void {
    this.#drop(key);
    this.#entries.set(key, entry);
    this.#bytes += entry.body.byteLength;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#maxBytes || oldest === key) break;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    this.#bytes -= this.#entries.get(key)?.body.byteLength ?? 0;
    this.#entries.delete(key);
  }
}

export async function rendered(type: string, text: string, status: 200 | 404 = 200): Promise<Rendered> {
  const body = new TextEncoder().encode(text);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", body));
  const etag = `"${btoa(String.fromCharCode(...digest.subarray(0, 15)))}"`;
  return { status, type, body, etag };
}
