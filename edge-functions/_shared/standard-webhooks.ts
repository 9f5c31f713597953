import { type Bytes, fromBase64, toBase64 } from "./base64.ts";

/** HMAC-SHA256 over id, timestamp and body; the key is `whsec_` and base64. Svix uses the same with other header names. */
export interface SignedParts {
  id: string;
  timestamp: number;
  body: Uint8Array;
}

const toleranceSeconds = 300;
/** Two during a key rotation; limits the work per request. */
const mostSignatures = 8;

export async function signWebhook(secret: string, parts: SignedParts): Promise<string> {
  const signature = await crypto.subtle.sign("HMAC", await keyOf(secret, "sign"), contentOf(parts));
  return `v1,${toBase64(new Uint8Array(signature))}`;
}

export async function verifyWebhook(
  secrets: readonly string[],
  headers: Headers,
  body: Uint8Array,
  nowMs = Date.now(),
): Promise<string | null> {
  const prefix = headers.has("webhook-id") ? "webhook" : "svix";
  const [id, time, signatures] = ["id", "timestamp", "signature"].map((name) => headers.get(`${prefix}-${name}`));
  if (!id || id.length > 200 || !/^\d{1,12}$/.test(time ?? "") || !signatures) return null;
  const timestamp = Number(time);
  if (Math.abs(nowMs / 1_000 - timestamp) > toleranceSeconds) return null;
  const content = contentOf({ id, timestamp: time!, body });
  for (const secret of secrets) {
    const key = await keyOf(secret, "verify");
    for (const candidate of signatures.split(" ", mostSignatures)) {
      const bytes = candidate.startsWith("v1,") ? fromBase64(candidate.slice(3)) : null;
      if (bytes && (await crypto.subtle.verify("HMAC", key, bytes, content))) return id;
    }
  }
  return null;
}

function contentOf({ id, timestamp, body }: Omit<SignedParts, "timestamp"> & { timestamp: number | string }): Bytes {
  const head = new TextEncoder().encode(`${id}.${timestamp}.`);
  const content = new Uint8Array(head.length + body.length);
  content.set(head);
  content.set(body, head.length);
  return content;
}

async function keyOf(secret: string, use: "sign" | "verify"): Promise<CryptoKey> {
  const bytes = fromBase64(secret.replace(/^whsec_/, ""));
  if (bytes === null || bytes.length === 0) throw new Error("a webhook's secret isn't whsec_ and base64");
  return await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, [use]);
}
