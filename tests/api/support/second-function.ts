import { spawn } from "node:child_process";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { functionFlags } from "../../../supabase/local/engine/function-flags.ts";
import { freePort, type StackFile } from "../../support/stack.ts";

const root = path.resolve(import.meta.dirname, "../../..");

export interface SecondFunction {
  url: string;
  pid: number;
  stop(signal?: NodeJS.Signals): Promise<void>;
}

export const environmentOf = (stack: StackFile): Record<string, string> => ({
  SUPABASE_URL: stack.url,
  SUPABASE_PUBLISHABLE_KEYS: JSON.stringify({ default: stack.publishableKey }),
  SUPABASE_SECRET_KEYS: JSON.stringify({ default: stack.secretKey }),
  SUPABASE_DB_URL: stack.ownerUrl,
  SUPABASE_JWKS: JSON.stringify([{ kty: "oct", alg: "HS256", k: Buffer.from(stack.jwtSecret).toString("base64url") }]),
  TIDINGS_PUBLIC_URL: stack.publicUrl,
});

export async function startFunction(
  stack: StackFile,
  name: "api" | "presence" | "releases",
  env: Record<string, string> = {},
  moreFlags: string[] = [],
): Promise<SecondFunction> {
  const port = await freePort();
  const entrypoint = `edge-functions/${name}/index.${name === "releases" ? "tsx" : "ts"}`;
  const args = ["run", ...functionFlags, ...moreFlags, "--config", "edge-functions/deno.json", entrypoint];
  const child = spawn(path.join(root, "node_modules/.bin/deno"), args, {
    cwd: root,
    stdio: "ignore",
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      DENO_DIR: process.env.DENO_DIR,
      ...environmentOf(stack),
      DENO_SERVE_ADDRESS: `tcp:127.0.0.1:${port}`,
      ...env,
    },
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const url = `http://localhost:${port}`;
  for (let round = 0; round < 400; round++) {
    if (
      await fetch(url).then(
        () => true,
        () => false,
      )
    )
      return { url, pid: child.pid!, stop: (signal = "SIGTERM") => (child.kill(signal), ended) };
    await wait(25);
  }
  child.kill();
  throw new Error(`the second ${name} did not start`);
}
