import type { Bytes } from "../_shared/base64.ts";
import { InFlight } from "../_shared/in-flight.ts";
import { readStoredFile } from "../_shared/stored-file.ts";
import { RecentlyUsed } from "#contract/rules/recently-used.ts";

/** Limit of the bucket (supabase/schemas/86-og-images.sql). */
const maxBytes = 1_048_576;

export class LinkPictures {
  readonly #base: string;
  readonly #kept: RecentlyUsed<Bytes>;
  readonly #reading = new InFlight<Bytes | null>();

  constructor(storageUrl: string, keptBytes: number) {
    this.#base = `${storageUrl}/storage/v1/object/public/link-pictures/`;
    this.#kept = new RecentlyUsed(keptBytes, ({ byteLength }) => byteLength);
  }

  async read(path: string): Promise<Bytes | null> {
    return this.#kept.get(path) ?? (await this.#reading.share(path, () => this.#fetch(path)));
  }

  async #fetch(path: string): Promise<Bytes | null> {
    const bytes = await readStoredFile(this.#base + path, maxBytes);
    if (bytes !== null) this.#kept.set(path, bytes);
    return bytes;
  }
}
