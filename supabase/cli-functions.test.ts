import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parse } from "smol-toml";
import { afterEach, expect, test } from "vitest";
import { freePort } from "../tests/support/stack.ts";
import { functionFlags } from "./local/engine/function-flags.ts";

/**
 * The environment of `supabase start`'s functions (apps/cli-go/internal/functions/serve of CLI 2.117); the keys are its public defaults.
 */
const root = path.resolve(import.meta.dirname, "..");
const config = parse(readFileSync(path.join(root, "supabase/config.toml"), "utf8")) as unknown as {
  functions: Record<string, { entrypoint: string; import_map: string }>;
  edge_runtime: { secrets: Record<string, string> };
};
const injected = {
  ...config.edge_runtime.secrets,
  SUPABASE_URL: "http://kong:8000",
  SUPABASE_ANON_KEY: "eyJhbGciOiJIUzI1NiJ9.e30.anon",
  SUPABASE_SERVICE_ROLE_KEY: "eyJhbGciOiJIUzI1NiJ9.e30.service",
  SUPABASE_DB_URL: "postgresql://postgres:postgres@db:5432/postgres",
  SUPABASE_JWKS: JSON.stringify({
    keys: [{ kty: "oct", k: Buffer.from("super-secret-jwt-token-with-at-least-32-characters-long").toString("base64url") }],
  }),
  SUPABASE_PUBLISHABLE_KEYS: JSON.stringify({ default: "sb_publishable_ACJWlzQHlZjBrEguHvfOxg_3BJgxAaH" }),
  SUPABASE_SECRET_KEYS: JSON.stringify({ default: "sb_secret_of_the_local_stack" }),
};

let child: ChildProcess | undefined;
afterEach(() => child?.kill());

test.each(Object.entries(config.functions))(
  "%s boots with the variables of the CLI's local stack",
  async (_name, { entrypoint, import_map }) => {
    const port = await freePort();
    const place = (file: string) => path.join(root, "supabase", file);
    const args = ["run", ...functionFlags, "--config", place(import_map), place(entrypoint)];
    const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...injected, DENO_SERVE_ADDRESS: `tcp:127.0.0.1:${port}` };
    const running = spawn(path.join(root, "node_modules/deno/deno"), args, { env, cwd: root, stdio: ["ignore", "pipe", "pipe"] });
    child = running;
    let output = "";
    for (const stream of [running.stdout, running.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
    let status = 0;
    for (let time = 0; status === 0 && running.exitCode === null && time < 600; time++) {
      status = await fetch(`http://127.0.0.1:${port}/nowhere`).then(
        (answer) => answer.status,
        () => 0,
      );
      await wait(100);
    }
    expect([status, output]).toEqual([expect.any(Number), expect.not.stringMatching(/is missing|error:/i)]);
    expect(status).toBeGreaterThanOrEqual(400);
  },
);
