import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  decodeProtectedHeader,
  errors,
  importJWK,
  jwtVerify,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
} from "jose";
import { z } from "zod";
import type { Env } from "./env.ts";
import { AppError } from "./errors.ts";
import { log, type Log } from "./log.ts";

export interface Identity {
  id: string;
  email: string;
  token: string;
  expiresAt: number;
}

/**
 * null for any invalid token; throws unavailable if the project's keys can't be fetched. `ignoreExpiration` also accepts expired tokens.
 */
export type VerifyToken = (token: string, options?: { ignoreExpiration: boolean }) => Promise<Identity | null>;

const claims = z.object({ sub: z.uuid(), email: z.string().default(""), role: z.literal("authenticated"), exp: z.number() });
/** Cache of verified tokens; permissions are read from the database on every request. */
const rememberedMs = 30_000;
const rememberedTokens = 1_000;
const verifyOptions: JWTVerifyOptions = { audience: "authenticated", clockTolerance: 5 };

/** Local verification. HS256 only with a symmetric key, ES256 and RS256 only with public keys: prevents algorithm confusion. */
export function createTokenVerifier(env: Pick<Env, "jwks" | "supabaseUrl">, write: Log = log): VerifyToken {
  const symmetric = env.jwks.find((key) => key.kty === "oct");
  const secret = symmetric && importJWK(symmetric, "HS256");
  const publicKeys = publicKeysOf(env);
  let isSaid = false;

  const check = async (token: string): Promise<JWTPayload> => {
    if (decodeProtectedHeader(token).alg !== "HS256") {
      return (await jwtVerify(token, publicKeys, { ...verifyOptions, algorithms: ["ES256", "RS256"] })).payload;
    }
    if (!secret && !isSaid) {
      isSaid = true;
      write({ event: "warning", message: "a session signed with HS256 was refused: no symmetric key in SUPABASE_JWKS, no JWT_SECRET" });
    }
    if (!secret) throw new Error("this project signs its tokens with a public key");
    return (await jwtVerify(token, await secret, { ...verifyOptions, algorithms: ["HS256"] })).payload;
  };

  const cache = new Map<string, { identity: Identity; until: number }>();
  return async (token, { ignoreExpiration } = { ignoreExpiration: false }) => {
    const now = Date.now();
    const earlier = cache.get(token);
    if (earlier && earlier.until > now) return earlier.identity;
    cache.delete(token);
    const { payload, hasExpired } = await check(token).then(stillHolds, whyRefused);
    const parsed = claims.safeParse(payload);
    if (!parsed.success || (hasExpired && !ignoreExpiration)) return null;
    const { sub, email, exp } = parsed.data;
    const identity = { id: sub, email, token, expiresAt: exp * 1_000 };
    if (hasExpired) return identity;
    if (cache.size >= rememberedTokens) cache.delete(cache.keys().next().value!);
    cache.set(token, { identity, until: Math.min(now + rememberedMs, identity.expiresAt) });
    return identity;
  };
}

interface Checked {
  payload: JWTPayload | null;
  hasExpired: boolean;
}

const stillHolds = (payload: JWTPayload): Checked => ({ payload, hasExpired: false });

/** jose checks `exp` last, so the other claims of an expired token are valid. */
function whyRefused(error: unknown): Checked {
  if (error instanceof AppError) throw error;
  const hasExpired = error instanceof errors.JWTExpired;
  return { payload: hasExpired ? error.payload : null, hasExpired };
}

/** Keys of the environment, then the project's JWKS for rotated ones. */
function publicKeysOf({ jwks, supabaseUrl }: Pick<Env, "jwks" | "supabaseUrl">): JWTVerifyGetKey {
  const configured = createLocalJWKSet({ keys: jwks.filter((key) => key.kty !== "oct") as { kty: string }[] });
  const published = createRemoteJWKSet(new URL(`${supabaseUrl}/auth/v1/.well-known/jwks.json`), {
    timeoutDuration: keysPatienceMs,
    [customFetch]: fetchingKeys(),
  });
  return async (header, token) => {
    try {
      return await configured(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      return await published(header, token);
    }
  };
}

const keysPatienceMs = 3_000;
const failureMs = 2_000;

/** jose has a cooldown but retries at once after failures; unknown keys would then cause a request each. */
function fetchingKeys() {
  let quietUntil = 0;
  const failed = (cause: unknown): AppError => {
    quietUntil = Date.now() + failureMs;
    return new AppError("unavailable", { retryAfter: failureMs / 1_000, cause });
  };
  return async (url: string, init: RequestInit): Promise<Response> => {
    if (Date.now() < quietUntil) throw new AppError("unavailable", { retryAfter: 1, cause: "couldn't fetch the project's keys" });
    const response = await fetch(url, init).catch((error: unknown) => {
      throw failed(error);
    });
    if (response.status >= 500) throw failed(new Error(`the project's keys: status ${response.status}`));
    return response.status === 200 ? response : Response.json({ keys: [] });
  };
}
