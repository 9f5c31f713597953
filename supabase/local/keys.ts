import { generateKeyPairSync, randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { readJson, replaceFile } from "./engine/lifecycle.ts";
import { StartError } from "./start-error.ts";

export interface Keys {
  jwtSecret: string;
  /** For browsers: role anon. */
  publishableKey: string;
  secretKey: string;
  adminPassword: string;
  ownerPassword: string;
  /** RSA (PKCS #1, DER, Base64), created when GoTrue first needs it. */
  samlKey?: string;
}

const random = (bytes: number) => randomBytes(bytes).toString("base64url");

export const newKeys = (): Keys => ({
  jwtSecret: random(48),
  publishableKey: `sb_publishable_${random(24)}`,
  secretKey: `sb_secret_${random(24)}`,
  adminPassword: random(24),
  ownerPassword: random(24),
});

/** The folder's keys, created on first use. Throws a StartError if they're invalid, or missing beside an existing database. */
export function loadKeys(dataDir: string): Keys {
  const file = path.join(dataDir, "keys.json");
  if (fs.existsSync(file)) {
    const keys = readJson<Keys>(file);
    const isWhole = Object.keys(newKeys()).every(
      (name) => typeof keys?.[name as keyof Keys] === "string" && keys[name as keyof Keys] !== "",
    );
    if (keys === null || !isWhole) throw new StartError(`The keys in ${file} are broken; put the file back from a backup.`);
    return keys;
  }
  if (fs.existsSync(path.join(dataDir, "postgres"))) {
    throw new StartError(`${file} is missing, and the database beside it needs its keys; put the file back from a backup.`);
  }
  const keys = newKeys();
  replaceFile(file, JSON.stringify(keys, null, 2));
  return keys;
}

/** Signs the requests to SAML providers; they may know its certificate. */
export function loadSamlKey(dataDir: string): string {
  const keys = loadKeys(dataDir);
  if (keys.samlKey !== undefined) return keys.samlKey;
  const { privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2_048,
    publicKeyEncoding: { type: "spki", format: "der" },
    privateKeyEncoding: { type: "pkcs1", format: "der" },
  });
  const samlKey = privateKey.toString("base64");
  replaceFile(path.join(dataDir, "keys.json"), JSON.stringify({ ...keys, samlKey }, null, 2));
  return samlKey;
}

/** The signing key as a JWK set, like hosted's SUPABASE_JWKS; empty if the project uses its own key. */
export function jwksOf(keys: Keys): string {
  if (keys.jwtSecret === "") return JSON.stringify({ keys: [] });
  const k = Buffer.from(keys.jwtSecret).toString("base64url");
  return JSON.stringify({ keys: [{ kty: "oct", alg: "HS256", use: "sig", kid: "embedded", k }] });
}
