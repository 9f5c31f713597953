import fs from "node:fs";
import path from "node:path";
import process from "node:process";
import { filesOf, isAlive, markOf, readJson, type ProcessMark } from "./lifecycle.ts";
import { StartError } from "../start-error.ts";

/**
 * Creates and locks the data folder. The OS lock ends with the process. Throws a StartError if the folder isn't writable or is in use.
 */
export function takeDataFolder(dataDir: string): void {
  try {
    fs.mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    if (!mayUse(fs.statSync(dataDir))) throw new Deno.errors.PermissionDenied();
    const lock = Deno.openSync(filesOf(dataDir).lock, { read: true, write: true, create: true, mode: 0o600 });
    if (!lock.tryLockSync(true)) throw alreadyRunning(dataDir);
    lock.truncateSync();
    lock.writeSync(new TextEncoder().encode(JSON.stringify(markOf(Deno.pid)))); // closing would release the lock
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`Can't use the data folder ${dataDir} (${reason(error)}). Choose another one with TIDINGS_DATA_DIR.`);
  }
}

/** Deno's accessSync ignores the group, the only right of an arbitrary container user. */
function mayUse({ uid, gid, mode }: fs.Stats): boolean {
  const { geteuid, getegid, getgroups } = process;
  if (geteuid!() === 0) return true;
  const shift = uid === geteuid!() ? 6 : gid === getegid!() || getgroups!().includes(gid) ? 3 : 0;
  return ((mode >> shift) & 0o7) === 0o7;
}

function alreadyRunning(dataDir: string): StartError {
  const holder = readJson<ProcessMark>(filesOf(dataDir).lock);
  const url = readJson<{ url: string }>(filesOf(dataDir).stack)?.url;
  const who = [holder && isAlive(holder) ? `process ${holder.pid}` : null, url].filter(Boolean).join(", ");
  return new StartError(`Tidings is already running on ${dataDir}${who ? ` (${who})` : ""}; "npm stop" stops it.`);
}

const reason = (error: unknown): string => {
  const code = (error as { code?: string }).code;
  if (code === "EACCES" || code === "EPERM" || error instanceof Deno.errors.PermissionDenied) return "no permission to write there";
  if (code === "EROFS") return "it is on a read-only disk";
  if (code === "ENOTDIR" || code === "EEXIST") return "it isn't a folder";
  return error instanceof Error ? error.message : String(error);
};

/** As root, Postgres runs as another user: adds the x bit to the folders above. Returns the changed ones. */
export function letOthersWalkTo(folder: string): string[] {
  const changed: string[] = [];
  for (let current = folder; current !== path.dirname(current); current = path.dirname(current)) {
    const mode = fs.statSync(current).mode & 0o7777;
    if (mode & 0o001) continue;
    fs.chmodSync(current, mode | 0o011);
    changed.push(current);
  }
  return changed;
}
