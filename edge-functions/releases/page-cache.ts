import { RecentlyUsed } from "#contract/rules/recently-used.ts";

/** A rendered answer, ready to be sent any number of times. */
export interface Rendered {
  type: string;
  body: ReturnType<TextEncoder["encode"]>;
  /** From the bytes: the same on every instance and after every deployment that renders the same. Weak, as who compresses keeps it. */
  etag: string;
  /** Headers of its own, for instance those that name it to shared caches. */
  more: Record<string, string>;
  /** The term of a search that found nothing. */
  missed?: string | undefined;
}

interface Entry {
  /** What it was rendered from: it may be sent while this is the same. */
  version: string;
  page: Rendered;
}

/** The present rendering of each address; the least recently sent go first once `maxBytes` are held. */
export class PageCache {
  readonly #entries: RecentlyUsed<Entry>;

  constructor(maxBytes: number) {
    this.#entries = new RecentlyUsed(maxBytes, ({ page }) => page.body.byteLength);
  }

  get(address: string, version: string): Rendered | undefined {
    const entry = this.#entries.get(address);
    return entry?.version === version ? entry.page : undefined;
  }

  set(address: string, version: string, page: Rendered): void {
    this.#entries.set(address, { version, page });
  }
}

export async function rendered(type: string, content: string | Rendered["body"], more: Record<string, string> = {}): Promise<Rendered> {
  const body = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", body));
  return { type, body, etag: `W/"${btoa(String.fromCharCode(...digest.subarray(0, 15)))}"`, more };
}
