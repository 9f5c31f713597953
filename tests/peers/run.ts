import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { missing } from "../image/podman.ts";
import { ensureChromium } from "../support/chromium.ts";
import { type RunningStack, startStack, toPrivate } from "../support/stack.ts";
import { generateClients } from "./clients.ts";
import { importRealFiles } from "./imports.ts";
import { fetchInspector, inspect } from "./inspector.ts";
import { tryNodes } from "./n8n.ts";
import { tryNginx } from "./nginx.ts";
import { tryPackages } from "./packages.ts";
import { type Made, newSession } from "./session.ts";

/**
 * `npm run peers`: tests the product with third-party programs. It isn't part of `npm test`, as it needs more than Node and Debian; parts without
 * their programs are skipped. `-- --only auth` runs one of `parts`.
 */
const root = path.resolve(import.meta.dirname, "../..");
const cache = path.join(root, ".peers");
const only = process.argv.includes("--only") ? process.argv[process.argv.indexOf("--only") + 1] : undefined;
const caddyVersion = "2.11.9";
const gotrueCommit = "bc32168e13fdc928c98b449fc76bc3fdb9a293c5";
const schemathesisVersion = "4.32.5";
const searchSeconds = 180;

type Outcome = boolean | string;

const parts: Record<string, () => Promise<Outcome>> = {
  auth: () => withGotrue(auth),
  identity: () => withGotrue(identity),
  "front-door": frontDoor,
  nginx,
  openapi,
  clients: () => onStack(generateClients),
  packages,
  n8n: () => onStack(tryNodes, toPrivate),
  imports: () => importRealFiles(cache),
  assistants,
  image,
};

const run = (command: string, args: string[], env: Record<string, string> = {}, cwd = root): Promise<boolean> => {
  const child = spawn(command, args, { cwd, stdio: "inherit", env: { ...process.env, ...env } });
  return new Promise((resolve) => {
    child.once("error", () => resolve(false));
    child.once("exit", (code) => resolve(code === 0));
  });
};

const runs = (program: string, ...args: string[]): boolean => spawnSync(program, args).status === 0;

const aboutSessions = /^(?:coming-in-.*|assistants|first-post|main-journey|never-lose-a-word|second-factor|session-expiry|team)\.test\.ts$/;

async function withGotrue(part: (env: Record<string, string>) => Promise<Outcome>): Promise<Outcome> {
  const program = process.env.GOTRUE_PATH ?? (await builtGotrue());
  if (program === null) return "Couldn't build GoTrue: Go or its source (GOTRUE_SOURCE) is missing. Or set GOTRUE_PATH to a program.";
  if (!runs(program, "version")) return `${program}(GOTRUE_PATH) doesn't run.`;
  return await part({ TIDINGS_AUTH: "gotrue", TIDINGS_AUTH_PROGRAM: path.resolve(program) });
}

async function identity(gotrue: Record<string, string>): Promise<Outcome> {
  const samlidp = path.join(cache, "samlidp");
  if (!runs("go", "version")) return "Go is missing, so the SAML provider can't be built.";
  if (!(await run("go", ["-C", path.join(root, "tests/peers/samlidp"), "build", "-o", samlidp, "."]))) return false;
  const files = ["tests/peers/identity.test.ts", "tests/peers/saml.test.ts", "tests/api/single-sign-on.test.ts"];
  return await run("npx", ["vitest", "run", "--silent=passed-only", ...files], { ...gotrue, SAMLIDP_PATH: samlidp });
}

async function auth(gotrue: Record<string, string>): Promise<Outcome> {
  if (!(await run("npm", ["run", "--silent", "build"]))) return false;
  const env = { ...gotrue, CHROMIUM_PATH: ensureChromium() };
  const without = ["--exclude", "tests/peers/{identity,saml}.test.ts"];
  const api = await run("npx", ["vitest", "run", "--project", "peers", "--project", "api", ...without], env);
  const files = fs.readdirSync(path.join(root, "tests/e2e")).filter((name) => aboutSessions.test(name));
  const e2e = await run("npx", ["playwright", "test", ...files.map((name) => `tests/e2e/${name}`), "--reporter=list"], env);
  return api && e2e;
}

/**
 * GoTrue, built from source; null if that fails. Cloned with git, as Go's proxy doesn't have it, from GOTRUE_SOURCE (a URL or folder) or upstream.
 */
async function builtGotrue(): Promise<string | null> {
  const folder = path.join(cache, `gotrue-${gotrueCommit.slice(0, 12)}`);
  const program = path.join(folder, "auth");
  if (runs(program, "version")) return program;
  if (!runs("go", "version")) return null;
  const source = process.env.GOTRUE_SOURCE ?? "https://github.com/supabase/auth";
  fs.rmSync(folder, { recursive: true, force: true });
  const steps: [string, string[]][] = [
    ["git", ["clone", "--quiet", "--no-checkout", source, folder]],
    ["git", ["-C", folder, "checkout", "--quiet", gotrueCommit]],
    ["go", ["-C", folder, "build", "-o", program, "."]],
  ];
  for (const [command, args] of steps) if (!(await run(command, args))) return null;
  return program;
}

async function frontDoor(): Promise<Outcome> {
  const folder = path.join(cache, `caddy-${caddyVersion}`);
  const program = path.join(folder, "caddy");
  if (!runs(program, "version")) {
    if (!runs("go", "version")) return "Go is missing, so Caddy can't be built.";
    if (!(await run("go", ["install", `github.com/caddyserver/caddy/v2/cmd/caddy@v${caddyVersion}`], { GOBIN: folder })))
      return "Couldn't build Caddy.";
  }
  return await run("npx", ["vitest", "run", "--project", "faults", "tests/faults/front-door.test.ts"], { CADDY_PATH: program });
}

async function nginx(): Promise<Outcome> {
  if (!runs("nginx", "-v")) return "nginx must be installed.";
  return await onStack(async (_, stack) => tryNginx(stack, await newSession(stack)));
}

async function openapi(): Promise<Outcome> {
  const folder = path.join(cache, `schemathesis-${schemathesisVersion}`);
  const program = path.join(folder, "bin/schemathesis");
  if (!runs(program, "--version")) {
    if (!runs("python3", "-m", "venv", "--help")) return "Python with venv is missing, so schemathesis can't run.";
    const made = await run("python3", ["-m", "venv", folder]);
    const pip = ["install", "--quiet", `schemathesis==${schemathesisVersion}`];
    if (!made || !(await run(path.join(folder, "bin/pip"), pip))) return "Couldn't install schemathesis.";
  }
  return await onStack((_, stack) => search(program, stack));
}

async function onStack(part: (cache: string, stack: RunningStack) => Promise<Outcome>, env = {}): Promise<Outcome> {
  const stack = await startStack({ env: { TIDINGS_RATE_LIMIT_SCALE: "1000", ...env } });
  try {
    return await part(cache, stack);
  } finally {
    await stack.stop();
  }
}

async function packages(): Promise<Outcome> {
  if (!(await run("npm", ["run", "--silent", "build"]))) return false;
  return await onStack(tryPackages);
}

async function assistants(): Promise<Outcome> {
  const inspector = await fetchInspector(cache);
  return typeof inspector === "string" ? inspector : await onStack((_, stack) => inspect(inspector.program, stack));
}

async function image(): Promise<Outcome> {
  const without = missing("podman", "podman-compose", "buildah", "debootstrap", "go");
  if (without.length > 0) return `${without.join(", ")} must be installed.`;
  ensureChromium();
  return await run("npx", ["vitest", "run", "--project", "image"]);
}

async function search(program: string, stack: RunningStack): Promise<boolean> {
  const made = await newSession(stack);
  const { token, key, workspaceId, postId } = made;
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "tidings-peers-"));
  const settings = path.join(folder, "schemathesis.toml");
  fs.writeFileSync(settings, parametersOf(workspaceId, postId));
  const place = [`${stack.url}/api/openapi.json`, "--url", stack.url];
  const checks = ["not_a_server_error", "status_code_conformance", "content_type_conformance", "response_schema_conformance"];
  // one worker: concurrent ones race on reading the functions' source in Python 3.11
  const how = ["--checks", checks.join(","), "--workers", "1", "--request-timeout", "30", "--generation-database", "none", "--no-color"];
  const kept = lasting.flatMap((id) => ["--exclude-operation-id", id]);
  const ask = (secret: string, seconds: number, paths: string[]) => {
    const args = ["--config-file", settings, "run", ...place, "--header", `Authorization: Bearer ${secret}`, ...how];
    return run(program, [...args, ...kept, ...paths, "--max-time", String(seconds)], {}, folder); // its folder for notes
  };
  const forKeys = "^/api/(v1/|mcp$)";
  const asPerson = await ask(token, searchSeconds, ["--exclude-path-regex", forKeys]);
  const asProgram = await ask(key, searchSeconds / 2, ["--include-path-regex", forKeys]);
  fs.rmSync(folder, { recursive: true, force: true });
  return asPerson && asProgram && (await areStillGood(stack, made));
}

async function areStillGood({ url }: RunningStack, { token, key, workspaceId }: Made): Promise<boolean> {
  const statusOf = async (address: string, secret: string) =>
    (await fetch(url + address, { headers: { authorization: `Bearer ${secret}` } })).status;
  const statuses = [await statusOf(`/api/dashboard/${workspaceId}/all`, token), await statusOf("/api/v1/key", key)];
  if (statuses.every((status) => status === 200)) return true;
  console.log(`openapi: after the search its session and its key are answered ${statuses.join(" and ")}.`);
  return false;
}

const lasting = [
  "auth_logout",
  "profiles_endSession",
  "profiles_endAccess",
  "apiKeys_revoke",
  "apiKeys_rotate",
  "workspaces_remove",
  "posts_remove",
];

/** Existing ids, as made-up ones only give 404. */
const parametersOf = (workspaceId: string, postId: string): string => `
[parameters]
"path.workspaceId" = "${workspaceId}"
"path.accountId" = "${workspaceId}"

[[operations]]
include-path-regex = "^/api/team/[{]id[}]"
parameters = { "path.id" = "${workspaceId}" }

[[operations]]
include-path-regex = "^/api/posts/[{]id[}]"
parameters = { "path.id" = "${postId}" }
`;

const outcomes: [string, Outcome][] = [];
for (const [name, part] of Object.entries(parts)) {
  if (only !== undefined && only !== name) continue;
  console.log(`\n── ${name}`);
  outcomes.push([name, await part()]);
}
console.log();
for (const [name, outcome] of outcomes)
  console.log(`${name}: ${typeof outcome === "string" ? `skipped. ${outcome}` : outcome ? "passed" : "FAILED"}`);
process.exitCode = outcomes.some(([, outcome]) => outcome === false) ? 1 : 0;
