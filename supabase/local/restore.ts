import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { machine, type Manifest, manifestName, passphraseOf } from "./backup.ts";
import { type Entry, readBackup } from "./backup-file.ts";
import type { Settings } from "./settings.ts";
import { StartError } from "./start-error.ts";
import { systemUser, type SystemUser } from "./system-user.ts";

const postgresMajor = 17;

/** `DATA_DIR=<new folder> npm run restore -- <file>`: makes the folder whole or not at all. */
export async function restore({ dataDir }: Settings, [source]: string[]): Promise<void> {
  if (!source) throw new StartError("Name the backup: npm run restore -- <file>");
  if (fs.existsSync(dataDir) && fs.readdirSync(dataDir).length > 0)
    throw new StartError(`${dataDir} is not empty; choose a new folder with DATA_DIR.`);
  const part = `${dataDir}.part`;
  const owner = process.getuid?.() === 0 ? systemUser("postgres") : null; // as in postgres.ts
  fs.rmSync(part, { recursive: true, force: true });
  fs.mkdirSync(part, { recursive: true, mode: 0o700 });
  try {
    await readBackup(path.resolve(source), passphraseOf(), (entry, pieces) => place(part, entry, pieces, owner));
    fs.rmSync(path.join(part, manifestName));
    fs.rmSync(dataDir, { recursive: true, force: true });
    fs.renameSync(part, dataDir);
    spawnSync("sync"); // once for all files is seconds less than once for each
  } catch (error) {
    fs.rmSync(part, { recursive: true, force: true });
    throw error;
  }
  console.log(`${dataDir} is as it was when the backup was made; "npm start" goes on from there.`);
}

async function place(root: string, { name, kind }: Entry, pieces: AsyncIterable<Buffer>, owner: SystemUser | null): Promise<void> {
  const target = path.resolve(root, name);
  if (!target.startsWith(root + path.sep)) throw new StartError(`The backup names a file outside of its folder: ${name}`);
  if (kind === "folder") fs.mkdirSync(target, { recursive: true, mode: 0o700 });
  await (kind === "file" ? pipeline(pieces, fs.createWriteStream(target, { mode: 0o600 })) : drain(pieces));
  if (owner && name.split("/")[0] === "postgres") fs.chownSync(target, owner.uid, owner.gid);
  if (name === manifestName) check(JSON.parse(fs.readFileSync(target, "utf8")) as Manifest);
}

async function drain(pieces: AsyncIterable<Buffer>): Promise<void> {
  for await (const _piece of pieces) continue;
}

function check({ postgres, machine: madeOn }: Manifest): void {
  if (postgres !== postgresMajor) throw new StartError(`The backup is of Postgres ${postgres}, and this is ${postgresMajor}.`);
  if (madeOn !== machine) throw new StartError(`The backup was made on ${madeOn} and fits only such a machine; this is ${machine}.`);
}
