import fs from "node:fs";
import path from "node:path";
import { isNewerVersion } from "#contract/rules/newer-version.ts";
import { version } from "#contract/version.ts";
import { isDiskFull } from "../engine/disk-space.ts";
import { replaceFile } from "../engine/lifecycle.ts";
import { connect } from "../engine/postgres.ts";
import { tell } from "../logs.ts";
import { asStartError, StartError } from "../start-error.ts";
import { contentsOf } from "./backup.ts";
import { writeBackup } from "./backup-file.ts";
import { ownerOf, unpack } from "./restore.ts";

const filesOf = (dataDir: string) => ({
  postgres: path.join(dataDir, "postgres"),
  version: path.join(dataDir, "postgres/TIDINGS_VERSION"),
  unfinished: path.join(dataDir, "upgrade.backup"),
  unfinishedPart: path.join(dataDir, "upgrade.backup.part"),
  undone: path.join(dataDir, "undone-upgrade.backup"),
  kept: path.join(dataDir, "before-upgrade.backup"),
});

export function versionOfData(dataDir: string): string | null {
  const { version: file } = filesOf(dataDir);
  return fs.existsSync(file) ? fs.readFileSync(file, "utf8").trim() : null;
}

export function refuseNewerData(dataDir: string): void {
  const writer = versionOfData(dataDir);
  if (writer === null || !isNewerVersion(writer, version)) return;
  throw new StartError(
    `This data was written by Tidings ${writer} and was left untouched, because this is the older ${version}: start Tidings ${writer} or a newer version.`,
  );
}

/** Backs up before an upgrade: if the version differs or there are new migrations. */
export async function backUpBeforeUpgrade(dataDir: string, adminUrl: string, isBehind: boolean): Promise<void> {
  const writer = versionOfData(dataDir);
  if (writer === version && !isBehind) return;
  const failure = "The data was left untouched, because the backup before the upgrade failed";
  if (await isDiskFull(dataDir)) throw new StartError(`${failure}: the disk is full.`);
  const { unfinished, unfinishedPart: part, undone } = filesOf(dataDir);
  if (fs.existsSync(undone)) return fs.renameSync(undone, unfinished);
  tell(`Backing up the data before the upgrade from ${writer ? `Tidings ${writer}` : "an earlier version"} to ${version} …`);
  const sql = connect(adminUrl, 1); // own connection, because the backup's state ends with it
  try {
    await writeBackup(part, contentsOf(dataDir, await sql.reserve()), null);
    fs.renameSync(part, unfinished);
  } catch (error) {
    fs.rmSync(part, { force: true });
    throw asStartError(error, failure);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

export function finishUpgrade(dataDir: string): void {
  const { version: file, unfinished, kept } = filesOf(dataDir);
  if (versionOfData(dataDir) !== version) replaceFile(file, `${version}\n`);
  if (!fs.existsSync(unfinished)) return;
  fs.renameSync(unfinished, kept);
  tell(`The upgrade to Tidings ${version} is done; the data from before it is in ${kept}.`);
}

/** Restores the database after a failed upgrade. Returns true if it did. Postgres must not run. */
export async function undoUnfinishedUpgrade(dataDir: string): Promise<boolean> {
  const { postgres, unfinished, unfinishedPart, undone } = filesOf(dataDir);
  for (const left of [`${postgres}.part`, unfinishedPart]) fs.rmSync(left, { recursive: true, force: true });
  const isUnfinished = fs.existsSync(unfinished);
  if (isUnfinished) await putBack(dataDir);
  if (versionOfData(dataDir) === version) fs.rmSync(undone, { force: true }); // this version changes the data
  return isUnfinished;
}

async function putBack(dataDir: string): Promise<void> {
  const { postgres, unfinished, undone } = filesOf(dataDir);
  const part = `${postgres}.part`;
  try {
    const isPostgres = (name: string) => name.split("/")[0] === "postgres";
    await unpack(unfinished, part, ownerOf(fs.statSync(dataDir)), { passphrase: null, wanted: isPostgres });
    fs.rmSync(postgres, { recursive: true, force: true });
    fs.renameSync(path.join(part, "postgres"), postgres);
    fs.renameSync(unfinished, undone);
    fs.rmdirSync(part);
  } catch (error) {
    throw asStartError(error, `The data from before the upgrade is in ${unfinished} and can't be restored`);
  }
}
