import { readdirSync, readFileSync } from "node:fs";
import type { StackFile } from "../../support/stack.ts";

/** Seconds of the processors that each part has had until now, by name. */
export type Worked = Record<string, number>;

/** What each part of the stack has worked; Postgres with all of its processes. Linux only, nothing elsewhere. */
export function workedBy({ pids }: StackFile): Worked {
  if (process.platform !== "linux") return {};
  const functions = Object.entries(pids.functions).map(([name, pid]) => [name, secondsOf(`/proc/${pid}/stat`)] as const);
  return Object.fromEntries([
    ["gateway", secondsOf(`/proc/${pids.supervisor}/stat`)],
    ["its loop", secondsOf(`/proc/${pids.supervisor}/task/${pids.supervisor}/stat`)],
    ...functions,
    [
      "database",
      childrenOf(pids.postgres).reduce((sum, pid) => sum + secondsOf(`/proc/${pid}/stat`), secondsOf(`/proc/${pids.postgres}/stat`, ended)),
    ],
  ]);
}

/** How much of one processor each part had between two moments, e.g. "gateway 61 %". */
export function sharesOf(before: Worked, after: Worked, seconds: number): string[] {
  return Object.entries(after).map(([name, value]) => `${name} ${Math.round((100 * (value - (before[name] ?? 0))) / seconds)} %`);
}

/** Where a process' own times stand in its line, and those of its children that have ended (proc_pid_stat(5)). */
const own = [11, 12];
const ended = [13, 14];

/** 0 when it has ended meanwhile. */
function secondsOf(file: string, times = own): number {
  try {
    const fields = readFileSync(file, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    return times.reduce((sum, at) => sum + Number(fields[at]), 0) / 100;
  } catch {
    return 0;
  }
}

function childrenOf(pid: number): string[] {
  const parents = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return parents.filter((name) => {
    try {
      return (
        readFileSync(`/proc/${name}/stat`, "utf8")
          .replace(/^.*\) /s, "")
          .split(" ")[1] === String(pid)
      );
    } catch {
      return false;
    }
  });
}
