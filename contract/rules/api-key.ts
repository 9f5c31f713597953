import { crc32 } from "./crc32.ts";

/** `tdk_`, 30 base62 characters (178 bits) and a CRC-32 in six: invalid keys are rejected without a database query. */
export const apiKeyPrefix = "tdk_";
const randomLength = 30;
const checkLength = 6;
const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const shape = new RegExp(`^${apiKeyPrefix}([0-9A-Za-z]{${randomLength}})([0-9A-Za-z]{${checkLength}})$`);
/** Rejection sampling: bytes from here on would favour the first letters. */
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

export function makeApiKey(bytes: (length: number) => Uint8Array = randomBytes): string {
  let random = "";
  while (random.length < randomLength) {
    for (const byte of bytes(2 * randomLength)) {
      if (byte < fairBytes && random.length < randomLength) random += alphabet[byte % 62]!;
    }
  }
  return apiKeyPrefix + random + checkOf(random);
}

export function isApiKey(text: string): boolean {
  const [, random, check] = shape.exec(text) ?? [];
  return random !== undefined && check === checkOf(random);
}

export const partsOfApiKey = (key: string): { start: string; last4: string } => ({ start: key.slice(0, 8), last4: key.slice(-4) });

/** SHA-256 in hex; enough for 178 random bits, which can't be brute-forced. */
export async function hashOfApiKey(key: string): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(key));
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
