import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { freePort } from "../../tests/support/stack.ts";

const timeoutMs = 120_000;

export async function tryProduct(archive: string, version: string): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "tidings-release-"));
  execFileSync("tar", ["-xzf", archive, "-C", folder, "--strip-components=1"]);
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const env = { PATH: `${path.dirname(process.execPath)}:/usr/bin:/bin:/usr/sbin:/sbin`, HOME: folder, PORT: String(port) };
  const product = spawn("node", ["supabase/local/cli.js", "start"], { cwd: folder, env, stdio: "inherit" });
  const ended = once(product, "exit");
  try {
    await answers(product, `${url}/releases?workspace=demo`, "</article>");
    await answers(product, `${url}/healthz`, `"status":"ok","version":"${version}"`);
  } finally {
    product.kill("SIGTERM");
    await ended;
    rmSync(folder, { recursive: true });
  }
}

async function answers(product: ChildProcess, address: string, text: string): Promise<void> {
  const end = Date.now() + timeoutMs;
  while (!(await bodyOf(address)).includes(text)) {
    if (product.exitCode !== null || Date.now() > end) throw new Error(`The unpacked product doesn't answer ${address} with ${text}.`);
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
}

async function bodyOf(address: string): Promise<string> {
  const answer = await fetch(address).catch(() => null);
  return (await answer?.text()) ?? "";
}
