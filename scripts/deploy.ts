import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type AuthSettings, pushAuthSettings, pushSignUpRule, shownSetting } from "./auth-settings.ts";
import { planDeployment } from "./deploy-plan.ts";
import { dotenvLine } from "./dotenv-line.ts";
import { adoptFormerNames } from "../supabase/local/former-names.ts";
import { operatorLink, type SignUpRule } from "../supabase/local/service/sign-up.ts";

/**
 * `npm run deploy` pushes migrations, secrets and functions to a hosted project (docs/self-hosting.md) with the Supabase CLI. `--
 * --dry-run` checks without the network.
 */
const root = path.resolve(import.meta.dirname, "..");
const before = 'what came before it stays, and "npm run deploy" can run again.';
adoptFormerNames();
const { migrations, functions, secrets, unset, auth, signUp, problems } = planDeployment(root, process.env);

console.log(`Migrations  ${migrations.length}, the last is ${migrations.at(-1)}`);
for (const { name, files, bytes } of functions)
  console.log(`Function    ${name}: ${files} files, ${(bytes / 1_000).toFixed(0)} kB of source`);
console.log(`Secrets     ${secrets.join(", ") || "none"}`);
if (unset.length > 0) console.log(`Unset       ${unset.join(", ")}, where the project has them`);
for (const [name, value] of Object.entries(auth ?? {})) console.log(`Auth        ${name} = ${shownSetting(name, value)}`);

if (signUp) console.log(`Sign-up     ${[signUp.mode, ...signUp.domains].join(" ")}, operator: ${signUp.operatorEmail ?? "by a link"}`);

if (problems.length > 0) {
  console.error(problems.map((problem) => `\n${problem}`).join(""));
  process.exitCode = 1;
} else if (process.argv.includes("--dry-run")) console.log("\nEverything that can be checked here is in order; nothing was pushed.");
else await push(process.env.SUPABASE_PROJECT_REF!, auth ?? {}, signUp!);

async function push(project: string, settings: AuthSettings, rule: SignUpRule): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), "tidings-deploy-")); // security: other users of this machine can read arguments
  const file = path.join(folder, "secrets.env");
  const lines = secrets.map((name) => dotenvLine(name, process.env[name]!));
  writeFileSync(file, [dotenvLine("NODE_ENV", "production"), ...lines].join(""), { mode: 0o600 }); // React's faster build
  try {
    supabase("link", "--project-ref", project);
    supabase("db", "push", "--include-all", "--yes");
    const operatorToken = await pushRule(rule);
    supabase("secrets", "set", "--env-file", file);
    const stale = secretsOfProject().filter((name) => unset.includes(name));
    if (stale.length > 0) supabase("secrets", "unset", ...stale, "--yes");
    await pushSettings(settings);
    supabase("functions", "deploy", "--use-api");
    if (operatorToken !== null)
      console.log(
        `\nOperator    ${operatorLink(new URL(process.env.TIDINGS_PUBLIC_URL!).origin, operatorToken)}\n            makes the operator's account, once`,
      );
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** `supabase config push` would set config.toml's http://localhost:3000 as the project's URL. */
async function pushSettings(settings: AuthSettings): Promise<void> {
  console.log("\nsettings of the auth service");
  await pushAuthSettings(settings, process.env).catch((error: unknown) => {
    throw new Error(`${(error as Error).message}\nSetting up the auth service failed; ${before}`);
  });
}

/** Token of the operator's link. */
async function pushRule(rule: SignUpRule): Promise<string | null> {
  console.log("\nsign-up rule");
  return await pushSignUpRule(rule, process.env).catch((error: unknown) => {
    throw new Error(`${(error as Error).message}\nSetting who can sign up failed; ${before}`);
  });
}

function supabase(...step: string[]): void {
  console.log(`\nsupabase ${step.slice(0, 2).join(" ")}`);
  if (spawnSync("npx", ["supabase", ...step], { cwd: root, stdio: "inherit" }).status !== 0) throw failed(step);
}

function secretsOfProject(): string[] {
  const step = ["secrets", "list", "--output", "json"];
  const { status, stdout } = spawnSync("npx", ["supabase", ...step], {
    cwd: root,
    stdio: ["inherit", "pipe", "inherit"],
    encoding: "utf8",
  });
  if (status !== 0) throw failed(step);
  return (JSON.parse(stdout) as { name: string }[]).map(({ name }) => name);
}

function failed(step: string[]): Error {
  return new Error(`supabase ${step.slice(0, 2).join(" ")} failed; ${before}`);
}
