import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import zlib from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { migrationsIn } from "../../supabase/local/engine/migrate.ts";
import { run, type RunningStack, startStack } from "../support/stack.ts";
import { filesOf, rowsOf } from "./support/contents.ts";

/**
 * fixtures/ holds the demo workspace as an earlier version kept it: the entries of a backup (supabase/local/service/backup-first-format.ts), without its
 * first bytes and with Brotli instead of gzip, and every row and file by which that version knew it. Its keys were made for it alone.
 */
const fixture = (name: string): Buffer =>
  zlib.brotliDecompressSync(fs.readFileSync(path.join(import.meta.dirname, "fixtures", name)), {
    params: { [zlib.constants.BROTLI_DECODER_PARAM_LARGE_WINDOW]: 1 },
  });
type Row = Record<string, unknown>;
const before = JSON.parse(fixture("contents-of-20-november.json.br").toString("utf8")) as {
  rows: Record<string, string[]>;
  files: Record<string, string>;
};

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "tidings-old-data-"));
const dataDir = path.join(folder, "data");
let stack: RunningStack | undefined;

/** Postgres' files fit one kind of machine. */
const fits = process.platform === "linux" && process.arch === "x64";

beforeAll(async () => {
  if (!fits) return;
  const backup = path.join(folder, "old.backup");
  fs.writeFileSync(backup, Buffer.concat([Buffer.from("TIDINGS1\0"), zlib.gzipSync(fixture("data-of-20-november.br"), { level: 1 })]));
  const restored = await run(["restore", backup], { DATA_DIR: dataDir }).ended;
  expect(restored.code, restored.output).toBe(0);
  stack = await startStack({ dataDir });
});
afterAll(async () => {
  await stack?.stop();
  fs.rmSync(folder, { recursive: true, force: true });
});

/** What time alone changes: a scheduled post is published when it is due, whichever version runs then. */
const byTime = ["status", "published_at", "updated_at"];

/**
 * What is made of the rest: a version that makes it otherwise makes it anew, and readers' copies of a page are older then. Refresh tokens were
 * known by a text and are numbered now, as on hosted.
 */
const derived: Record<string, string[]> = {
  "public.posts": ["excerpt"],
  "private.public_versions": ["version"],
  "auth.refresh_tokens": ["id"],
};

/** A new version may add columns; what was there stays as it was. */
const keeps = (table: string, row: Row, old: Row): boolean =>
  Object.entries(old).every(([name, value]) =>
    (old.status === "scheduled" && byTime.includes(name)) || derived[table]?.includes(name)
      ? true
      : JSON.stringify(row[name]) === JSON.stringify(value),
  );

test.skipIf(!fits)("this version starts on an earlier one's data with every row and every file of it", async () => {
  const after = await rowsOf(stack!.dbUrl);
  let compared = 0;
  for (const [table, rows] of Object.entries(before.rows)) {
    if (table === "public.activities_id_seq") continue; // goes on
    if (table === "supabase_migrations.schema_migrations") continue; // below
    const now = (after[table] ?? []).map((row) => JSON.parse(row) as Row);
    const missing = rows.map((row) => JSON.parse(row) as Row).filter((old) => !now.some((row) => keeps(table, row, old)));
    expect([table, missing]).toEqual([table, []]);
    compared += rows.length;
  }
  expect(filesOf(path.join(dataDir, "storage"))).toEqual(before.files);
  console.log(`${compared} rows and ${Object.keys(before.files).length} files of an earlier version: equal`);
});

test.skipIf(!fits)(
  "its history is that of this version, the baseline in the place of what was before it, and its owner signs in with the password from then",
  async () => {
    const applied = (await rowsOf(stack!.dbUrl))["supabase_migrations.schema_migrations"]!;
    const versions = applied.map((row) => (JSON.parse(row) as { version: string }).version);
    expect(versions.toSorted()).toEqual(migrationsIn("supabase/migrations").map(({ version }) => version));
    const answer = await fetch(`${stack!.url}/api/auth/login`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: stack!.publicUrl },
      body: JSON.stringify({ email: "demo@tidings.example", password: "tidings-demo" }),
    });
    expect(answer.status).toBe(200);
    const page = await (await fetch(`${stack!.url}/releases?workspace=demo`)).text();
    expect(page).toContain("Tidings opens its doors");
  },
);

test.skipIf(!fits)("a session from then goes on: its refresh token has a number now and is changed for the next one", async () => {
  const { token } = JSON.parse(before.rows["auth.refresh_tokens"]![0]!) as { token: string };
  const renew = (refresh_token: string) =>
    fetch(`${stack!.url}/auth/v1/token?grant_type=refresh_token`, {
      method: "POST",
      headers: { "content-type": "application/json", apikey: stack!.publishableKey },
      body: JSON.stringify({ refresh_token }),
    });
  const first = await renew(token);
  expect(first.status).toBe(200);
  expect((await renew(((await first.json()) as { refresh_token: string }).refresh_token)).status).toBe(200);
  const rows = (await rowsOf(stack!.dbUrl))["auth.refresh_tokens"]!.map((row) => JSON.parse(row) as Row);
  const ids = rows.map(({ id }) => id as number);
  expect(ids.every(Number.isInteger)).toBe(true);
  expect(rows.find((row) => row.token === token)).toMatchObject({ id: Math.min(...ids), revoked: true });
});
