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
