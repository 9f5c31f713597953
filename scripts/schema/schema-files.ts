import fs from "node:fs";
import path from "node:path";
import { parse } from "smol-toml";

const root = path.resolve(import.meta.dirname, "../..");

/** The files of supabase/schemas in the order in which they apply, as `schema_paths` of supabase/config.toml names them. */
export function schemaFiles(): { name: string; text: string }[] {
  const supabase = path.join(root, "supabase");
  const config = parse(fs.readFileSync(path.join(supabase, "config.toml"), "utf8")) as { db: { migrations: { schema_paths: string[] } } };
  const files = config.db.migrations.schema_paths.flatMap((pattern) => fs.globSync(pattern, { cwd: supabase }).toSorted());
  return files.map((name) => ({ name, text: fs.readFileSync(path.join(supabase, name), "utf8") }));
}
