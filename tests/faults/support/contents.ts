import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import postgres from "postgres";

/** Social images are rendered and the clock's jobs run at any time, so they are excluded. */
const conditions: Readonly<Record<string, string>> = {
  "storage.objects": "bucket_id <> 'link-pictures'",
  "private.discarded_files": "bucket <> 'link-pictures'",
  "private.jobs": "task like 'send%'",
};

/** Every row of every logged table outside Postgres' own schemas, as `schema.table` → sorted JSON, and every sequence's value. */
export async function rowsOf(dbUrl: string): Promise<Record<string, string[]>> {
  const sql = postgres(dbUrl, { max: 1, onnotice: () => {} });
  try {
    const tables = await sql<{ name: string }[]>`
      select format('%s.%I', relnamespace::regnamespace, relname) as name from pg_class
      where relkind = 'r' and relpersistence = 'p' and relnamespace::regnamespace::text not in ('pg_catalog', 'information_schema') order by 1
    `;
    const result: Record<string, string[]> = {};
    for (const { name } of tables) {
      if (["private.link_pictures", "private.sign_up_rule", "private.machine"].includes(name)) continue;
      const condition = conditions[name] ?? "true";
      const rows = await sql.unsafe<{ row: string }[]>(`select to_jsonb(t)::text as row from ${name} t where ${condition} order by 1`);
      result[name] = rows.map(({ row }) => row);
    }
    const sequences = await sql<{ name: string; value: string | null }[]>`
      select format('%I.%I', schemaname, sequencename) as name, last_value::text as value from pg_sequences order by 1
    `;
    for (const { name, value } of sequences) result[name] = [String(value)];
    const settled = await sql<{ name: string; acl: string }[]>`
      select c.oid::regclass::text as name, c.relacl::text as acl from pg_class c
      where c.relacl is not null and c.relnamespace::regnamespace::text not in ('pg_catalog', 'information_schema') order by 1
    `;
    result["rights"] = settled.map(({ name, acl }) => `${name} ${acl}`);
    return result;
  } finally {
    await sql.end();
  }
}

export function filesOf(folder: string): Record<string, string> {
  if (!fs.existsSync(folder)) return {};
  const names = fs.readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted();
  const files = names.filter((name) => fs.statSync(path.join(folder, name)).isFile() && !name.split(path.sep).includes("link-pictures"));
  return Object.fromEntries(
    files.map((name) => [
      name,
      createHash("sha256")
        .update(fs.readFileSync(path.join(folder, name)))
        .digest("hex"),
    ]),
  );
}
