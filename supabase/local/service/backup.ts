import fs from "node:fs";
import path from "node:path";
import postgres, { type ReservedSql } from "postgres";
import { type Content, writeBackup } from "./backup-file.ts";
import { filesOf, readJson, runningSupervisor } from "../engine/lifecycle.ts";
import type { Settings } from "../settings.ts";
import type { StackFile } from "../engine/stack-file.ts";
import { asStartError, StartError } from "../start-error.ts";
import { makeWhole } from "./unfinished.ts";

export interface Manifest {
  format: 2;
  madeAt: string;
  postgres: number;
  machine: string;
}

export const manifestName = "backup.json";
export const machine = `${process.platform}-${process.arch}`;
export const passphraseOf = (): string | null => process.env.TIDINGS_BACKUP_PASSPHRASE || null;

export async function backUp({ dataDir }: Settings, [target]: string[]): Promise<void> {
  const stack = readJson<StackFile>(filesOf(dataDir).stack);
  if (!stack || !runningSupervisor(dataDir)) throw new StartError(`Tidings isn't running on ${dataDir}; start it to back it up.`);
  if (stack.ports.postgres === 0) throw new StartError("The data is in your Supabase project; back it up there.");
  const file = path.resolve(target ?? `tidings-${new Date().toISOString().slice(0, 19).replaceAll(":", "")}.backup`);
  refuseExisting(file);
  const sql = postgres(stack.dbUrl, { max: 1, onnotice: () => {}, idle_timeout: 0, max_lifetime: null });
  const part = `${file}.${process.pid}.part`;
  try {
    await makeWhole(part, async () => {
      const session = await sql.reserve();
      await writeBackup(part, contentsOf(dataDir, session), passphraseOf());
      refuseExisting(file); // a concurrent backup may have created it
      fs.renameSync(part, file);
      await note(session, fs.statSync(file).size);
    });
  } catch (error) {
    throw asStartError(error, `Couldn't create ${file}`);
  } finally {
    await sql.end({ timeout: 1 }); // ends an unfinished backup and its slot too
  }
  const megabytes = (fs.statSync(file).size / 1e6).toFixed(1);
  console.log(
    `${file} has everything (${megabytes} MB${passphraseOf() ? ", encrypted" : ", not encrypted: keep it as safe as the data"}).`,
  );
}

async function note(session: ReservedSql, bytes: number): Promise<void> {
  await session`update private.machine set backed_up_at = now(), backup_bytes = ${bytes}`.catch((error: Error) =>
    console.error(`The operator's page doesn't show this backup: ${error.message}`),
  );
}

function refuseExisting(file: string): void {
  if (fs.existsSync(file)) throw new StartError(`${file} exists already; choose another name.`);
}

/** Postgres' low-level backup: files plus WAL. Storage's files are listed before and after. */
export async function* contentsOf(dataDir: string, session: ReservedSql): AsyncGenerator<Content> {
  const [server] = await session<{ version: number }[]>`select current_setting('server_version_num')::int / 10000 as version`;
  const manifest: Manifest = { format: 2, madeAt: new Date().toISOString(), postgres: server?.version ?? 0, machine };
  yield textFile(manifestName, JSON.stringify(manifest));

  await session`select pg_create_physical_replication_slot(${`backup_${process.pid}`}, true, true)`; // retains WAL until the end
  const [start] = await session<{ segment: string }[]>`select pg_walfile_name(pg_backup_start('tidings', true)) as segment`;
  yield* filesBelow(dataDir, "postgres", isPartOfBackup);
  yield* oneFile(dataDir, "postgres/global/pg_control"); // last, like pg_basebackup
  yield* filesBelow(dataDir, "mail");
  yield* filesBelow(dataDir, "widget"); // pinned widget releases of the container image
  yield* oneFile(dataDir, "keys.json");
  const stored = new Set<string>();
  for await (const entry of filesBelow(dataDir, "storage", isWhole)) {
    stored.add(entry.name);
    yield entry;
  }
  const [stop] = await session<{ segment: string; label: string }[]>`
    select pg_walfile_name(lsn) as segment, labelfile as label from pg_backup_stop(false)
  `;
  yield textFile("postgres/backup_label", stop!.label);
  yield* filesBelow(dataDir, "postgres/pg_wal", (name) => isNeededLog(path.basename(name), start!.segment, stop!.segment));
  yield* filesBelow(dataDir, "storage", (name) => isWhole(name) && !stored.has(name)); // files of rows added during the backup
}

const pieceBytes = 1 << 18;

function textFile(name: string, text: string): Content {
  const bytes = Buffer.from(text);
  return { name, kind: "file", size: bytes.length, pieces: [bytes] };
}

/** Postgres recreates these at every start. */
const madeAnew = /^postgres\/(?:pg_wal|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)\/./;
const notNeeded = /^postgres\/(?:postmaster\.(?:pid|opts)|backup_label.*|global\/pg_control)$|\/pgsql_tmp|\/pg_internal\.init/;
const isPartOfBackup = (name: string): boolean => !madeAnew.test(name) && !notNeeded.test(name);
const isWhole = (name: string): boolean => !name.endsWith(".part");

const isNeededLog = (name: string, first: string, last: string): boolean =>
  name.endsWith(".history") || (/^[0-9A-F]{24}$/.test(name) && name >= first && name <= last);

/** Files below `name`, sorted. Unlogged tables contribute only `_init` forks: salts, visitor counts and rate limits must not be kept. */
async function* filesBelow(root: string, name: string, isIncluded: (name: string) => boolean = () => true): AsyncGenerator<Content> {
  const folder = path.join(root, name);
  if (!fs.existsSync(folder)) return;
  yield { name, kind: "folder", size: 0, pieces: [] };
  const children = fs.readdirSync(folder, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const unlogged = new Set(children.flatMap((child) => /^(\d+)_init$/.exec(child.name)?.[1] ?? []));
  for (const child of children) {
    const childName = `${name}/${child.name}`;
    if (!isIncluded(childName) || unlogged.has(/^(\d+)(?:_(?:fsm|vm))?(?:\.\d+)?$/.exec(child.name)?.[1] ?? "")) continue;
    if (child.isDirectory()) yield* filesBelow(root, childName, isIncluded);
    else if (child.isFile()) yield* oneFile(root, childName);
  }
}

async function* oneFile(root: string, name: string): AsyncGenerator<Content> {
  const handle = await fs.promises.open(path.join(root, name)).catch((error: { code?: string }) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (!handle) return;
  try {
    const { size } = await handle.stat();
    yield { name, kind: "file", size, pieces: handle.createReadStream({ autoClose: false, highWaterMark: pieceBytes }) };
  } finally {
    await handle.close();
  }
}
