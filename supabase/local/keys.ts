import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";

/** Secrets of one data folder; hosted Supabase makes the same kinds per project. */
export interface Keys {
  /** Signs the access tokens (HS256). */
  jwtSecret: string;
  /** For browsers: role anon. */
  publishableKey: string;
  /** For servers: role service_role. */
  secretKey: string;
  /** Database passwords of the superuser supabase_admin and of the role postgres. */
  adminPassword: string;
  ownerPassword: string;
}

const random = (bytes: number) => randomBytes(bytes).toString("base64url");

/** The folder's keys, made on first use and readable by its owner only. */
export function loadKeys(dataDir: string): Keys {
  const file = path.join(dataDir, "keys.json");
  if (fs.existsSync(file)) return JSON.parse(fs.readFileSync(file, "utf8")) as Keys;
  const keys: Keys = {
    jwtSecret: random(48),
    publishableKey: `sb_publishable_${random(24)}`,
    secretKey: `sb_secret_${random(24)}`,
    adminPassword: random(24),
    ownerPassword: random(24),
  };
  fs.writeFileSync(file, JSON.stringify(keys, null, 2), { mode: 0o600 });
  return keys;
}

/** The signing key as a JWK set, as SUPABASE_JWKS carries it on hosted. */
export function jwksOf(keys: Keys): string {
  const k = Buffer.from(keys.jwtSecret).toString("base64url");
  return JSON.stringify({ keys: [{ kty: "oct", alg: "HS256", use: "sig", kid: "embedded", k }] });
}
