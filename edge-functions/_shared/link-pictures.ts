import { toBase64Url } from "./base64.ts";
import type { Env } from "./env.ts";

const timeoutMs = 15_000;

export async function askToDraw(env: Pick<Env, "supabaseUrl" | "secretKey">, subject: object): Promise<Response> {
  return await fetch(`${env.supabaseUrl}/functions/v1/og/draw`, {
    method: "POST",
    headers: { authorization: `Bearer ${await drawingKey(env)}`, "content-type": "application/json" },
    body: JSON.stringify(subject),
    signal: AbortSignal.timeout(timeoutMs),
  });
}

/** Shared secret with the og function, derived from the secret key. */
export async function drawingKey({ secretKey }: Pick<Env, "secretKey">): Promise<string> {
  const encode = (text: string) => new TextEncoder().encode(text);
  const key = await crypto.subtle.importKey("raw", encode(secretKey), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return toBase64Url(new Uint8Array(await crypto.subtle.sign("HMAC", key, encode("pictures for links"))));
}
