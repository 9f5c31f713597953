import { RecentlyUsed } from "#contract/rules/recently-used.ts";

export interface Rendered {
  type: string;
  body: ReturnType<TextEncoder["encode"]>;
  /** Content hash, equal on all instances. Weak, so proxies may compress. Another one for noindex, because a 304 keeps a proxy's stored headers. */
  etag: string;
  more: Record<string, string>;
  missed?: string | undefined;
}

interface Entry {
  version: string;
  page: Rendered;
}

/** LRU cache by address, up to `maxBytes`. */
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
  const mark = more["x-robots-tag"] === undefined ? "" : "-noindex";
  return { type, body, etag: `W/"${btoa(String.fromCharCode(...digest.subarray(0, 15)))}${mark}"`, more };
}
