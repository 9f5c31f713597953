import { type Bytes, fromBase64, toBase64 } from "./base64.ts";
import type { Env } from "./env.ts";

const ivBytes = 12;

/**
 * Encrypts secrets of webhooks, buckets, authenticator apps and identity providers at rest, which must be readable to be used. The key is derived from the
 * functions' secret key and bound to purpose and row, so database access neither reveals nor transfers a secret.
 */
export class Seal {
  readonly #key: Promise<CryptoKey>;

  constructor({ secretKey }: Pick<Env, "secretKey">, purpose: "webhooks" | "backups" | "factors" | "identity") {
    this.#key = keyOf(secretKey, purpose);
    this.#key.catch(() => {}); // the rejection surfaces where the key is used
  }

  async close(row: string, secret: string): Promise<string> {
    const iv = crypto.getRandomValues(new Uint8Array(ivBytes));
    const closed = await crypto.subtle.encrypt(forOne(row, iv), await this.#key, new TextEncoder().encode(secret));
    return toBase64(new Uint8Array([...iv, ...new Uint8Array(closed)]));
  }

  /** null if it can't be decrypted: another secret key, or another row. */
  async open(row: string, sealed: string): Promise<string | null> {
    const bytes = fromBase64(sealed);
    if (bytes === null) return null;
    try {
      const opened = await crypto.subtle.decrypt(forOne(row, bytes.slice(0, ivBytes)), await this.#key, bytes.slice(ivBytes));
      return new TextDecoder().decode(opened);
    } catch {
      return null;
    }
  }
}

const forOne = (row: string, iv: Bytes) => ({ name: "AES-GCM", iv, additionalData: new TextEncoder().encode(row) });

async function keyOf(secretKey: string, purpose: string): Promise<CryptoKey> {
  const encoder = new TextEncoder();
  const source = await crypto.subtle.importKey("raw", encoder.encode(secretKey), "HKDF", false, ["deriveKey"]);
  const derivation = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(32), info: encoder.encode(purpose) };
  return await crypto.subtle.deriveKey(derivation, source, { name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
}

/** Deterministic pseudo-random bytes for a purpose and a text, derived from the secret key. */
export async function secretsFrom(
  { secretKey }: Pick<Env, "secretKey">,
  purpose: "assistants" | "questions",
  text: string,
  length: number,
): Promise<Bytes> {
  const encoder = new TextEncoder();
  const source = await crypto.subtle.importKey("raw", encoder.encode(secretKey), "HKDF", false, ["deriveBits"]);
  const hkdf = { name: "HKDF", hash: "SHA-256", salt: encoder.encode(purpose), info: encoder.encode(text) };
  return new Uint8Array(await crypto.subtle.deriveBits(hkdf, source, length * 8));
}
