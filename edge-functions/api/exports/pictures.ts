import { imageMaxBytes } from "#contract/limits.ts";
import { bytesUpTo } from "../../_shared/bytes-up-to.ts";
import type { Env } from "../../_shared/env.ts";

export type ReadPicture = (url: string) => Promise<Uint8Array | null>;

const timeoutMs = 20_000;

/** A failed image must not end the export. */
export function picturesOf({ supabaseUrl }: Env): ReadPicture {
  return async (url) => {
    try {
      const answer = await fetch(supabaseUrl + url, { redirect: "error", signal: AbortSignal.timeout(timeoutMs) });
      if (!answer.ok) {
        await answer.body?.cancel();
        return null;
      }
      const bytes = await bytesUpTo(answer.body, imageMaxBytes);
      return bytes && new Uint8Array(bytes);
    } catch {
      return null;
    }
  };
}

export class PictureNames {
  readonly #names = new Map<string, string>();
  readonly #taken = new Set<string>();

  nameOf(url: string): { name: string; isNew: boolean } | null {
    if (!url.startsWith("/")) return null;
    const cached = this.#names.get(url);
    if (cached !== undefined) return { name: cached, isNew: false };
    const { pathname } = new URL(url, "http://here.invalid");
    const own = pathname.slice(pathname.lastIndexOf("/") + 1).replace(/[^\w.-]/g, "_") || "image";
    let name = own;
    for (let n = 2; this.#taken.has(name.toLowerCase()); n++) name = `${n}-${own}`;
    this.#taken.add(name.toLowerCase());
    this.#names.set(url, name);
    return { name, isNew: true };
  }
}
