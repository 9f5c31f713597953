import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { StartError } from "../start-error.ts";

/** Identifies one process for good: a pid alone is used again by others. */
export interface ProcessMark {
  pid: number;
  started: string;
}

/** When a process began, in the system's own words; null when there is no such process. */
function processStart(pid: number): string | null {
  const [state, started] = process.platform === "linux" ? fieldsOfProc(pid, 0, 19) : fieldsOfPs(pid, "stat", "lstart");
  return state === undefined || state.startsWith("Z") ? null : (started ?? null);
}

/** Who has started a process, or has taken it over; 0 when there is no such process. */
export function parentOf(pid: number): number {
  const [parent] = process.platform === "linux" ? fieldsOfProc(pid, 1) : fieldsOfPs(pid, "ppid");
  return Number(parent ?? 0);
}

/** Fields of /proc/{pid}/stat, counted from the one behind the program's name. */
function fieldsOfProc(pid: number, ...indexes: number[]): (string | undefined)[] {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return indexes.map((index) => fields[index]);
  } catch {
    return [];
  }
}

function fieldsOfPs(pid: number, ...names: string[]): (string | undefined)[] {
  return names.map((name) => spawnSync("ps", ["-o", `${name}=`, "-p", String(pid)], { encoding: "utf8" }).stdout?.trim() || undefined);
}

export const markOf = (pid: number): ProcessMark => ({ pid, started: processStart(pid) ?? "" });
export const isAlive = (mark: ProcessMark): boolean => mark.started !== "" && processStart(mark.pid) === mark.started;

/** Asks a process to end with `signal`, waits, and kills it when it does not listen. Resolves when it is gone. */
export async function endProcess(mark: ProcessMark, signal: NodeJS.Signals, patienceMs: number): Promise<void> {
  if (!isAlive(mark)) return;
  send(mark.pid, signal);
  if (await goneWithin(mark, patienceMs)) return;
  send(mark.pid, "SIGKILL");
  await goneWithin(mark, 5_000);
}

/** Whether a process has ended before `patienceMs` are over. */
async function goneWithin(mark: ProcessMark, patienceMs: number): Promise<boolean> {
  for (const end = Date.now() + patienceMs; Date.now() < end; await wait(20)) {
    if (!isAlive(mark)) return true;
  }
  return !isAlive(mark);
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // already gone
  }
}

/** The files by which one start knows about the one before it. */
export const filesOf = (dataDir: string) => ({
  lock: path.join(dataDir, "supervisor.lock"),
  children: path.join(dataDir, "children.json"),
  stack: path.join(dataDir, "stack.json"),
});

export function readJson<T>(file: string): T | null {
  try {
    return JSON.parse(fs.readFileSync(file, "utf8")) as T;
  } catch {
    return null;
  }
}

/** Replaces a file whole, readable by its owner only: a kill or a full disk leaves the one before. */
export function replaceFile(file: string, content: string | Uint8Array): void {
  fs.writeFileSync(`${file}.part`, content, { mode: 0o600 });
  fs.renameSync(`${file}.part`, file);
}

/** The supervisor that holds this data folder, or null. */
export function runningSupervisor(dataDir: string): ProcessMark | null {
  const mark = readJson<ProcessMark>(filesOf(dataDir).lock);
  return mark && isAlive(mark) ? mark : null;
}

/** Ends what a killed supervisor left behind; Postgres gets SIGINT, its orderly fast shutdown. Returns how many there were. */
export async function sweepLeftovers(dataDir: string): Promise<number> {
  const files = filesOf(dataDir);
  const left = readMarks(files.children).filter(isAlive);
  await Promise.all(left.map((mark) => endProcess(mark, "SIGINT", 10_000)));
  for (const file of [files.children, files.stack]) fs.rmSync(file, { force: true });
  return left.length;
}

function readMarks(file: string): ProcessMark[] {
  if (!fs.existsSync(file)) return [];
  const marks = readJson<ProcessMark[]>(file);
  if (Array.isArray(marks) && marks.every((mark) => Number.isInteger(mark?.pid) && typeof mark.started === "string")) return marks;
  throw new StartError(`${file} is not a list of processes. Make sure that no Postgres is running on this folder, then delete the file.`);
}
