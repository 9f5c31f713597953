import { type ChildProcess, spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { node, readyStack, type StackFile, stackEnvironment } from "../../support/stack.ts";

const root = path.resolve(import.meta.dirname, "../../..");

export interface Version {
  run(dataDir: string, port: number, ...args: string[]): ChildProcess;
  start(dataDir: string, port: number): Promise<StackFile & { stop(): Promise<void> }>;
}

export function makeVersion(folder: string, version: string, change: (migrations: string) => void): Version {
  fs.cpSync(path.join(root, "supabase"), path.join(folder, "supabase"), { recursive: true });
  for (const name of ["contract", "package.json"]) fs.cpSync(path.join(root, name), path.join(folder, name), { recursive: true });
  fs.symlinkSync(path.join(root, "node_modules"), path.join(folder, "node_modules"));
  fs.writeFileSync(path.join(folder, "contract/version.ts"), `export const version = "${version}";\n`);
  change(path.join(folder, "supabase/migrations"));
  const run: Version["run"] = (dataDir, port, ...args) =>
    spawn(node, ["supabase/local/cli.js", ...(args.length > 0 ? args : ["start"])], {
      cwd: folder,
      env: { ...process.env, NODE_OPTIONS: "", ...stackEnvironment(dataDir, port) },
      stdio: ["ignore", "pipe", "pipe"],
    });
  return {
    run,
    start: async (dataDir, port) => {
      const child = run(dataDir, port);
      let output = "";
      for (const stream of [child.stdout!, child.stderr!]) stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
      const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
      const failed = ended.then((): never => {
        throw new Error(output.trim());
      });
      const stack = await Promise.race([readyStack(dataDir, child.pid), failed]);
      failed.catch(() => {});
      return {
        ...stack,
        stop: async () => {
          child.kill("SIGTERM");
          await ended;
        },
      };
    },
  };
}
