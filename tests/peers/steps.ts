import { spawnSync } from "node:child_process";

export type Step = (name: string, command: string, ...args: string[]) => boolean;

/** Runs programs in `cwd`, and says for each if it succeeded. */
export const stepsIn =
  (cwd: string, env: Record<string, string>): Step =>
  (name, command, ...args) => {
    const { status } = spawnSync(command, args, { cwd, env: { ...process.env, ...env }, stdio: ["ignore", "inherit", "inherit"] });
    console.log(`${status === 0 ? "✓" : "✗"} ${name}`);
    return status === 0;
  };
