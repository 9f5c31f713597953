import { imageMaxBytes } from "#contract/limits.ts";
import type { Env } from "../../_shared/env.ts";
import { readStoredFile } from "../../_shared/stored-file.ts";

export type ReadPicture = (url: string) => Promise<Uint8Array | null>;

const timeoutMs = 20_000;

/** A failed image must not end the export. */
export const picturesOf =
  ({ supabaseUrl }: Env): ReadPicture =>
  (url) =>
    readStoredFile(supabaseUrl + url, imageMaxBytes, timeoutMs).catch(() => null);

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
