import type { Sql, TransactionSql } from "postgres";

export type Counts = Record<string, number>;

/** Auth tables that move. Sessions don't, because the other installation signs tokens with other keys. */
const authTables = ["auth.users", "auth.identities"];

/** Links emailed earlier point to the old installation. The auth service expects '' for none. */
const mailedTokens = [
  "confirmation_token",
  "recovery_token",
  "email_change_token_new",
  "email_change_token_current",
  "reauthentication_token",
];
const wantedTexts = [...mailedTokens, "email_change", "phone_change", "phone_change_token"];

const batchSize = 500;

export async function obstacles(source: Sql, target: Sql): Promise<string[]> {
  const versions = (sql: Sql) => sql<{ version: string }[]>`select version from supabase_migrations.schema_migrations order by 1`;
  const [ours, theirs] = await Promise.all([versions(source), versions(target).catch(() => null)]);
  if (!theirs) return ['The target has no schema of Tidings yet: "npm run deploy" first.'];
  if (ours.length !== theirs.length || ours.some(({ version }, index) => version !== theirs[index]?.version))
    return ["The target has other migrations than the source: bring both to the same version first."];
  const [targetHas] = await target<{ people: boolean; workspaces: boolean }[]>`
    select exists (select from auth.users) as people, exists (select from public.workspaces) as workspaces`;
  return targetHas?.people || targetHas?.workspaces
    ? ["The target has people or workspaces already; only an empty one can be moved to."]
    : [];
}

export const programTables = [
  "private.key_calls",
  "private.job_tasks",
  "private.reserved_subdomains",
  "private.sign_up_rule",
  "private.machine",
];

/** Accounts first, then our tables; private ones last, since some triggers always fire and write there. */
async function tablesOf(source: Sql): Promise<string[]> {
  const ours = await source<{ name: string }[]>`
    select format('%I.%I', relnamespace::regnamespace, relname) as name from pg_class
    where relkind = 'r' and relpersistence = 'p' and relnamespace in ('public'::regnamespace, 'private'::regnamespace)
    order by relnamespace = 'private'::regnamespace, 1`;
  return [...authTables, ...ours.map(({ name }) => name).filter((name) => !programTables.includes(name))];
}

export interface Differences {
  missing: string[];
  leftOut: Counts;
}

export async function differences(source: Sql, target: Sql): Promise<Differences> {
  const result: Differences = { missing: [], leftOut: {} };
  const theirs = new Set(await tablesOf(target));
  for (const table of await tablesOf(source)) {
    const rows = await countRows(source, table);
    if (rows === 0) continue;
    if (!theirs.has(table)) {
      result.leftOut[table] = rows;
      continue;
    }
    const [ours, targetColumns] = await Promise.all([columnsOf(source, table), columnsOf(target, table)]);
    const [ourNames, wantedNames] = [ours, targetColumns].map((columns) => new Set(columns.map(({ name }) => name)));
    for (const { name, isRequired } of targetColumns)
      if (isRequired && !ourNames!.has(name)) result.missing.push(`Column ${name} of ${table} is new and has no default for ${rows} rows.`);
    if (authTables.includes(table)) continue;
    for (const { name } of ours) {
      const filled = wantedNames!.has(name) ? 0 : await countRows(source, table, name);
      if (filled > 0) result.leftOut[`${table}.${name}`] = filled;
    }
  }
  return result;
}

async function countRows(sql: Sql, table: string, column?: string): Promise<number> {
  const [row] = await sql.unsafe<{ count: string }[]>(`select count(${column === undefined ? "*" : `"${column}"`}) as count from ${table}`);
  return Number(row!.count);
}

interface Column {
  name: string;
  isRequired: boolean;
}

const columnsOf = (sql: Sql | TransactionSql, table: string): Promise<Column[]> =>
  sql<Column[]>`
    select attname as name, attnotnull and not atthasdef and attidentity = '' as "isRequired" from pg_attribute
    where attrelid = to_regclass(${table}) and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`;

/** Copies all rows in one transaction, with triggers disabled. `more` names further tables. */
export async function moveRows(source: Sql, target: Sql, more: string[] = []): Promise<Counts> {
  const theirs = new Set([...(await tablesOf(target)), ...more]);
  const tables = [...(await tablesOf(source)), ...more].filter((table) => theirs.has(table));
  return await source.begin("isolation level repeatable read read only", async (from) =>
    target.begin(async (to) => {
      await to`set local session_replication_role = replica`;
      const counts: Counts = {};
      for (const table of tables) counts[table] = await moveTable(from, to, table);
      await moveSequences(from, to);
      return counts;
    }),
  );
}

async function moveTable(from: TransactionSql, to: TransactionSql, table: string): Promise<number> {
  const columns = await sharedColumns(from, to, table);
  const list = columns.map((name) => `"${name}"`).join(", ");
  await to.unsafe(`delete from ${table}`);
  let moved = 0;
  for await (const rows of from.unsafe(`select ${rowOf(table)} as row from ${table} t`).cursor(batchSize)) {
    const batch = `[${rows.map(({ row }) => row as string).join(",")}]`;
    await to.unsafe(
      `insert into ${table} (${list}) overriding system value select ${list} from jsonb_populate_recordset(null::${table}, $1::text::jsonb)`,
      [batch],
    );
    moved += rows.length;
  }
  return moved;
}

/** A row as JSON text, because JavaScript would round numbers. */
function rowOf(table: string): string {
  if (table !== "auth.users") return "to_jsonb(t)::text";
  const texts = wantedTexts.map((name) => `'${name}', ${mailedTokens.includes(name) ? "''" : `coalesce(to_jsonb(t)->>'${name}', '')`}`);
  return `(to_jsonb(t) || jsonb_build_object('instance_id', '00000000-0000-0000-0000-000000000000', ${texts.join(", ")}))::text`;
}

async function sharedColumns(from: TransactionSql, to: TransactionSql, table: string): Promise<string[]> {
  const [ours, theirs] = await Promise.all([columnsOf(from, table), columnsOf(to, table)]);
  const available = new Set(ours.map(({ name }) => name).concat(table === "auth.users" ? wantedTexts : []));
  return theirs.map(({ name }) => name).filter((name) => available.has(name));
}

async function moveSequences(from: TransactionSql, to: TransactionSql): Promise<void> {
  const sequences = await from<{ name: string; value: string }[]>`
    select format('%I.%I', schemaname, sequencename) as name, last_value::text as value from pg_sequences
    where schemaname in ('public', 'private') and last_value is not null`;
  for (const { name, value } of sequences)
    await to`select setval(sequence, ${value}::bigint) from to_regclass(${name}) sequence where sequence is not null`;
}
