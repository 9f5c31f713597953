import type { Bytes } from "../_shared/base64.ts";
import { bytesUpTo } from "../_shared/bytes-up-to.ts";
import { InFlight } from "../_shared/in-flight.ts";
import { RecentlyUsed } from "#contract/rules/recently-used.ts";

/** Limit of the bucket (supabase/schemas/86-og-images.sql). */
const maxBytes = 1_048_576;
const timeoutMs = 5_000;

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
    const answer = await fetch(this.#base + path, { signal: AbortSignal.timeout(timeoutMs) });
    if (!answer.ok) {
      await answer.body?.cancel();
      if (answer.status < 500 && answer.status !== 429) return null;
      throw new Error(`Storage responded with ${answer.status} for a social image`);
    }
    const buffer = await bytesUpTo(answer.body, maxBytes);
    if (buffer === null) return null;
    const bytes = new Uint8Array(buffer);
    this.#kept.set(path, bytes);
    return bytes;
  }
}
