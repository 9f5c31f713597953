import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { migrationsIn } from "../../supabase/local/engine/migrate.ts";
import { freePort } from "../support/stack.ts";
import { rowsOf } from "./support/contents.ts";
import { makeVersion, type Version } from "./support/version.ts";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "tidings-upgrade-"));
const dataDir = path.join(folder, "data");
const last = "29990101000000_seen.sql";
let [old, next, broken, other]: Version[] = [];

const add = (text: string, ...names: string[]) => {
  return (migrations: string) => names.forEach((name) => fs.writeFileSync(path.join(migrations, name), text));
};

beforeAll(() => {
  old = makeVersion(path.join(folder, "old"), () => {});
  next = makeVersion(path.join(folder, "next"), add("alter table public.posts add column seen boolean not null default false;", last));
  broken = makeVersion(path.join(folder, "broken"), (migrations) => {
    add("alter table public.posts add column seen boolean not null default false;", last)(migrations);
    add("alter table public.posts add column seen text;", "29990101000001_broken.sql")(migrations);
  });
  other = makeVersion(path.join(folder, "other"), (migrations) => {
    for (const { file } of migrationsIn(migrations)) fs.appendFileSync(path.join(migrations, file), "\n-- another baseline\n");
  });
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

/** Starts a version, looks at every row, stops it. */
async function contents(version: Version, act: (dbUrl: string) => Promise<void> = async () => {}): Promise<Record<string, string[]>> {
  const stack = await version.start(dataDir, await freePort());
  try {
    await act(stack.dbUrl);
    return await rowsOf(stack.dbUrl);
  } finally {
    await stack.stop();
  }
}

async function write(dbUrl: string): Promise<void> {
  const sql = postgres(dbUrl, { max: 1, onnotice: () => {} });
  await sql`insert into auth.users (id, aud, role, email, email_confirmed_at, raw_user_meta_data)
    select gen_random_uuid(), 'authenticated', 'authenticated', n || '@example.com', now(), '{"full_name": "Ann"}' from generate_series(1, 5) n`;
  await sql`with place as (insert into public.workspaces (name, subdomain, origin) values ('Acme', 'acme-upgrade', 'https://acme.example') returning id)
    insert into public.posts (workspace_id, title, content_raw, created_by)
    select place.id, 'Post ' || n, '{"time": 0, "blocks": [], "version": "2.28.2"}', (select id from auth.users limit 1) from place, generate_series(1, 50) n`;
  await sql.end();
}

let before: Record<string, string[]>;

test("an upgrade that fails says which migration and leaves the data as it was: the version before goes on", async () => {
  before = await contents(old!, write);
  expect(before["public.posts"]).toHaveLength(50);
  await expect(broken!.start(dataDir, await freePort())).rejects.toThrow(
    /^Migration 29990101000001_broken\.sql does not apply: column "seen" of relation "posts" already exists/,
  );
  const after = await contents(old!);
  expect(after).toEqual(before);
  console.log(`a failed upgrade: ${Object.values(after).flat().length} rows, all as before`);
});

test("a new version starts on old data, applies what is new, and keeps every row", async () => {
  const after = await contents(next!);
  for (const table of ["auth.users", "public.profiles", "public.workspaces"]) {
    expect([table, after[table]]).toEqual([table, before[table]]);
  }
  // Columns that came later may stand beside the old ones.
  for (const [table, more] of Object.entries({ "public.posts": { seen: false }, "public.post_revisions": {} })) {
    const kept = before[table]!.map((row) => expect.objectContaining({ ...(JSON.parse(row) as object), ...more }) as object);
    const rows = after[table]!.map((row) => JSON.parse(row) as object);
    expect([table, rows.length]).toEqual([table, kept.length]);
    expect(rows).toEqual(expect.arrayContaining(kept));
  }
  const versions = after["supabase_migrations.schema_migrations"]!.map((row) => (JSON.parse(row) as { version: string }).version);
  expect(versions.toSorted()).toEqual([...migrationsIn("supabase/migrations").map(({ version }) => version), last.slice(0, 14)]);
});

test.each([
  ["an old version", () => old, "29990101000000"],
  ["a version with another baseline", () => other, "20261127000000"],
])("%s refuses the data of a newer one and changes nothing", async (_, version, migration) => {
  const before = await contents(next!);
  await expect(version()!.start(dataDir, await freePort())).rejects.toThrow(
    `This data was made by another version of Tidings (migration ${migration}) and was left untouched. Start that version to export each workspace`,
  );
  expect(await contents(next!)).toEqual(before);
});
