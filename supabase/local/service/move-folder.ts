import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { isNewerVersion } from "#contract/rules/newer-version.ts";
import { version } from "#contract/version.ts";
import { readConfig } from "../config.ts";
import { Children } from "../engine/children.ts";
import { takeDataFolder } from "../engine/data-folder.ts";
import { embeddedBackend } from "../engine/embedded.ts";
import { filesOf, readJson, replaceFile, sweepLeftovers } from "../engine/lifecycle.ts";
import { MailBox } from "../engine/mail.ts";
import { Parts } from "../engine/parts.ts";
import { connect, Postgres } from "../engine/postgres.ts";
import { systemUser } from "../engine/system-user.ts";
import { type Keys, newKeys } from "../keys.ts";
import { keepConsoleIn, Logs, tell } from "../logs.ts";
import type { Settings } from "../settings.ts";
import { asStartError, StartError } from "../start-error.ts";
import { type Counts, differences, moveRows } from "./move-rows.ts";
import { refuseUnlessEmpty } from "./restore.ts";
import { makeWhole } from "./unfinished.ts";
import { finishUpgrade, versionOfData } from "./upgrade.ts";

const partName = "moving";
const lockName = "supervisor.lock";
const copied = ["storage", "mail", "widget"];
const postgresMajor = "17";

export function refuseUnfinishedMove(dataDir: string): void {
  if (fs.existsSync(path.join(dataDir, partName)))
    throw new StartError(`A move into ${dataDir} was cut off; run it again, or delete ${path.join(dataDir, partName)}.`);
}

/** Copies another version's data folder into TIDINGS_DATA_DIR, which must be empty or new. */
export async function moveFolder(settings: Settings, from: string): Promise<void> {
  const { dataDir } = settings;
  const oldKeys = readSource(from);
  const isNew = !fs.existsSync(dataDir);
  if (!isNew) refuseUnlessEmpty(dataDir, partName, lockName);
  takeDataFolder(dataDir);
  try {
    const part = path.join(dataDir, partName);
    await sweepLeftovers(part); // left by an interrupted move
    fs.rmSync(part, { recursive: true, force: true });
    const children = new Children(part);
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => children.kill());
    await makeWhole(part, () => fill(settings, from, part, { ...newKeys(), ...oldKeys }, children));
  } catch (error) {
    fs.rmSync(isNew ? dataDir : path.join(dataDir, lockName), { recursive: true, force: true });
    throw asStartError(error, `${dataDir} can't be filled, and ${from} is as it was`);
  }
  tell(
    `\n${dataDir} now has everything of ${from}, which wasn't changed. Start Tidings on it. People sign in with their current passwords.`,
    "stdout",
  );
}

function readSource(from: string): Keys {
  const keys = readJson<Keys>(path.join(from, "keys.json"));
  const major = path.join(from, "postgres/PG_VERSION");
  if (!keys?.adminPassword || !fs.existsSync(major)) throw new StartError(`${from} isn't a data folder of Tidings that can be read.`);
  if (fs.readFileSync(major, "utf8").trim() !== postgresMajor)
    throw new StartError(`${from} is of Postgres ${fs.readFileSync(major, "utf8").trim()}, and this is ${postgresMajor}.`);
  const writer = versionOfData(from);
  if (writer !== null && isNewerVersion(writer, version))
    throw new StartError(`${from} was written by Tidings ${writer}, and this is the older ${version}.`);
  if (fs.existsSync(path.join(from, "upgrade.backup")))
    throw new StartError(`An upgrade of ${from} was cut off; start the version before once, then stop it.`);
  if (isInUse(from)) throw new StartError(`Tidings is running on ${from}; stop it first.`);
  return keys;
}

function isInUse(dataDir: string): boolean {
  const { lock } = filesOf(dataDir);
  if (fs.existsSync(lock)) {
    const file = Deno.openSync(lock, { read: true });
    const isFree = file.tryLockSync(true);
    file.close();
    if (!isFree) return true;
  }
  const postmaster = path.join(dataDir, "postgres/postmaster.pid");
  const pid = fs.existsSync(postmaster) ? Number.parseInt(fs.readFileSync(postmaster, "utf8"), 10) : 0;
  return pid > 0 && readLink(`/proc/${pid}/cwd`) === path.join(dataDir, "postgres");
}

function readLink(link: string): string | null {
  try {
    return fs.readlinkSync(link);
  } catch {
    return null;
  }
}

async function fill(settings: Settings, from: string, part: string, keys: Keys, children: Children): Promise<void> {
  const { dataDir } = settings;
  const old = path.join(part, "old");
  fs.mkdirSync(old, { recursive: true, mode: 0o700 });
  replaceFile(path.join(part, "keys.json"), JSON.stringify(keys, null, 2));
  for (const name of copied) if (fs.existsSync(path.join(from, name))) copy(path.join(from, name), part);
  copy(path.join(from, "postgres"), old);
  fs.rmSync(path.join(old, "postgres/postmaster.pid"), { force: true });
  if (Deno.uid() === 0) changeOwner(path.join(old, "postgres"), systemUser("postgres"));

  const logs = new Logs(part);
  keepConsoleIn(logs.of("supervisor"));
  const source = new Postgres({
    ...{ dataDir: old, adminPassword: keys.adminPassword, fast: true, slowQueryMs: null, children, log: logs.of("postgres") },
    onChange: () => {},
  });
  const sql = connect(source.adminUrl, 2);
  const backend = embeddedBackend({
    ...{ settings: { ...settings, dataDir: part }, config: readConfig(), listensOn: "127.0.0.1", siteUrl: "http://localhost" },
    ...{ mail: new MailBox(part), logs, children, botCheck: null, changed: () => {} },
  });
  const parts = new Parts([
    { name: "logs", stop: () => logs.close() },
    source,
    { name: "source", stop: () => sql.end({ timeout: 1 }) },
    ...backend.parts,
  ]);
  try {
    await parts.start();
    const { missing, leftOut } = await differences(sql, backend.sql);
    if (missing.length > 0) throw new StartError(missing.join("\n"));
    tellCounts(await moveRows(sql, backend.sql, ["storage.objects"]));
    if (Object.keys(leftOut).length > 0) {
      tell(`\nLeft out, because Tidings ${version} has no place for it:`, "stdout");
      tellCounts(leftOut);
    }
  } catch (error) {
    throw error instanceof StartError ? error : new StartError(`${from} doesn't fit Tidings ${version}: ${(error as Error).message}.`);
  } finally {
    await parts.stop();
  }
  finishUpgrade(part);
  for (const name of ["old", "logs", "children.json"]) fs.rmSync(path.join(part, name), { recursive: true, force: true });
  const owner = fs.statSync(dataDir);
  if (Deno.uid() === 0 && owner.uid !== 0) changeOwner(part, owner);
  spawnSync("sync");
  const isLast = (name: string) => Number(name === "keys.json"); // without keys, half a copy can't start
  for (const name of fs.readdirSync(part).toSorted((a, b) => isLast(a) - isLast(b)))
    fs.renameSync(path.join(part, name), path.join(dataDir, name));
}

function copy(from: string, into: string): void {
  const { status, stderr } = spawnSync("cp", ["-pPR", from, into], { encoding: "utf8" });
  if (status !== 0) throw new StartError(`${from} can't be copied: ${stderr.trim().split("\n").at(-1)}`);
}

const changeOwner = (folder: string, { uid, gid }: { uid: number; gid: number }): void =>
  void spawnSync("chown", ["-R", `${uid}:${gid}`, folder]);

function tellCounts(counts: Counts): void {
  for (const [name, count] of Object.entries(counts)) if (count > 0) tell(`${String(count).padStart(8)}  ${name}`, "stdout");
}
