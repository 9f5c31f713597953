import fs from "node:fs";

/** CPU milliseconds of running processes by the scheduler's clock, which excludes other load. Linux only. */
export const processorMs = (pids: number[]): number => pids.reduce((sum, pid) => sum + ofProcess(pid), 0);

function ofProcess(pid: number): number {
  try {
    return fs.readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => sum + ofThread(`/proc/${pid}/task/${thread}/schedstat`), 0);
  } catch {
    return 0;
  }
}

function ofThread(file: string): number {
  try {
    return Number(fs.readFileSync(file, "utf8").split(" ")[0]) / 1e6;
  } catch {
    return 0;
  }
}
