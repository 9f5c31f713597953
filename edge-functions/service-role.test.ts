import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const root = import.meta.dirname;
const files = globSync("**/*.{ts,tsx}", { cwd: root })
  .filter((file) => !file.includes(".test."))
  .sort();
const naming = (word: RegExp) => files.filter((file) => word.test(readFileSync(path.join(root, file), "utf8")));

test("the service role is used in the files that document it; three more use the key", () => {
  expect(naming(/\bserviceClient\b/)).toEqual([
    "_shared/backups.ts",
    "_shared/clients.ts",
    "_shared/discarded-files.ts",
    "_shared/domain-claims.ts",
    "_shared/jobs.ts",
    "_shared/key-uploads.ts",
    "_shared/network-seal.ts",
    "_shared/outbox.ts",
    "_shared/rate-limits.ts",
    "_shared/waiting-accounts.ts",
    "api/draw-pictures.ts",
    "api/factors/queries.ts",
    "api/identity/queries.ts",
    "api/webhooks/worker.ts",
  ]);
  expect(naming(/\bsecretKey\b/)).toEqual([
    "_shared/backups.ts",
    "_shared/clients.ts",
    "_shared/env.ts",
    "_shared/link-pictures.ts",
    "_shared/seal.ts",
    "api/identity/saml.ts",
    "presence/seal.ts",
  ]);
  expect(naming(/SUPABASE_(SECRET_KEYS|SERVICE_ROLE_KEY)/)).toEqual(["_shared/env.ts"]);
});

test("only the entrances of functions name Deno", () => {
  expect(naming(/\bDeno\./).filter((file) => !/^\w+\/index\.tsx?$/.test(file))).toEqual([]);
});

test("only the module for API keys sets a transaction's user; only the public pages set another role, anon", () => {
  expect(naming(/begin_key_call|admit_key/)).toEqual(["_shared/key-calls.ts"]);
  expect(naming(/request\.jwt|set_config|session authorization/i)).toEqual([]);
  expect(naming(/\bset (local )?role\b/i)).toEqual(["releases/queries/database.ts"]);
  expect(naming(/(from|import\()\s*"postgres"/)).toEqual(["_shared/key-calls.ts", "releases/queries/database.ts"]);
});
