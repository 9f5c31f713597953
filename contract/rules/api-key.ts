import { crc32 } from "./crc32.ts";

/**
 * An API key: `tdk_`, 30 characters of base62 (178 bits) and six that are the CRC-32 of those, so that a scanner of secrets knows one when it
 * sees it, and what is no key is refused without a question to the database.
 */
export const apiKeyPrefix = "tdk_";
const randomLength = 30;
const checkLength = 6;
const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const shape = new RegExp(`^${apiKeyPrefix}([0-9A-Za-z]{${randomLength}})([0-9A-Za-z]{${checkLength}})$`);
/** The multiples of 62 below 256: a byte from here on would make the first letters of the alphabet more likely. */
const fairBytes = 248;

function checkOf(random: string): string {
  let rest = crc32(new TextEncoder().encode(random));
  let check = "";
  for (let place = 0; place < checkLength; place++) {
    check = alphabet[rest % 62]! + check;
    rest = Math.floor(rest / 62);
  }
  return check;
}

const randomBytes = (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length));

/** A new key. `bytes` answers that many random ones. */
export function makeApiKey(bytes: (length: number) => Uint8Array = randomBytes): string {
  let random = "";
  while (random.length < randomLength) {
    for (const byte of bytes(2 * randomLength)) {
      if (byte < fairBytes && random.length < randomLength) random += alphabet[byte % 62]!;
    }
  }
  return apiKeyPrefix + random + checkOf(random);
}

/** Whether a text can be a key at all: its form and its check. */
export function isApiKey(text: string): boolean {
  const [, random, check] = shape.exec(text) ?? [];
  return random !== undefined && check === checkOf(random);
}

/** What is shown of a key after it was shown once: its first eight characters and its last four. */
export const partsOfApiKey = (key: string): { start: string; last4: string } => ({ start: key.slice(0, 8), last4: key.slice(-4) });

/** What is kept of a key, as hex: of 178 random bits a plain SHA-256 is enough, nobody tries them. */
export async function hashOfApiKey(key: string): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(key));
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
