import fs from "node:fs";
import path from "node:path";
import { parse } from "smol-toml";
import { migrate } from "../../supabase/local/engine/migrate.ts";
import { readCatalog } from "./catalog.ts";
import { type Cluster, inScratchDatabase } from "./scratch-database.ts";

const migrations = path.resolve(import.meta.dirname, "../../supabase/migrations");

/** What a database is after all migrations of a folder. */
export const catalogOfMigrations = (cluster: Cluster, folder = migrations): Promise<Map<string, string>> =>
  inScratchDatabase(cluster, async (owner, admin) => {
    await migrate(owner, folder);
    return readCatalog(admin);
  });

/** What a database is that was made from supabase/schemas. */
export const catalogOfSchemas = (cluster: Cluster): Promise<Map<string, string>> =>
  inScratchDatabase(cluster, async (owner, admin) => {
    for (const { name, text } of schemaFiles())
      await owner.unsafe(text).catch((cause: Error & { position?: string }) => {
        const line = cause.position ? `:${text.slice(0, Number(cause.position)).split("\n").length}` : "";
        throw new Error(`supabase/${name}${line} ${cause.message}`, { cause });
      });
    return readCatalog(admin);
  });

const root = path.resolve(import.meta.dirname, "../..");

/** The files of supabase/schemas in the order in which they apply, as `schema_paths` of supabase/config.toml names them. */
function schemaFiles(): { name: string; text: string }[] {
  const supabase = path.join(root, "supabase");
  const config = parse(fs.readFileSync(path.join(supabase, "config.toml"), "utf8")) as { db: { migrations: { schema_paths: string[] } } };
  const files = config.db.migrations.schema_paths.flatMap((pattern) => fs.globSync(pattern, { cwd: supabase }).toSorted());
  return files.map((name) => ({ name, text: fs.readFileSync(path.join(supabase, name), "utf8") }));
}
