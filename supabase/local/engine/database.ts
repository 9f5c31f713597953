import fs from "node:fs";
import path from "node:path";
import type { Sql } from "postgres";
import { bytesOf, type ProjectConfig } from "../config.ts";
import { hasMigrations, migrate, pendingMigrations, refuseOtherVersions } from "./migrate.ts";
import { connect } from "./postgres.ts";
import { type AuthName, projectRoot } from "../settings.ts";
import { StartError } from "../start-error.ts";

const bootstrap = path.join(import.meta.dirname!, "bootstrap");
const migrations = path.join(projectRoot, "supabase/migrations");

async function run(sql: Sql, ...files: string[]): Promise<void> {
  for (const file of files) await sql.unsafe(fs.readFileSync(path.join(bootstrap, file), "utf8"));
}

/**
 * Creates roles and extensions before lite's schemas. Throws a StartError for another version's data or another auth service's accounts.
 * `beforeChanges` runs once the data is accepted.
 */
export async function prepareCluster(
  sql: Sql,
  ownerPassword: string,
  auth: AuthName,
  beforeChanges: (isBehind: boolean) => Promise<void>,
): Promise<void> {
  await refuseOtherVersions(sql, migrations);
  await refuseOtherAuth(sql, auth);
  if (await hasMigrations(sql)) await beforeChanges((await pendingMigrations(sql, migrations)).length > 0);
  await run(sql, "1-roles.sql", "2-realtime.sql");
  await sql.begin(async (transaction) => {
    await transaction`select set_config('tidings.password', ${ownerPassword}, true)`; // parameters aren't logged, statements can be
    await transaction.unsafe("do $$ begin execute format('alter role postgres password %L', current_setting('tidings.password')); end $$");
  });
}

/** The auth services' schemas are incompatible. GoTrue keeps a migrations table there. */
async function refuseOtherAuth(sql: Sql, auth: AuthName): Promise<void> {
  const [row] = await sql<{ any: boolean; gotrue: boolean }[]>`
    select to_regclass('auth.users') is not null as any, to_regclass('auth.schema_migrations') is not null as gotrue
  `;
  const dataAuth: AuthName = row?.gotrue ? "gotrue" : "lite";
  if (row?.any && dataAuth !== auth)
    throw new StartError(
      `The accounts of this data were created with TIDINGS_AUTH=${dataAuth} and were left untouched. Start with TIDINGS_AUTH=${dataAuth}. ` +
        "To change it, export each workspace under Settings and import the files into a new data folder.",
    );
}

/** Adds hosted's definitions and grants after lite's schemas, then runs the migrations as role postgres. */
export async function finishDatabase(sql: Sql, ownerUrl: string): Promise<void> {
  await run(sql, "3-after-lite.sql");
  const owner = connect(ownerUrl, 1);
  try {
    await sql.unsafe(`grant ${policyOwners} to postgres`);
    const applied = await migrate(owner, migrations);
    if (applied > 0) void sql`checkpoint`.catch(() => {}); // shortens recovery after a crash
  } finally {
    await owner.end();
    await sql.unsafe(`revoke ${policyOwners} from postgres`);
  }
}

/** Membership replaces hosted's supautils.policy_grants: migrations create policies on tables that postgres doesn't own. */
const policyOwners = "supabase_storage_admin, supabase_realtime_admin";

export async function createBuckets(sql: Sql, { storage }: ProjectConfig): Promise<void> {
  for (const [name, bucket] of Object.entries(storage.buckets ?? {})) {
    const limit = bytesOf(bucket.file_size_limit ?? storage.file_size_limit);
    await sql`
      insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
      values (${name}, ${name}, ${bucket.public ?? false}, ${limit}, ${bucket.allowed_mime_types ?? null})
      on conflict (id) do update set public = excluded.public, file_size_limit = excluded.file_size_limit, allowed_mime_types = excluded.allowed_mime_types
    `;
  }
}

export async function newestPublicWorkspace(sql: Sql): Promise<string | null> {
  const [row] = await sql<{ subdomain: string }[]>`
    select subdomain::text from public.workspaces where public_changelog_enabled order by created_at desc limit 1
  `;
  return row?.subdomain ?? null;
}

export async function hasAccount(sql: Sql, email?: string): Promise<boolean> {
  const rows = await sql`select from auth.users where ${email === undefined ? sql`true` : sql`email = ${email}`} limit 1`;
  return rows.length > 0;
}

/** Times out after a second. */
export function answersQueries(sql: Sql): Promise<boolean> {
  const ping = sql`select 1`.then(
    () => true,
    () => false,
  );
  return Promise.race([ping, new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 1_000))]);
}
