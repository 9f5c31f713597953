import { hashOfApiKey, makeApiKey, partsOfApiKey } from "#contract/rules/api-key.ts";
import { toBase64Url } from "../../_shared/base64.ts";
import type { Env } from "../../_shared/env.ts";
import { secretsFrom } from "../../_shared/seal.ts";

/** 256 random bits with a prefix for secret scanners. */
const shapeOf = (prefix: string) => new RegExp(`^${prefix}[A-Za-z0-9_-]{43}$`);
const codeShape = shapeOf("tdc_");
const refreshShape = shapeOf("tdr_");

export const isCode = (text: string): boolean => codeShape.test(text);
export const isRefreshToken = (text: string): boolean => refreshShape.test(text);
export const makeCode = (): string => `tdc_${toBase64Url(crypto.getRandomValues(new Uint8Array(32)))}`;

/** Hex; plain SHA-256 suffices for random input. */
export const hashOf = hashOfApiKey;

export interface AssistantSecrets {
  access: string;
  refresh: string;
  kept: { hash: string; start: string; last4: string; refresh_hash: string };
}

const bytesOfRefresh = 32;
const bytesOfAccess = 480; // more than a key needs, even with rejected bytes

export const newSecrets = (): Promise<AssistantSecrets> =>
  secretsOf(crypto.getRandomValues(new Uint8Array(bytesOfRefresh + bytesOfAccess)));

/** Rotation is deterministic: a repeated refresh gets the same tokens without storing them. Derived from the functions' secret key. */
export async function nextSecrets(env: Env, refresh: string): Promise<AssistantSecrets> {
  return await secretsOf(await secretsFrom(env, "assistants", refresh, bytesOfRefresh + bytesOfAccess));
}

async function secretsOf(bytes: Uint8Array): Promise<AssistantSecrets> {
  const refresh = `tdr_${toBase64Url(bytes.slice(0, bytesOfRefresh))}`;
  let taken = bytesOfRefresh;
  const access = makeApiKey((length) => bytes.slice(taken, (taken += length)));
  const [hash, refresh_hash] = await Promise.all([hashOf(access), hashOf(refresh)]);
  return { access, refresh, kept: { hash, refresh_hash, ...partsOfApiKey(access) } };
}

export async function challengeOf(verifier: string): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  return toBase64Url(new Uint8Array(hash));
}
