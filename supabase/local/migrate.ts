import fs from "node:fs";
import path from "node:path";
import type { Sql } from "postgres";
import { StartError } from "./start-error.ts";

/**
 * Applies what is new in supabase/migrations, each file in one transaction, and keeps the history where `supabase db push` keeps it.
 * `owner` is a connection as role postgres, as on hosted. Returns how many were applied.
 */
export async function migrate(owner: Sql, folder: string): Promise<number> {
  const rows = await owner<{ version: string }[]>`select version from supabase_migrations.schema_migrations`;
  const applied = new Set(rows.map(({ version }) => version));
  const pending = migrationsIn(folder).filter(({ version }) => !applied.has(version));
  for (const { file, version, name } of pending) {
    const text = fs.readFileSync(path.join(folder, file), "utf8");
    await owner
      .begin(async (transaction) => {
        await transaction.unsafe(text);
        await transaction`insert into supabase_migrations.schema_migrations (version, statements, name) values (${version}, ${[text]}, ${name})`;
      })
      .catch((error: Error & { position?: string; where?: string }) => {
        throw new StartError(
          `Migration ${file} does not apply: ${error.message}${lineOf(text, error.position)}${error.where ? ` (${error.where})` : ""}`,
        );
      });
  }
  return pending.length;
}

function migrationsIn(folder: string): { file: string; version: string; name: string }[] {
  if (!fs.existsSync(folder)) return [];
  return fs
    .readdirSync(folder)
    .sort()
    .flatMap((file) => {
      const [, version, name] = /^(\d+)_(.*)\.sql$/.exec(file) ?? [];
      return version && name ? [{ file, version, name }] : [];
    });
}

const lineOf = (text: string, position: string | undefined): string =>
  position ? `, line ${text.slice(0, Number(position)).split("\n").length}` : "";
