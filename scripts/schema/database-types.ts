import path from "node:path";
import type { Sql } from "postgres";
import { formatted } from "../formatted.ts";

export const typesFile = path.resolve(import.meta.dirname, "../../contract/database.ts");

/** Text of contract/database.ts for a migrated database. `sql` is the superuser's. */
export async function databaseTypes(sql: Sql): Promise<string> {
  const ask = async <Row>(query: string): Promise<Row[]> => (await sql.unsafe(query)) as unknown as Row[];
  const relations = await ask<Relation>(relationsQuery);
  const tables = relations.filter(({ kind }) => kind === "r");
  const views = relations.filter(({ kind }) => kind === "v");
  const composites = await ask<Relation>(compositesQuery);
  const enums = await ask<Enum>(enumsQuery);
  const functions = await ask<Call>(functionsQuery);
  const text = `${head}

export interface Database {
  public: {
    Tables: {${tables.map(table).join("\n")}};
    Views: {${views.map(view).join("\n")}};
    Functions: {${functions.map(call).join("\n")}};
    Enums: {${enums.map(({ name, labels }) => `${name}: ${labels.map((label) => JSON.stringify(label)).join(" | ")};`).join("\n")}};
    CompositeTypes: {${composites.map(({ name, columns }) => `${name}: {${columns.map(field).join("\n")}};`).join("\n")}};
  };
}

${tail}`;
  return await formatted(typesFile, text);
}

const head = `/** Made by \`npm run types\`: what PostgREST shows of the database, for its client. Never edited. */

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json | undefined };`;

const tail = `type Public = Database["public"];

/** A row of a table or view. */
export type RowOf<Name extends keyof (Public["Tables"] & Public["Views"])> = (Public["Tables"] & Public["Views"])[Name]["Row"];
/** What a function answers with. */
export type AnswerOf<Name extends keyof Public["Functions"]> = Public["Functions"][Name]["Returns"];
`;

interface Enum {
  name: string;
  labels: string[];
}
interface Column {
  name: string;
  type: string;
  nullable: boolean;
  optional?: boolean;
}
interface Relation {
  name: string;
  kind: "r" | "v";
  columns: Column[];
}
interface Call {
  name: string;
  set: boolean;
  args: Column[] | null;
  returns: string;
  columns: Column[] | null;
}

/** Name of a type; [] behind the element's name for an array. */
const typeOf = (id: string): string => `(
  select case when e.typnamespace <> 'public'::regnamespace then e.typname
      when e.typtype = 'e' then 'Enums.' || e.typname
      else case (select c.relkind from pg_class c where c.oid = e.typrelid) when 'r' then 'Tables.' when 'v' then 'Views.' else 'CompositeTypes.' end || e.typname end
    || case when e.oid <> t.oid then '[]' else '' end
  from pg_type t join pg_type e on e.oid = case when t.typcategory = 'A' then t.typelem else t.oid end where t.oid = ${id})`;

const enumsQuery = `
  select t.typname as name, array_agg(e.enumlabel::text order by e.enumsortorder) as labels
  from pg_type t join pg_enum e on e.enumtypid = t.oid where t.typnamespace = 'public'::regnamespace group by t.typname order by 1`;

/** A column of a view may be null if the same column of one of its tables may be; a computed column always may. */
const relationsQuery = `
  select c.relname as name, c.relkind::text as kind, json_agg(json_build_object(
      'name', a.attname, 'type', ${typeOf("a.atttypid")}, 'optional', a.atthasdef or a.attidentity <> '' or not a.attnotnull,
      'nullable', case when c.relkind = 'r' then not a.attnotnull else coalesce((
        select bool_or(not b.attnotnull) from information_schema.view_column_usage u
        join pg_attribute b on b.attrelid = format('%I.%I', u.table_schema, u.table_name)::regclass and b.attname = u.column_name
        where u.view_schema = 'public' and u.view_name = c.relname and u.column_name = a.attname and b.atttypid = a.atttypid), true) end
    ) order by a.attnum) as columns
  from pg_class c join pg_attribute a on a.attrelid = c.oid
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v') and a.attnum > 0 and not a.attisdropped
  group by c.oid, c.relname, c.relkind order by 1`;

/** An attribute of a composite type may be null if its comment begins with "Null". */
const compositesQuery = `
  select c.relname as name, json_agg(json_build_object('name', a.attname, 'type', ${typeOf("a.atttypid")},
    'nullable', coalesce(col_description(c.oid, a.attnum) like 'Null%', false)) order by a.attnum) as columns
  from pg_class c join pg_attribute a on a.attrelid = c.oid
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'c' and a.attnum > 0 and not a.attisdropped
  group by c.oid, c.relname order by 1`;

/** Functions that API roles may call. Arguments with a default are optional; most defaults are null. */
const functionsQuery = `
  select p.proname as name, p.proretset as set, ${typeOf("p.prorettype")} as returns,
    (select json_agg(json_build_object('name', a.name, 'type', ${typeOf("a.type")}, 'nullable', a.place > p.pronargs - p.pronargdefaults,
        'optional', a.place > p.pronargs - p.pronargdefaults) order by a.place)
      from unnest(p.proargtypes::oid[], p.proargnames[1:p.pronargs]) with ordinality as a (type, name, place)) as args,
    (select json_agg(json_build_object('name', a.name, 'type', ${typeOf("a.type")}, 'nullable', false) order by a.place)
      from unnest(p.proallargtypes, p.proargnames, p.proargmodes) with ordinality as a (type, name, mode, place) where a.mode = 't') as columns
  from pg_proc p
  where p.pronamespace = 'public'::regnamespace and p.prokind = 'f' and p.prorettype <> 'trigger'::regtype
    and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
    and (has_function_privilege('authenticated', p.oid, 'execute') or has_function_privilege('anon', p.oid, 'execute')
      or has_function_privilege('service_role', p.oid, 'execute'))
  order by 1`;

const scalars: Record<string, string> = {
  bool: "boolean",
  int2: "number",
  int4: "number",
  int8: "number",
  float8: "number",
  numeric: "number",
  json: "Json",
  jsonb: "Json",
  void: "null",
};

/** In JSON, everything but numbers, booleans and JSON is a string. */
function typescript(type: string): string {
  const [, place, name = "", list] = /^(?:(\w+)\.)?(\w+)(\[\])?$/.exec(type) ?? [];
  const inside = place && `Database["public"]["${place}"]["${name}"]${place === "Tables" || place === "Views" ? `["Row"]` : ""}`;
  return `${inside ?? scalars[name] ?? "string"}${list ?? ""}`;
}

const given = (type: string): string => (type === "json" || type === "jsonb" ? "unknown" : typescript(type));

const field = ({ name, type, nullable }: Column): string => `${name}: ${typescript(type)}${nullable ? " | null" : ""};`;
const input = ({ name, type, nullable, optional }: Column): string =>
  `${name}${optional ? "?" : ""}: ${given(type)}${nullable ? " | null" : ""};`;

const table = ({ name, columns }: Relation): string => `${name}: {
  Row: {${columns.map(field).join("\n")}};
  Insert: {${columns.map(input).join("\n")}};
  Update: {${columns.map((column) => input({ ...column, optional: true })).join("\n")}};
  Relationships: [];
};`;

const view = ({ name, columns }: Relation): string => `${name}: { Row: {${columns.map(field).join("\n")}}; Relationships: [] };`;

function call({ name, set, args, returns, columns }: Call): string {
  const answer = columns ? `{${columns.map(field).join("\n")}}` : typescript(returns);
  return `${name}: {
    Args: ${args ? `{${args.map(input).join("\n")}}` : "Record<PropertyKey, never>"};
    Returns: ${answer}${set ? "[]" : ""};
  };`;
}
