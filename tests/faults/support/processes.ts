import { execFileSync } from "node:child_process";
import type { StackFile } from "../../support/stack.ts";

export function isRunning(pid: number): boolean {
  try {
    return !execFileSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" })
      .trim()
      .startsWith("Z");
  } catch {
    return false;
  }
}

export async function runningPid(read: () => number | undefined): Promise<number> {
  for (let pid = read(); ; pid = read()) {
    if (pid !== undefined && pid > 1 && isRunning(pid)) return pid;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export const kill9 = async (read: () => number | undefined): Promise<true> => process.kill(await runningPid(read), "SIGKILL");

export function killAll9(pids: number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, "SIGKILL");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  }
}

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

export const familyOf = (pid: number): number[] => [pid, ...childrenOf(pid).flatMap(familyOf)];

export async function stillRunning(pids: number[], patienceMs: number): Promise<number[]> {
  for (const end = Date.now() + patienceMs; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 25))) {
    if (!pids.some(isRunning)) return [];
  }
  return pids.filter(isRunning);
}
