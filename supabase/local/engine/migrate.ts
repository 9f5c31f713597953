import fs from "node:fs";
import path from "node:path";
import type { Sql, TransactionSql } from "postgres";
import { StartError } from "../start-error.ts";

/**
 * Applies what is new in supabase/migrations and keeps the history where `supabase db push` keeps it. All or nothing: after an upgrade
 * that fails, the version before goes on with the data as it was. `owner` is a connection as role postgres, as on hosted. Returns how many
 * were applied; throws a StartError for data that a newer version has already changed, and for two files with one version.
 *
 * The first migration, the baseline, stands for all those of migrations-before-baseline: data that has some of them gets the others, and then the
 * baseline takes their place in the history.
 */
export async function migrate(owner: Sql, folder: string): Promise<number> {
  const rows = await owner<{ version: string }[]>`select version from supabase_migrations.schema_migrations`;
  const applied = new Set(rows.map(({ version }) => version));
  const known = migrationsIn(folder);
  const former = migrationsIn(formerFolder(folder));
  const unknown = [...applied].find((version) => ![...known, ...former].some((migration) => migration.version === version));
  if (unknown)
    throw new StartError(
      `The data has migration ${unknown}, which this version does not know: start the version that made it, or a newer one.`,
    );
  const [baseline] = known;
  const beforeBaseline = baseline !== undefined && former.some(({ version }) => applied.has(version));
  const missing = beforeBaseline ? former.filter(({ version }) => !applied.has(version)) : [];
  if (beforeBaseline) applied.add(baseline.version);
  const pending = known.filter(({ version }) => !applied.has(version));
  await owner.begin(async (transaction) => {
    for (const migration of missing) await apply(transaction, formerFolder(folder), migration);
    if (beforeBaseline) {
      await transaction`delete from supabase_migrations.schema_migrations where version = any (${former.map(({ version }) => version)})`;
      await record(transaction, baseline, fs.readFileSync(path.join(folder, baseline.file), "utf8"));
    }
    for (const migration of pending) await apply(transaction, folder, migration);
  });
  return missing.length + pending.length;
}

const formerFolder = (folder: string): string => path.join(folder, "../migrations-before-baseline");

async function apply(transaction: TransactionSql, folder: string, migration: Migration): Promise<void> {
  const { file } = migration;
  const text = fs.readFileSync(path.join(folder, file), "utf8");
  await transaction.unsafe(text).catch((error: Error & { position?: string; where?: string }) => {
    throw new StartError(
      `Migration ${file} does not apply: ${error.message}${lineOf(text, error.position)}${error.where ? ` (${error.where})` : ""}`,
    );
  });
  await record(transaction, migration, text);
}

async function record(transaction: TransactionSql, { version, name }: Migration, text: string): Promise<void> {
  await transaction`insert into supabase_migrations.schema_migrations (version, statements, name) values (${version}, ${[text]}, ${name})`;
}

interface Migration {
  file: string;
  version: string;
  name: string;
}

/** In the order in which they apply. The history knows a migration by its version alone, so each has one of its own. */
export function migrationsIn(folder: string): Migration[] {
  if (!fs.existsSync(folder)) return [];
  const migrations = fs
    .readdirSync(folder)
    .sort()
    .flatMap((file) => {
      const [, version, name] = /^(\d+)_(.*)\.sql$/.exec(file) ?? [];
      return version && name ? [{ file, version, name }] : [];
    });
  for (const [index, { file, version }] of migrations.entries()) {
    const before = migrations[index - 1];
    if (before?.version === version)
      throw new StartError(`The migrations ${before.file} and ${file} have the same version ${version}: rename one of them.`);
  }
  return migrations;
}

const lineOf = (text: string, position: string | undefined): string =>
  position ? `, line ${text.slice(0, Number(position)).split("\n").length}` : "";
