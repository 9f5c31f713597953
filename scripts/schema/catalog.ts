import type { ISql } from "postgres";

/** A database as sorted, comparable lines: our objects in its catalogue and the rows from migrations. Column order is ignored: new columns come last. */
export async function readCatalog(sql: ISql): Promise<Map<string, string>> {
  const lines = new Map<string, string>();
  for (const query of queries) {
    const rows = (await sql.unsafe(query)) as unknown as { object: string; says: string | null }[];
    for (const { object, says } of rows) lines.set(object, says ?? "");
  }
  const more = (await sql.unsafe(`select to_regclass('cron.job') is not null as jobs`)) as unknown as { jobs: boolean }[];
  if (more[0]?.jobs) {
    const rows = (await sql.unsafe(jobs)) as unknown as { object: string; says: string }[];
    for (const { object, says } of rows) lines.set(object, says);
  }
  return new Map([...lines].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** One object a line: `- object` is only in the first, `+ object` only in the second, `~ object` differs. */
export function differences(first: Map<string, string>, second: Map<string, string>): string[] {
  const names = [...new Set([...first.keys(), ...second.keys()])].toSorted();
  return names.flatMap((name) => {
    const [here, there] = [first.get(name), second.get(name)];
    if (here === there) return [];
    if (there === undefined) return [`- ${name}: ${here}`];
    if (here === undefined) return [`+ ${name}: ${there}`];
    return [`~ ${name}: ${here} → ${there}`];
  });
}

const ours = `n.nspname in ('public', 'private')`;
const notOfAnExtension = (id: string) => `not exists (select from pg_depend d where d.objid = ${id} and d.deptype = 'e')`;
const rights = (acl: string) =>
  `coalesce((select string_agg(entry::text, ' ' order by entry::text) from unnest(${acl}) as entry), 'as built in')`;

const queries = [
  `select 'schema ' || nspname as object, concat_ws(' | ', nspowner::regrole, ${rights("nspacl")}) as says
   from pg_namespace n where ${ours} or nspname = 'extensions'`,

  `select 'extension ' || extname as object, extnamespace::regnamespace::text as says from pg_extension`,

  `select 'rights on new objects of ' || concat_ws(' ', defaclrole::regrole, nullif(defaclnamespace, 0)::regnamespace, defaclobjtype) as object,
     ${rights("defaclacl")} as says
   from pg_default_acl where defaclrole = 'postgres'::regrole`,

  `select 'enum ' || t.oid::regtype as object, string_agg(e.enumlabel, ', ' order by e.enumsortorder) || ' | ' || ${rights("min(t.typacl::text)::aclitem[]")} as says
   from pg_type t join pg_namespace n on n.oid = t.typnamespace join pg_enum e on e.enumtypid = t.oid where ${ours} group by t.oid`,

  // Order: rows of composite types are built by position.
  `select 'composite type ' || c.oid::regclass as object,
     string_agg(a.attname || ' ' || format_type(a.atttypid, a.atttypmod), ', ' order by a.attnum) as says
   from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
   where ${ours} and c.relkind = 'c' and a.attnum > 0 and not a.attisdropped group by c.oid`,

  `select case c.relkind when 'S' then 'sequence ' when 'v' then 'view ' else 'table ' end || c.oid::regclass as object,
     concat_ws(' | ', c.relkind, c.relpersistence, c.relowner::regrole, c.reloptions::text, case when c.relrowsecurity then 'row-level security' end,
       case when c.relforcerowsecurity then 'forced' end, c.relreplident, ${rights("c.relacl")}, case when c.relkind in ('v', 'm') then pg_get_viewdef(c.oid) end) as says
   from pg_class c join pg_namespace n on n.oid = c.relnamespace
   where ${ours} and c.relkind in ('r', 'p', 'v', 'm', 'S', 'f') and ${notOfAnExtension("c.oid")}`,

  `select 'column ' || c.oid::regclass || '.' || a.attname as object,
     concat_ws(' | ', format_type(a.atttypid, a.atttypmod), nullif(a.attcollation, t.typcollation)::regcollation, case when a.attnotnull then 'not null' end,
       pg_get_expr(d.adbin, d.adrelid), nullif(a.attidentity, ''), nullif(a.attgenerated, ''), a.attstorage, nullif(a.attcompression, ''),
       ${rights("a.attacl")}) as says
   from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace join pg_type t on t.oid = a.atttypid
   left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
   where ${ours} and c.relkind in ('r', 'p', 'v', 'm', 'f') and a.attnum > 0 and not a.attisdropped`,

  `select 'constraint ' || o.conname || ' on ' || o.conrelid::regclass as object, pg_get_constraintdef(o.oid) as says
   from pg_constraint o join pg_namespace n on n.oid = o.connamespace where ${ours} and o.conrelid <> 0 and o.contype <> 'n'`,

  `select 'index ' || i.indexrelid::regclass as object, pg_get_indexdef(i.indexrelid) || case when i.indisvalid then '' else ' | invalid' end as says
   from pg_index i join pg_class c on c.oid = i.indexrelid join pg_namespace n on n.oid = c.relnamespace where ${ours}`,

  `select 'function ' || p.oid::regprocedure as object,
     concat_ws(' | ', p.proowner::regrole, ${rights("p.proacl")}, pg_get_functiondef(p.oid)) as says
   from pg_proc p join pg_namespace n on n.oid = p.pronamespace where ${ours} and p.prokind in ('f', 'p') and ${notOfAnExtension("p.oid")}`,

  // Triggers of the services' tables that call our functions, too.
  `select 'trigger ' || t.tgname || ' on ' || t.tgrelid::regclass as object, pg_get_triggerdef(t.oid) || ' | ' || t.tgenabled::text as says
   from pg_trigger t join pg_proc p on p.oid = t.tgfoid join pg_namespace n on n.oid = p.pronamespace where ${ours} and not t.tgisinternal`,

  `select 'policy "' || polname || '" on ' || polrelid::regclass as object,
     concat_ws(' | ', polcmd, polpermissive, polroles::regrole[]::text, pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid)) as says
   from pg_policy`,

  `select 'publication ' || pubname || ' of ' || schemaname || '.' || tablename as object, attnames::text as says from pg_publication_tables`,

  `select 'event trigger ' || evtname as object, evtevent || ' ' || evtfoid::regproc as says from pg_event_trigger`,

  `select 'comment on ' || pg_describe_object(d.classoid, d.objoid, d.objsubid) as object, d.description as says
   from pg_description d join pg_class c on d.classoid = 'pg_class'::regclass and c.oid = d.objoid join pg_namespace n on n.oid = c.relnamespace where ${ours}
   union all
   select 'comment on ' || pg_describe_object(d.classoid, d.objoid, d.objsubid), d.description
   from pg_description d join pg_proc p on d.classoid = 'pg_proc'::regclass and p.oid = d.objoid join pg_namespace n on n.oid = p.pronamespace
   where ${ours} and ${notOfAnExtension("p.oid")}`,

  `select 'bucket ' || id as object, (to_jsonb(b) - '{created_at,updated_at}'::text[])::text as says from storage.buckets b`,
  `select 'reserved subdomains' as object, string_agg(label, ' ' order by label) as says from private.reserved_subdomains`,
  `select 'calls of keys' as object, string_agg(c::text, ' ' order by call) as says from private.key_calls c`,
  `select 'installation' as object, string_agg(i::text, ' ') as says from private.installation i`,
];

const jobs = `select 'job ' || jobname as object, concat_ws(' | ', schedule, command, active) as says from cron.job`;
