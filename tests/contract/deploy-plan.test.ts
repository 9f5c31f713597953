import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseEnv } from "node:util";
import { afterAll, describe, expect, test } from "vitest";
import { planDeployment } from "../../scripts/deploy-plan.ts";

const root = path.resolve(import.meta.dirname, "../..");
const folder = mkdtempSync(path.join(tmpdir(), "tidings-plan-"));
afterAll(() => rmSync(folder, { recursive: true }));

const env = {
  SUPABASE_PROJECT_REF: "abcdefghijklmnopqrst",
  SUPABASE_ACCESS_TOKEN: "sbp_x",
  SUPABASE_DB_PASSWORD: "x",
  PUBLIC_URL: "https://tidings.example",
  TRUSTED_PROXIES: "2",
};

test("this repository can be deployed as it is", () => {
  const plan = planDeployment(root, env);
  expect(plan.problems).toEqual([]);
  expect(plan.functions.map(({ name }) => name).toSorted()).toEqual(["api", "presence", "releases"]);
  expect(plan.functions.every(({ files, bytes }) => files > 5 && bytes > 10_000)).toBe(true);
  expect(plan.secrets).toEqual(["PUBLIC_URL", "TRUSTED_PROXIES"]);
  expect(plan.unset).toContain("TURNSTILE_SITE_KEY");
});

test("each missing value is one clear sentence", () => {
  expect(planDeployment(root, { OAUTH_PROVIDERS: "myspace", MAIL_API_URL: "https://mail.example" }).problems).toEqual([
    "SUPABASE_PROJECT_REF is missing: the part of the project's address before .supabase.co.",
    "SUPABASE_ACCESS_TOKEN is missing: a personal access token of the Supabase account.",
    "SUPABASE_DB_PASSWORD is missing: the password of the project's database.",
    "TRUSTED_PROXIES must be 2 on hosted Supabase, where both the front door and Supabase name the client, and 3 with a CDN in front.",
    "PUBLIC_URL is missing: the address people open the product at, such as https://tidings.example.",
    "OAUTH_PROVIDERS may name google and github, separated by commas.",
    "MAIL_FROM is missing: the sender of the mails that go to MAIL_API_URL.",
  ]);
  expect(planDeployment(root, { ...env, PUBLIC_URL: "http://tidings.example" }).problems).toEqual([
    "PUBLIC_URL must begin with https://: sessions are kept in Secure cookies.",
  ]);
  expect(planDeployment(root, { ...env, TRUSTED_PROXIES: "1" }).problems).toHaveLength(1); // everybody would be the front door
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

describe("npm run deploy", () => {
  /** Runs it with a Supabase CLI that answers like the real one and writes down what it is asked. */
  function deploy(settings: Record<string, string>, fails = ""): { code: number | null; output: string; calls: string[]; sent: string } {
    const calls = path.join(folder, "calls");
    const sent = path.join(folder, "sent");
    for (const file of [calls, sent]) writeFileSync(file, "");
    const cli = `#!/bin/sh
echo "$*" >> "${calls}"
[ "$2 $3" = "${fails}" ] && exit 1
[ "$2 $3" = "secrets set" ] && cat "$5" >> "${sent}"
[ "$2 $3" = "secrets list" ] && echo '[{"name":"NODE_ENV"},{"name":"PUBLIC_URL"},{"name":"SUPABASE_URL"},{"name":"TURNSTILE_SITE_KEY"}]'
exit 0
`;
    mkdirSync(path.join(folder, "bin"), { recursive: true });
    writeFileSync(path.join(folder, "bin/npx"), cli, { mode: 0o755 });
    const { status, stdout, stderr } = spawnSync(process.execPath, ["scripts/deploy.ts", ...(settings.DRY ? ["--dry-run"] : [])], {
      cwd: root,
      env: { ...env, ...settings, PATH: `${path.join(folder, "bin")}:${process.env.PATH}` },
      encoding: "utf8",
    });
    const asked = readFileSync(calls, "utf8")
      .replaceAll(/(?<=--env-file )\S+/g, "…")
      .trim();
    return { code: status, output: stdout + stderr, calls: asked === "" ? [] : asked.split("\n"), sent: readFileSync(sent, "utf8") };
  }

  test("sets what has a value and unsets what was turned off, but nothing that is not ours", () => {
    const { code, calls, sent } = deploy({ TURNSTILE_SITE_KEY: "" });
    expect([code, calls]).toEqual([
      0,
      [
        "supabase link --project-ref abcdefghijklmnopqrst",
        "supabase db push --include-all --yes",
        "supabase secrets set --env-file …",
        "supabase secrets list --output json",
        "supabase secrets unset TURNSTILE_SITE_KEY --yes",
        "supabase functions deploy --use-api",
      ],
    ]);
    expect(parseEnv(sent)).toEqual({ NODE_ENV: "production", PUBLIC_URL: "https://tidings.example", TRUSTED_PROXIES: "2" });
  });

  test.each(['"Tidings, Inc." <hello@tidings.example>', 'it\'s \\n "so" $HOME #1', "back`tick and 'quote'"])(
    "sends %s as it is",
    (sender) => {
      const { sent } = deploy({ MAIL_API_URL: "https://mail.example", MAIL_FROM: sender });
      expect(parseEnv(sent)).toMatchObject({ MAIL_FROM: sender });
    },
  );

  test.each(["two\nlines", `all of '"\``])("refuses a value that no file can carry: %j", (sender) => {
    const { code, output, calls } = deploy({ MAIL_API_URL: "https://mail.example", MAIL_FROM: sender });
    expect([code, calls]).toEqual([1, []]);
    expect(output).toContain("MAIL_FROM must be one line without one kind of quotes");
  });

  test("unsets nothing where nothing was turned off", () => {
    const { code, calls } = deploy({ TURNSTILE_SITE_KEY: "0x4AAA" });
    expect([code, calls.filter((call) => call.includes("unset"))]).toEqual([0, []]);
  });

  test("the dry run says what would be unset, and calls nobody", () => {
    const { output, calls } = deploy({ DRY: "1", TURNSTILE_SITE_KEY: "" });
    expect(output).toMatch(/^Secrets +PUBLIC_URL, TRUSTED_PROXIES$/m);
    expect(output).toMatch(/^Unset +TURNSTILE_SITE_KEY, .*MAIL_FROM, where the project has them$/m);
    expect(calls).toEqual([]);
  });

  test.each(["db push", "secrets list", "secrets unset"])("stops where %s fails", (step) => {
    const { code, output, calls } = deploy({}, step);
    expect(code).toBe(1);
    expect(output).toContain(`supabase ${step} failed; what came before it stays, and "npm run deploy" can run again.`);
    expect(calls.at(-1)).toMatch(new RegExp(`^supabase ${step}`));
  });
});
