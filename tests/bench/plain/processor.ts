import fs from "node:fs";

/**
 * Milliseconds that processes have had of a processor until now, by the scheduler's clock: what else the machine does is not in them, as it is in
 * times and rates. One that has ended counts no more. Linux only.
 */
export const processorMs = (pids: number[]): number => pids.reduce((sum, pid) => sum + ofProcess(pid), 0);

function ofProcess(pid: number): number {
  try {
    return fs.readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => sum + ofThread(`/proc/${pid}/task/${thread}/schedstat`), 0);
  } catch {
    return 0; // has ended meanwhile
  }
}

function ofThread(file: string): number {
  try {
    return Number(fs.readFileSync(file, "utf8").split(" ")[0]) / 1e6;
  } catch {
    return 0; // has ended meanwhile
  }
}
