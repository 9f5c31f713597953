import type { Bytes } from "./base64.ts";
import { bytesUpTo } from "./bytes-up-to.ts";

/** A public file of our Storage; null if it's missing or larger than `maxBytes`. Throws if Storage fails. */
export async function readStoredFile(url: string, maxBytes: number, timeoutMs = 5_000): Promise<Bytes | null> {
  const response = await fetch(url, { redirect: "error", signal: AbortSignal.timeout(timeoutMs) });
  if (response.ok) {
    const bytes = await bytesUpTo(response.body, maxBytes);
    return bytes && new Uint8Array(bytes);
  }
  await response.body?.cancel();
  if (response.status < 500 && response.status !== 429) return null;
  throw new Error(`Storage responded with ${response.status}`);
}
