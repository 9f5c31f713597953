import fs from "node:fs";
import path from "node:path";
import type { Sql, TransactionSql } from "postgres";
import { StartError } from "../start-error.ts";

/** Applies new migrations in one transaction; returns their number. Throws a StartError if one fails or two share a version. */
export async function migrate(owner: Sql, folder: string): Promise<number> {
  const pending = await pendingMigrations(owner, folder);
  await owner.begin(async (transaction) => {
    for (const migration of pending) await apply(transaction, folder, migration);
  });
  return pending.length;
}

export async function pendingMigrations(sql: Sql, folder: string): Promise<Migration[]> {
  const rows = await sql<{ version: string }[]>`select version from supabase_migrations.schema_migrations`;
  const applied = new Set(rows.map(({ version }) => version));
  return migrationsIn(folder).filter(({ version }) => !applied.has(version));
}

export async function hasMigrations(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ exists: boolean }[]>`select to_regclass('supabase_migrations.schema_migrations') is not null as exists`;
  return row!.exists && (await sql`select from supabase_migrations.schema_migrations limit 1`).length > 0;
}

/** Throws a StartError for unknown or changed migrations. Changes nothing. */
export async function refuseOtherVersions(sql: Sql, folder: string): Promise<void> {
  if (!(await hasMigrations(sql))) return;
  const texts = new Map(migrationsIn(folder).map(({ version, file }) => [version, fs.readFileSync(path.join(folder, file), "utf8")]));
  const rows = await sql<{ version: string; text: string | null }[]>`
    select version, case when cardinality(statements) = 1 then statements[1] end as text
    from supabase_migrations.schema_migrations order by version
  `; // the CLI records each statement
  const other = rows.find(({ version, text }) => texts.get(version) !== (text ?? texts.get(version)) || !texts.has(version));
  if (other)
    throw new StartError(
      `This data is from another version of Tidings (migration ${other.version}) and was left untouched. ` +
        "To move it into a new folder, see docs/upgrade.md.",
    );
}

async function apply(transaction: TransactionSql, folder: string, { file, version, name }: Migration): Promise<void> {
  const text = fs.readFileSync(path.join(folder, file), "utf8");
  await transaction.unsafe(text).catch((error: Error & { position?: string; where?: string }) => {
    throw new StartError(
      `Migration ${file} can't be applied: ${error.message}${lineOf(text, error.position)}${error.where ? ` (${error.where})` : ""}`,
    );
  });
  await transaction`insert into supabase_migrations.schema_migrations (version, statements, name) values (${version}, ${[text]}, ${name})`;
}

interface Migration {
  file: string;
  version: string;
  name: string;
}

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
