import { imageMaxBytes } from "#contract/limits.ts";
import { bytesUpTo } from "../../_shared/bytes-up-to.ts";
import type { Env } from "../../_shared/env.ts";

/** An image of our own storage, as the world may see it; null: it is not there. */
export type ReadPicture = (url: string) => Promise<Uint8Array | null>;

const patienceMs = 20_000;

/** One that cannot be had leaves a gap: a file of ten thousand posts does not end for it. */
export function picturesOf({ supabaseUrl }: Env): ReadPicture {
  return async (url) => {
    try {
      const answer = await fetch(supabaseUrl + url, { redirect: "error", signal: AbortSignal.timeout(patienceMs) });
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

/** Images by the names that they have in the archive: their own, told apart where two are called the same. */
export class PictureNames {
  readonly #names = new Map<string, string>();
  readonly #taken = new Set<string>();

  /** The name of an image, and whether it is the first time that it is asked for; null for one that is not ours to take along. */
  nameOf(url: string): { name: string; isNew: boolean } | null {
    if (!url.startsWith("/")) return null;
    const known = this.#names.get(url);
    if (known !== undefined) return { name: known, isNew: false };
    const { pathname } = new URL(url, "http://here.invalid");
    const own = pathname.slice(pathname.lastIndexOf("/") + 1).replace(/[^\w.-]/g, "_") || "image";
    let name = own;
    for (let n = 2; this.#taken.has(name.toLowerCase()); n++) name = `${n}-${own}`;
    this.#taken.add(name.toLowerCase());
    this.#names.set(url, name);
    return { name, isNew: true };
  }
}
