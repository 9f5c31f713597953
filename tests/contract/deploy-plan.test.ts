import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { planDeployment } from "../../scripts/deploy-plan.ts";

const root = path.resolve(import.meta.dirname, "../..");
const folder = mkdtempSync(path.join(tmpdir(), "tidings-plan-"));
afterAll(() => rmSync(folder, { recursive: true }));

const env = {
  SUPABASE_PROJECT_REF: "abcdefghijklmnopqrst",
  SUPABASE_ACCESS_TOKEN: "sbp_x",
  SUPABASE_DB_PASSWORD: "x",
  PUBLIC_URL: "https://tidings.example",
};

test("this repository can be deployed as it is", () => {
  const plan = planDeployment(root, env);
  expect(plan.problems).toEqual([]);
  expect(plan.functions.map(({ name }) => name).toSorted()).toEqual(["api", "presence", "releases"]);
  expect(plan.functions.every(({ files, bytes }) => files > 5 && bytes > 10_000)).toBe(true);
  expect(plan.secrets).toEqual(["PUBLIC_URL"]);
});

test("each missing value is one clear sentence", () => {
  expect(planDeployment(root, { OAUTH_PROVIDERS: "myspace", MAIL_API_URL: "https://mail.example" }).problems).toEqual([
    "SUPABASE_PROJECT_REF is missing: the part of the project's address before .supabase.co.",
    "SUPABASE_ACCESS_TOKEN is missing: a personal access token of the Supabase account.",
    "SUPABASE_DB_PASSWORD is missing: the password of the project's database.",
    "PUBLIC_URL is missing: the address people open the product at, such as https://tidings.example.",
    "OAUTH_PROVIDERS may name google and github, separated by commas.",
    "MAIL_FROM is missing: the sender of the mails that go to MAIL_API_URL.",
  ]);
  expect(planDeployment(root, { ...env, PUBLIC_URL: "http://tidings.example" }).problems).toEqual([
    "PUBLIC_URL must begin with https://: sessions are kept in Secure cookies.",
  ]);
});

test("what the CLI would not notice is noticed", () => {
  for (const name of ["supabase/config.toml", "supabase/migrations", "edge-functions", "contract"]) {
    cpSync(path.join(root, name), path.join(folder, name), { recursive: true });
  }
  rmSync(path.join(folder, "contract/limits.ts"));
  writeFileSync(path.join(folder, "edge-functions/presence/index.ts"), 'import chalk from "chalk";\n');
  writeFileSync(path.join(folder, "supabase/migrations/29990101_later.sql"), "");
  const { problems } = planDeployment(folder, env);
  expect(problems).toContain("Function api: limits.ts does not exist.");
  expect(problems).toContain("Function presence: index.ts imports chalk, which its import map does not name.");
  expect(problems).toContain("Migration 29990101_later.sql is not named as db push wants it.");
});
