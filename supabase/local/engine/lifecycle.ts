import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { StartError } from "../start-error.ts";

export interface ProcessMark {
  pid: number;
  started: string;
}

function processStart(pid: number): string | null {
  const [state, started] = process.platform === "linux" ? fieldsOfProc(pid, 0, 19) : fieldsOfPs(pid, "stat", "lstart");
  return state === undefined || state.startsWith("Z") ? null : (started ?? null);
}

export function parentOf(pid: number): number {
  const [parent] = process.platform === "linux" ? fieldsOfProc(pid, 1) : fieldsOfPs(pid, "ppid");
  return Number(parent ?? 0);
}

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

/** Sends `signal`, waits, then kills. Resolves when the process is gone. */
export async function endProcess(mark: ProcessMark, signal: NodeJS.Signals, timeoutMs: number): Promise<void> {
  if (!isAlive(mark)) return;
  send(mark.pid, signal);
  if (await goneWithin(mark, timeoutMs)) return;
  send(mark.pid, "SIGKILL");
  await goneWithin(mark, 5_000);
}

async function goneWithin(mark: ProcessMark, timeoutMs: number): Promise<boolean> {
  for (const end = Date.now() + timeoutMs; Date.now() < end; await wait(20)) {
    if (!isAlive(mark)) return true;
  }
  return !isAlive(mark);
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // already ended
  }
}

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

export function replaceFile(file: string, content: string | Uint8Array): void {
  fs.writeFileSync(`${file}.part`, content, { mode: 0o600 });
  fs.renameSync(`${file}.part`, file);
}

export function runningSupervisor(dataDir: string): ProcessMark | null {
  const mark = readJson<ProcessMark>(filesOf(dataDir).lock);
  return mark && isAlive(mark) ? mark : null;
}

/** Ends processes of a killed supervisor; Postgres gets SIGINT (fast shutdown). Returns their number. */
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
  throw new StartError(`${file} isn't a list of processes. Make sure that no Postgres is running on this folder, then delete the file.`);
}
