import { auditNetwork } from "#contract/rules/audit-network.ts";
import { forwardedAddress } from "./client-address.ts";
import { serviceClient } from "./clients.ts";
import type { Env } from "./env.ts";

/** Keys by environment; failures aren't cached. */
const keys = new WeakMap<Env, Promise<CryptoKey | undefined>>();

/**
 * Signs the client's network for the audit log (supabase/schemas/81-audit.sql), because users can also reach hosted's PostgREST directly
 * and forge headers. The service role only reads the key. undefined without an address or key: the entry is written without a network.
 */
export async function sealNetwork(env: Env, headers: Headers, person: string): Promise<string | undefined> {
  const network = auditNetwork(forwardedAddress(headers, env.trustedProxies));
  const key = network === null ? undefined : await keyOf(env);
  if (!key) return undefined;
  const seconds = Math.floor(Date.now() / 1_000);
  const seal = await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(`${network} ${seconds} ${person}`));
  return `${network} ${seconds} ${Array.from(new Uint8Array(seal), (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

function keyOf(env: Env): Promise<CryptoKey | undefined> {
  const cached = keys.get(env);
  if (cached) return cached;
  const asking = askForKey(env).catch(() => {
    keys.delete(env);
    return undefined;
  });
  keys.set(env, asking);
  return asking;
}

async function askForKey(env: Env): Promise<CryptoKey> {
  const service = serviceClient(env);
  const { data } = await service.rpc("network_key").throwOnError();
  return await crypto.subtle.importKey("raw", new TextEncoder().encode(data), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
}
