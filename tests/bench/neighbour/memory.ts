import { readFileSync } from "node:fs";
import type { StackFile } from "../../support/stack.ts";

export function peaksOf({ pids }: StackFile): Record<string, number> {
  if (process.platform !== "linux") return {};
  const all = { supervisor: pids.supervisor, ...pids.functions };
  return Object.fromEntries(Object.entries(all).map(([name, pid]) => [name, peakOf(pid)]));
}

function peakOf(pid: number): number {
  try {
    return Math.round(Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1_024);
  } catch {
    return 0;
  }
}
