import {
  createLocalJWKSet,
  createRemoteJWKSet,
  decodeProtectedHeader,
  importJWK,
  jwtVerify,
  type JWTPayload,
  type JWTVerifyOptions,
} from "jose";
import { z } from "zod";
import type { Env } from "./env.ts";

/** Who a valid access token speaks for. `expiresAt` is in milliseconds since 1970. */
export interface Identity {
  id: string;
  email: string;
  token: string;
  expiresAt: number;
}

/** Answers null for every token that is not a valid session of this project, whatever is wrong with it. */
export type VerifyToken = (token: string) => Promise<Identity | null>;

const claims = z.object({ sub: z.uuid(), email: z.string().default(""), role: z.literal("authenticated"), exp: z.number() });
/** A good token is not checked again for a moment; what it opens is read from the database at every request. */
const rememberedMs = 30_000;
const rememberedTokens = 1_000;
const options: JWTVerifyOptions = { audience: "authenticated", clockTolerance: 5 };

/**
 * Checks tokens locally. The algorithm decides the key, never the other way round: HS256 only with the symmetric key of
 * SUPABASE_JWKS, ES256 and RS256 only with public keys; so a public key can not be passed off as a secret.
 */
export function createTokenVerifier(env: Pick<Env, "jwks" | "supabaseUrl">): VerifyToken {
  const symmetric = env.jwks.find((key) => key.kty === "oct");
  const secret = symmetric && importJWK(symmetric, "HS256");
  const published = env.jwks.filter((key) => key.kty !== "oct");
  const publicKeys =
    published.length > 0
      ? createLocalJWKSet({ keys: published as { kty: string }[] })
      : createRemoteJWKSet(new URL(`${env.supabaseUrl}/auth/v1/.well-known/jwks.json`));

  const check = async (token: string): Promise<JWTPayload> => {
    if (decodeProtectedHeader(token).alg !== "HS256") {
      return (await jwtVerify(token, publicKeys, { ...options, algorithms: ["ES256", "RS256"] })).payload;
    }
    if (!secret) throw new Error("this project signs its tokens with a public key");
    return (await jwtVerify(token, await secret, { ...options, algorithms: ["HS256"] })).payload;
  };

  const known = new Map<string, { identity: Identity; until: number }>();
  return async (token) => {
    const now = Date.now();
    const earlier = known.get(token);
    if (earlier && earlier.until > now) return earlier.identity;
    known.delete(token);
    const payload = claims.safeParse(await check(token).catch(() => null));
    if (!payload.success) return null;
    const { sub, email, exp } = payload.data;
    const identity = { id: sub, email, token, expiresAt: exp * 1_000 };
    if (known.size >= rememberedTokens) known.delete(known.keys().next().value!); // the oldest
    known.set(token, { identity, until: Math.min(now + rememberedMs, identity.expiresAt) });
    return identity;
  };
}
