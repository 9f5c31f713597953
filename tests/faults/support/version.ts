import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { node, readyStack, type StackFile, stackEnvironment } from "../../support/stack.ts";

const root = path.resolve(import.meta.dirname, "../../..");

/** Another version of the product: this one with other migrations. It has no functions, which an upgrade does not need. */
export interface Version {
  /** Starts it on a data folder; `stop` ends it. Rejects with what it said when it did not start. */
  start(dataDir: string, port: number): Promise<StackFile & { stop(): Promise<void> }>;
}

/** Makes a version below `folder`; `change` gets its folder of migrations. */
export function makeVersion(folder: string, change: (migrations: string) => void): Version {
  fs.cpSync(path.join(root, "supabase"), path.join(folder, "supabase"), { recursive: true });
  for (const name of ["contract", "package.json"]) fs.cpSync(path.join(root, name), path.join(folder, name), { recursive: true });
  fs.symlinkSync(path.join(root, "node_modules"), path.join(folder, "node_modules"));
  change(path.join(folder, "supabase/migrations"));
  return {
    start: async (dataDir, port) => {
      const child = spawn(node, ["supabase/local/cli.js", "start"], {
        cwd: folder,
        env: { ...process.env, NODE_OPTIONS: "", ...stackEnvironment(dataDir, port) },
        stdio: ["ignore", "pipe", "pipe"],
      });
      let output = "";
      for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
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
