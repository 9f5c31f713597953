import { createHash, timingSafeEqual } from "node:crypto";
import { passHeader } from "#contract/services-pass.ts";

const bearer = /^bearer\s+(\S+)$/i;
const hash = (text: string): Buffer => createHash("sha256").update(text).digest();

/** Tells the functions' calls of REST and Storage, and those with the secret key, from what anybody else asks there. */
export function ownCalls(pass: string, secretKey: string): (headers: Headers) => boolean {
  const [passHash, keyHash] = [hash(pass), hash(secretKey)];
  return (headers) => {
    const shown = headers.get(passHeader);
    if (shown !== null) return timingSafeEqual(hash(shown), passHash);
    const keys = [headers.get("apikey"), bearer.exec(headers.get("authorization") ?? "")?.[1]];
    return keys.some((key) => key?.startsWith("sb_secret_") === true && timingSafeEqual(hash(key), keyHash));
  };
}
