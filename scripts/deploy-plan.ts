import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { parse } from "smol-toml";
import { z } from "zod";
import { readEnv } from "../edge-functions/_shared/env.ts";
import { type AuthSettings, authSettings } from "./auth-settings.ts";
import { readSignUpRule, type SignUpRule } from "../supabase/local/service/sign-up.ts";
import { dotenvLine } from "./dotenv-line.ts";

export interface Plan {
  migrations: string[];
  functions: { name: string; files: number; bytes: number }[];
  secrets: string[];
  unset: string[];
  auth: AuthSettings | null;
  /** Null while TIDINGS_SIGNUP or TIDINGS_OPERATOR_EMAIL is wrong. */
  signUp: SignUpRule | null;
  problems: string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

const configSchema = z.object({
  functions: z.record(z.string(), z.object({ entrypoint: z.string(), import_map: z.string(), verify_jwt: z.literal(false) })),
});

const twoProxies =
  "TIDINGS_TRUSTED_PROXIES must be 2 on hosted Supabase, where both the front door and Supabase name the client, and 3 with a CDN in front";

const project = z.object({
  SUPABASE_PROJECT_REF: z
    .string({ error: "SUPABASE_PROJECT_REF is missing: the part of the project's address before .supabase.co" })
    .min(1),
  SUPABASE_ACCESS_TOKEN: z.string({ error: "SUPABASE_ACCESS_TOKEN is missing: a personal access token of the Supabase account" }).min(1),
  SUPABASE_DB_PASSWORD: z.string({ error: "SUPABASE_DB_PASSWORD is missing: the password of the project's database" }).min(1),
  TIDINGS_TRUSTED_PROXIES: z.string({ error: twoProxies }).regex(/^[2-9]$/, { error: twoProxies }),
});

export const secretNames = [
  "TIDINGS_PUBLIC_URL",
  "TURNSTILE_SITE_KEY",
  "TIDINGS_ANALYTICS_SRC",
  "TIDINGS_OAUTH_PROVIDERS",
  "TIDINGS_SECURITY_CONTACT",
  "TIDINGS_MAIL_TRANSPORT",
  "TIDINGS_MAIL_API_URL",
  "TIDINGS_MAIL_API_KEY",
  "TIDINGS_MAIL_SMTP_URL",
  "TIDINGS_MAIL_FROM",
  "TIDINGS_MAIL_RATE",
  "TIDINGS_MAIL_FIRST_WEEK",
  "TIDINGS_MAIL_SUBSCRIPTIONS",
  "TIDINGS_MAIL_EVENTS_SECRET",
  "TIDINGS_MAIL_EVENTS_SIGNING_SECRET",
  "TIDINGS_MAIL_EVENTS_LOGIN",
  "TIDINGS_MAIL_DKIM_SELECTOR",
  "TIDINGS_WEBHOOKS_TO_PRIVATE",
  "TIDINGS_CERTIFICATE_AUTHORITIES",
  "TIDINGS_IMPORTS_TO_PRIVATE",
  "TIDINGS_BACKUPS_TO_PRIVATE",
  "TIDINGS_ASSISTANTS_TO_PRIVATE",
  "TIDINGS_SIGN_ON_TO_PRIVATE",
  "TIDINGS_TRUSTED_PROXIES",
  "JWT_SECRET",
];

export interface Deployable {
  name: string;
  entrypoint: string;
  importMap: string;
  sources: string[];
}

/** Functions with all our files that they import. */
export function deployable(root: string): Deployable[] {
  const { functions } = configSchema.parse(parse(readFileSync(path.join(root, "supabase/config.toml"), "utf8")));
  return Object.entries(functions).map(([name, { entrypoint, import_map: map }]) => {
    const files = filesOf(path.join(root, "supabase", entrypoint), importsOf(path.join(root, "supabase", map)), () => {});
    const sources = [...files].map((file) => path.relative(root, file)).toSorted();
    return { name, entrypoint: path.join("supabase", entrypoint), importMap: path.join("supabase", map), sources };
  });
}

/** Hosted Supabase sets these for every function. */
const setByHosted = {
  SUPABASE_URL: "https://project.supabase.co",
  SUPABASE_PUBLISHABLE_KEYS: '{"default":"x"}',
  SUPABASE_SECRET_KEYS: '{"default":"x"}',
  SUPABASE_DB_URL: "postgresql://x",
};

/** Limit: hosted Supabase takes bundles of up to 20 MB, packages included. */
const largestFunction = 5_000_000;

export function planDeployment(root: string, env: Environment): Plan {
  const problems = problemsOfEnvironment(env);
  const config = configSchema.safeParse(parse(readFileSync(path.join(root, "supabase/config.toml"), "utf8")));
  if (!config.success) problems.push(...config.error.issues.map(({ path: at, message }) => `config.toml, ${at.join(".")}: ${message}.`));
  const functions = Object.entries(config.data?.functions ?? {}).map(([name, { entrypoint, import_map: map }]) => {
    const imports = existsSync(path.join(root, "supabase", map)) ? importsOf(path.join(root, "supabase", map)) : null;
    if (!imports) problems.push(`Function ${name}: its import map ${map} doesn't exist.`);
    const files = filesOf(path.join(root, "supabase", entrypoint), imports ?? {}, (problem) =>
      problems.push(`Function ${name}: ${problem}`),
    );
    const bytes = [...files].reduce((sum, file) => sum + readFileSync(file).length, 0);
    if (bytes > largestFunction) problems.push(`Function ${name}: ${bytes} bytes of source are more than ${largestFunction}.`);
    return { name, files: files.size, bytes };
  });
  const migrations = readdirSync(path.join(root, "supabase/migrations")).toSorted();
  problems.push(...problemsOfMigrations(migrations));
  const auth = settingsOfAuth(root, env, (problem) => problems.push(problem));
  const signUp = signUpOf(env, (problem) => problems.push(problem));
  return {
    migrations,
    functions,
    secrets: secretNames.filter((name) => env[name]),
    unset: secretNames.filter((name) => !env[name]),
    auth,
    signUp,
    problems,
  };
}

function settingsOfAuth(root: string, env: Environment, report: (problem: string) => void): AuthSettings | null {
  if (!URL.canParse(env.TIDINGS_PUBLIC_URL ?? "")) return null;
  try {
    return authSettings(root, env);
  } catch (error) {
    if (error instanceof z.ZodError) for (const { path: at, message } of error.issues) report(`config.toml, ${at.join(".")}: ${message}.`);
    else report(`config.toml: ${(error as Error).message}.`);
    return null;
  }
}

function signUpOf(env: Environment, report: (problem: string) => void): SignUpRule | null {
  try {
    return readSignUpRule(env, "invited");
  } catch (error) {
    report((error as Error).message);
    return null;
  }
}

const together = [
  { first: "SMTP_HOST", needs: ["SMTP_USER", "SMTP_PASS", "SMTP_FROM"], what: "the SMTP server for sign-up emails" },
  { first: "GOOGLE_CLIENT_ID", needs: ["GOOGLE_SECRET"], what: "signing in with Google" },
  { first: "GITHUB_CLIENT_ID", needs: ["GITHUB_SECRET"], what: "signing in with GitHub" },
];

function problemsOfEnvironment(env: Environment): string[] {
  const problems = project.safeParse(env).error?.issues.map(({ message }) => `${message}.`) ?? [];
  const values: Environment = { ...env, ...setByHosted };
  try {
    const { publicUrl } = readEnv((name) => values[name]);
    if (!publicUrl.startsWith("https:")) problems.push("TIDINGS_PUBLIC_URL must begin with https://: sessions are kept in Secure cookies.");
  } catch (error) {
    problems.push(...(error as Error).message.split("\n").map((line) => `${line}.`));
  }
  const unwritable = secretNames.filter((name) => dotenvLine(name, env[name] ?? "") === null);
  problems.push(...unwritable.map((name) => `${name} must be one line without one kind of quotes, ' or \`, because it travels in a file.`));
  for (const { first, needs, what } of together) {
    const missing = env[first] ? needs.filter((name) => !env[name]) : [];
    problems.push(...missing.map((name) => `${name} is missing: ${what} needs it beside ${first}.`));
  }
  const mails = ["TIDINGS_MAIL_API_URL", "TIDINGS_MAIL_SMTP_URL", "TIDINGS_MAIL_TRANSPORT"].find((name) => env[name]);
  if (mails && !env.TIDINGS_MAIL_FROM) problems.push(`TIDINGS_MAIL_FROM is missing: the sender of emails through ${mails}.`);
  if (/:(?:25|587)\/?$/.test(env.TIDINGS_MAIL_SMTP_URL ?? "") || /^smtp:\/\/[^/]*[^\d]\/?$/.test(env.TIDINGS_MAIL_SMTP_URL ?? ""))
    problems.push("TIDINGS_MAIL_SMTP_URL must use another port, such as smtps://…:465. Hosted functions can't reach 25 and 587.");
  return problems;
}

function problemsOfMigrations(names: string[]): string[] {
  const wrong = names
    .filter((name) => !/^\d{14}_\w+\.sql$/.test(name))
    .map((name) => `Migration ${name} isn't named like 20260101000000_name.sql.`);
  const versions = names.map((name) => name.slice(0, 14));
  const twice = versions
    .filter((version, index) => versions.indexOf(version) !== index)
    .map((version) => `Two migrations have version ${version}.`);
  return [...wrong, ...twice];
}

type Imports = Record<string, string>;

const importsOf = (map: string): Imports => {
  const { imports } = JSON.parse(readFileSync(map, "utf8")) as { imports: Imports };
  const local = ([, target]: [string, string]) => target.startsWith(".");
  return Object.fromEntries(
    Object.entries(imports).map(([name, target]) => [name, local([name, target]) ? path.resolve(path.dirname(map), target) : target]),
  );
};

/** Same files as `functions deploy --use-api`: follows imports from the entrypoint. */
function filesOf(entrypoint: string, imports: Imports, report: (problem: string) => void): Set<string> {
  const found = new Set<string>();
  const waiting = [entrypoint];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (found.has(file)) continue;
    if (!existsSync(file)) {
      report(`${path.basename(file)} doesn't exist.`);
      continue;
    }
    found.add(file);
    for (const specifier of specifiersIn(readFileSync(file, "utf8"))) {
      const target = resolve(specifier, file, imports);
      if (target === null) report(`${path.basename(file)} imports ${specifier}, which its import map doesn't contain.`);
      else if (target.startsWith("/")) waiting.push(target);
    }
  }
  return found;
}

const specifiersIn = (source: string): string[] =>
  [...source.matchAll(/^\s*(?:import|export)\b[^"';]*?from\s+"([^"]+)"|^import\s+"([^"]+)"|\bimport\("([^"]+)"\)/gm)].flatMap(
    ([, from, bare, later]) => from ?? bare ?? later ?? [],
  );

/** Absolute path of our own file, name of a package, or null. */
function resolve(specifier: string, from: string, imports: Imports): string | null {
  if (specifier.startsWith(".")) return path.resolve(path.dirname(from), specifier);
  const key = Object.keys(imports).find((name) => name === specifier || (name.endsWith("/") && specifier.startsWith(name)));
  if (key === undefined) return null;
  const target = imports[key]!;
  return target.startsWith("/") ? path.join(target, specifier.slice(key.length)) : target;
}
