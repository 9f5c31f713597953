import { spawn } from "node:child_process";
import dgram from "node:dgram";
import fs from "node:fs";
import path from "node:path";
import net from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import type { StackFile } from "../../supabase/local/engine/stack-file.ts";
import { newDataFolder } from "./template.ts";

export type { StackFile };

const root = path.resolve(import.meta.dirname, "../..");
export const node = path.join(root, "node_modules/.bin/node");
export const cli = path.join(root, "supabase/local/cli.js");

export interface StackInfo extends StackFile {
  dataDir: string;
  pid: number;
}

export interface RunningStack extends StackInfo {
  stop(): Promise<void>;
}

export interface StartOptions {
  seed?: "none" | "demo";
  env?: Record<string, string>;
  dataDir?: string;
  port?: number;
  args?: string[];
}

export async function startStack(options: StartOptions = {}): Promise<RunningStack> {
  const dataDir = options.dataDir ?? (await newDataFolder());
  const port = options.port ?? (await freePort());
  const running = run(options.args ?? ["start"], { ...stackEnvironment(dataDir, port, options.seed), ...options.env });
  const file = await untilReady(dataDir, running);
  return {
    ...file,
    dataDir,
    pid: running.pid,
    stop: async () => {
      running.signal("SIGTERM");
      await running.ended;
      if (!options.dataDir) fs.rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Lets webhooks, imports, backups and assistants reach servers of the test. */
export const toPrivate = {
  TIDINGS_WEBHOOKS_TO_PRIVATE: "1",
  TIDINGS_IMPORTS_TO_PRIVATE: "1",
  TIDINGS_BACKUPS_TO_PRIVATE: "1",
  TIDINGS_ASSISTANTS_TO_PRIVATE: "1",
  TIDINGS_SIGN_ON_TO_PRIVATE: "1",
};

export const stackEnvironment = (dataDir: string, port: number, seed: "none" | "demo" = "none"): Record<string, string> => ({
  TIDINGS_DATA_DIR: dataDir,
  PORT: String(port),
  TIDINGS_SEED: seed,
  TIDINGS_FAST: "1",
  TIDINGS_SKIP_BUILD: "1",
  TIDINGS_END_WITH_PARENT: "1",
  TIDINGS_SIGNUP: "open", // `npm run serve` is by invitation otherwise
});

export interface Ended {
  code: number | null;
  output: string;
}

export interface Run {
  pid: number;
  ended: Promise<Ended>;
  output(): string;
  signal(name: NodeJS.Signals): void;
  write(text: string): void;
}

export function run(args: string[], env: Record<string, string>, options: { uid?: number; gid?: number; detached?: boolean } = {}): Run {
  const child = spawn(node, [cli, ...args], {
    cwd: root,
    env: { ...process.env, NODE_OPTIONS: "", ...env },
    stdio: ["pipe", "pipe", "pipe"],
    ...options,
  });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise<Ended>((resolve) => child.once("exit", (code) => resolve({ code, output })));
  return {
    pid: child.pid ?? 0,
    ended,
    output: () => output,
    signal: (name) => void child.kill(name),
    write: (text) => void child.stdin.write(text),
  };
}

export async function untilReady(dataDir: string, running: Run): Promise<StackFile> {
  try {
    return await Promise.race([
      readyStack(dataDir, running.pid),
      running.ended.then(({ output }): never => {
        throw new Error(output);
      }),
    ]);
  } catch (cause) {
    running.signal("SIGTERM");
    throw new Error(`the stack didn't start: ${running.output()}`, { cause });
  }
}

/** Waits for stack.json, written by the supervisor `pid` if given. */
export async function readyStack(dataDir: string, pid?: number, patienceMs = 60_000): Promise<StackFile> {
  for (const end = Date.now() + patienceMs; Date.now() < end; await wait(20)) {
    const content = readStackFile(dataDir);
    if (content && (pid === undefined || content.pids.supervisor === pid)) return content;
  }
  throw new Error(`no stack within ${patienceMs} ms`);
}

export function readStackFile(dataDir: string): StackFile | null {
  try {
    return JSON.parse(fs.readFileSync(path.join(dataDir, "stack.json"), "utf8")) as StackFile;
  } catch {
    return null;
  }
}

/** A free port below the ephemeral range, reserved by a lock for this process, so parallel tests can't race for it. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 12_000 + Math.floor(Math.random() * 1_500);
    if (!(await reserved(port))) continue;
    const server = net.createServer();
    const free = await new Promise<boolean>((resolve) => {
      server.once("error", () => resolve(false)).listen(port, "127.0.0.1", () => resolve(true));
    });
    if (!free) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}

/** Takes a lock on the port until this process exits: a socket of another kind that only one process can bind. True if it got it. */
const reserved = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = dgram.createSocket("udp4").unref();
    socket.once("error", () => resolve((socket.close(), false)));
    socket.bind({ address: "127.0.0.1", port: port + 2_000, exclusive: true }, () => resolve(true));
  });
