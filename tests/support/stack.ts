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

/** A running stack as plain data: what vitest's inject("stack") gives. */
export interface StackInfo extends StackFile {
  dataDir: string;
  /** The process that was started; a signal to it is a signal to the stack. */
  pid: number;
}

export interface RunningStack extends StackInfo {
  /** Ends the stack and deletes its data folder unless the caller chose it. */
  stop(): Promise<void>;
}

export interface StartOptions {
  seed?: "none" | "demo";
  env?: Record<string, string>;
  /** An existing or future folder that outlives the stack; without it a temporary one is made (tests/support/template.ts) and deleted. */
  dataDir?: string;
  port?: number;
  /** The command and its options; `start` without it. */
  args?: string[];
}

/** Starts a stack of its own: free port, data folder under the system's temporary one, Postgres without fsync. Resolves when everything is up. */
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

export const stackEnvironment = (dataDir: string, port: number, seed: "none" | "demo" = "none"): Record<string, string> => ({
  DATA_DIR: dataDir,
  PORT: String(port),
  SEED: seed,
  TIDINGS_FAST: "1",
  TIDINGS_SKIP_BUILD: "1",
  TIDINGS_END_WITH_PARENT: "1",
  TIDINGS_SIGNUP: "open", // also `npm run serve`, which is by invitation
});

/** How a run of the command line has ended, with everything it printed. */
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

/** Runs `node supabase/local/cli.js <args>`, exactly as the npm scripts do. */
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

/** Waits for stack.json, which is written when everything is up; throws what the stack said when it ended instead. */
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
    throw new Error(`the stack did not start: ${running.output()}`, { cause });
  }
}

/** What stack.json says as soon as it is there, written by the supervisor `pid` if one is named. */
export async function readyStack(dataDir: string, pid?: number, patienceMs = 60_000): Promise<StackFile> {
  for (const end = Date.now() + patienceMs; Date.now() < end; await wait(20)) {
    const content = readStackFile(dataDir);
    if (content && (pid === undefined || content.pids.supervisor === pid)) return content;
  }
  throw new Error(`no stack within ${patienceMs} ms`);
}

/** What stack.json says at this moment; null while it is not there, or half written. */
export function readStackFile(dataDir: string): StackFile | null {
  try {
    return JSON.parse(fs.readFileSync(path.join(dataDir, "stack.json"), "utf8")) as StackFile;
  } catch {
    return null;
  }
}

/**
 * A port that nobody listens on and that this process alone may take, below those that the system gives to connections, or that the parts of a
 * stack look for: one of these would be taken before it is used.
 */
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

/**
 * Whether no process of another test has the port for itself, which from now on this one has, until it ends: the system gives the socket that
 * stands for it, of another kind and on another port, to one process alone.
 */
const reserved = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = dgram.createSocket("udp4").unref();
    socket.once("error", () => resolve((socket.close(), false)));
    socket.bind({ address: "127.0.0.1", port: port + 2_000, exclusive: true }, () => resolve(true));
  });
