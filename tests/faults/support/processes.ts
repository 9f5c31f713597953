import { execFileSync } from "node:child_process";
import type { StackFile } from "../../support/stack.ts";

/** Whether a process is there and has not ended (a zombie has). */
export function isRunning(pid: number): boolean {
  try {
    return !execFileSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" })
      .trim()
      .startsWith("Z");
  } catch {
    return false;
  }
}

/**
 * The number of a part that runs, once it does. For every signal: of a part that is being started anew the number is 0, and a signal to 0 is one
 * to ourselves.
 */
export async function runningPid(read: () => number | undefined): Promise<number> {
  for (let pid = read(); ; pid = read()) {
    if (pid !== undefined && pid > 1 && isRunning(pid)) return pid;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Ends a process at once. */
export const kill9 = async (read: () => number | undefined): Promise<true> => process.kill(await runningPid(read), "SIGKILL");

/** Ends these processes at once; those that ended by themselves meanwhile, as what Postgres has started does without it, are as wished. */
export function killAll9(pids: number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, "SIGKILL");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  }
}

/** Every process of a stack: the supervisor, the functions, Postgres and what Postgres has started. */
export function processesOf({ pids }: StackFile): number[] {
  const functions = Object.values(pids.functions);
  return [pids.supervisor, pids.postgres, ...functions, ...childrenOf(pids.postgres)];
}

function childrenOf(parent: number): number[] {
  const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" }).trim().split("\n");
  return lines.flatMap((line) => {
    const [pid, ppid] = line.trim().split(/\s+/).map(Number);
    return ppid === parent && pid !== undefined ? [pid] : [];
  });
}

/** A process and everything below it. */
export const familyOf = (pid: number): number[] => [pid, ...childrenOf(pid).flatMap(familyOf)];

/** Resolves to those that still run after at most `patienceMs`. */
export async function stillRunning(pids: number[], patienceMs: number): Promise<number[]> {
  for (const end = Date.now() + patienceMs; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 25))) {
    if (!pids.some(isRunning)) return [];
  }
  return pids.filter(isRunning);
}
