import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import { open } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { machine, type Manifest, manifestName, passphraseOf } from "./backup.ts";
import type { Entry } from "./backup-entries.ts";
import { readBackup } from "./backup-file.ts";
import type { Settings } from "../settings.ts";
import { asStartError, StartError } from "../start-error.ts";
import { systemUser, type SystemUser } from "../engine/system-user.ts";
import { makeWhole } from "./unfinished.ts";

const postgresMajor = 17;

/** `TIDINGS_DATA_DIR=<folder> npm run restore -- <file>`: restores into a new or empty folder, all or nothing. */
export async function restore({ dataDir }: Settings, [source]: string[]): Promise<void> {
  if (!source) throw new StartError("Name the backup: npm run restore -- <file>");
  try {
    await (fs.existsSync(dataDir) ? fill(dataDir, source) : make(dataDir, source));
  } catch (error) {
    throw asStartError(error, `${dataDir} can't be filled, and the backup is as it was`);
  }
  console.log(`${dataDir} is as it was when the backup was made; start Tidings on it to go on.`);
}

async function make(dataDir: string, source: string): Promise<void> {
  fs.mkdirSync(path.dirname(dataDir), { recursive: true });
  const part = `${dataDir}.part-${randomUUID()}`;
  await makeWhole(part, async () => {
    await unpack(source, part, ownerOf(null));
    try {
      fs.renameSync(part, dataDir); // replaces an empty folder only
    } catch (error) {
      throw (error as NodeJS.ErrnoException).code === "ENOTEMPTY" ? notEmpty(dataDir) : error;
    }
  });
}

/** Fills an existing folder in place (it may be a mount) and sets its owner on the contents. */
async function fill(dataDir: string, source: string): Promise<void> {
  refuseUnlessEmpty(dataDir);
  const part = path.join(dataDir, `restore-${randomUUID()}`);
  await makeWhole(part, async () => {
    await unpack(source, part, ownerOf(fs.statSync(dataDir)));
    refuseUnlessEmpty(dataDir, path.basename(part));
    const isLast = (name: string) => Number(name === "keys.json"); // without keys, half a copy can't start
    const names = fs.readdirSync(part).toSorted((a, b) => isLast(a) - isLast(b));
    for (const name of names) fs.renameSync(path.join(part, name), path.join(dataDir, name));
  });
}

export function refuseUnlessEmpty(dataDir: string, ...besides: string[]): void {
  const entries = fs.readdirSync(dataDir).filter((name) => !besides.includes(name) && name !== "lost+found"); // new disks have this folder
  if (entries.length > 0) throw notEmpty(dataDir);
}

const notEmpty = (dataDir: string): StartError => new StartError(`${dataDir} isn't empty. Choose a new folder with TIDINGS_DATA_DIR.`);

/** Owner of restored entries when run as root: the folder's owner; if that's root, Postgres' files get its user. */
export function ownerOf(folder: fs.Stats | null): (name: string) => SystemUser | null {
  if (process.getuid?.() !== 0) return () => null;
  if (folder && folder.uid !== 0) return () => folder;
  const owner = systemUser("postgres");
  return (name) => (name.split("/")[0] === "postgres" ? owner : null);
}

/** Unpacks a backup, or the entries in `wanted`. Rejects with a StartError if it's corrupt. */
export async function unpack(
  source: string,
  folder: string,
  owner: (name: string) => SystemUser | null,
  { passphrase = passphraseOf(), wanted = () => true }: { passphrase?: string | null; wanted?(name: string): boolean } = {},
): Promise<void> {
  fs.mkdirSync(folder, { mode: 0o700 });
  const file = path.resolve(source);
  let isOurs = false;
  await readBackup(file, passphrase, async (entry, pieces) => {
    isOurs ||= entry.name === manifestName; // always the first entry
    if (!isOurs) throw new StartError(`${file} isn't a backup of Tidings.`);
    await (entry.name === manifestName || wanted(entry.name) ? place(folder, entry, pieces, owner(entry.name)) : drain(pieces));
  });
  if (!isOurs) throw new StartError(`${file} isn't a backup of Tidings.`);
  fs.rmSync(path.join(folder, manifestName));
  spawnSync("sync"); // one sync for all files is faster
}

async function place(root: string, { name, kind }: Entry, pieces: AsyncIterable<Buffer>, owner: SystemUser | null): Promise<void> {
  const target = path.resolve(root, name);
  if (!target.startsWith(root + path.sep)) throw new StartError(`The backup names a file outside of its folder: ${name}`);
  if (kind === "folder") fs.mkdirSync(target, { recursive: true, mode: 0o700 });
  await (kind === "file" ? write(target, pieces) : drain(pieces));
  if (owner) fs.chownSync(target, owner.uid, owner.gid);
  if (name === manifestName) check(JSON.parse(fs.readFileSync(target, "utf8")) as Manifest);
}

/** Opens the file before the first await, so that nothing is created after a failed restore was removed. */
async function write(target: string, pieces: AsyncIterable<Buffer>): Promise<void> {
  const file = await open(target, "w", 0o600);
  await pipeline(pieces, file.createWriteStream());
}

async function drain(pieces: AsyncIterable<Buffer>): Promise<void> {
  for await (const _piece of pieces) continue;
}

function check({ postgres, machine: madeOn }: Manifest): void {
  if (postgres !== postgresMajor) throw new StartError(`The backup is of Postgres ${postgres}, and this is ${postgresMajor}.`);
  if (madeOn !== machine) throw new StartError(`The backup was made on ${madeOn} and fits only such a machine; this is ${machine}.`);
}
