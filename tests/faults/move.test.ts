import { spawnSync } from "node:child_process";
import path from "node:path";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { node, type RunningStack, startStack } from "../support/stack.ts";
import { filesOf, rowsOf } from "./support/contents.ts";
import { storeImage } from "./support/images.ts";
import { makePlace } from "./support/writers.ts";

const root = path.resolve(import.meta.dirname, "../..");
const demo = { email: "demo@tidings.example", password: "tidings-demo" };
let source: RunningStack;
/** A stand-in for a hosted project after "npm run deploy": the same migrations, the role postgres without superuser, no users. */
let target: RunningStack;

beforeAll(async () => {
  [source, target] = await Promise.all([startStack({ seed: "demo" }), startStack()]);
  const page = async () => (await fetch(`${source.url}/releases?workspace=demo`)).text();
  await vi.waitFor(async () => expect(await page()).toContain("Tidings opens its doors"), { timeout: 20_000 });
  await storeImage(source, await makePlace(source), "31536000"); // as the product does
  const sql = postgres(target.dbUrl, { max: 1, onnotice: () => {} });
  // A privilege that hosted's postgres role has.
  await sql.unsafe(`grant set on parameter session_replication_role to postgres;
    grant usage on schema auth, private, supabase_migrations to postgres;
    grant all on all tables in schema auth to postgres; grant select on all tables in schema supabase_migrations to postgres`);
  await sql.end();
});
afterAll(async () => {
  await Promise.all([source?.stop(), target?.stop()]);
});

const signIn = async (stack: RunningStack): Promise<number> => {
  const answer = await fetch(`${stack.url}/api/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: stack.publicUrl },
    body: JSON.stringify(demo),
  });
  await answer.text();
  return answer.status;
};

function move(env: Record<string, string> = {}): { code: number | null; output: string } {
  const there = {
    TIDINGS_TARGET_DB_URL: target.ownerUrl,
    TIDINGS_TARGET_SUPABASE_URL: target.url,
    TIDINGS_TARGET_SECRET_KEY: target.secretKey,
  };
  const { status, stdout, stderr } = spawnSync(node, ["scripts/move.ts"], {
    cwd: root,
    env: { ...process.env, TIDINGS_DATA_DIR: source.dataDir, ...there, ...env },
    encoding: "utf8",
  });
  return { code: status, output: (stdout + stderr).trim() };
}

test("a move without source or target reports each in one sentence", () => {
  expect(move({ TIDINGS_TARGET_DB_URL: "", TIDINGS_TARGET_SUPABASE_URL: "" })).toEqual({
    code: 1,
    output: `TIDINGS_TARGET_DB_URL is missing: the project's connection string as role postgres.
TIDINGS_TARGET_SUPABASE_URL is missing: the project's address, https://{ref}.supabase.co.`,
  });
  expect(move({ TIDINGS_DATA_DIR: "/nowhere" })).toEqual({ code: 1, output: "Tidings isn't running on /nowhere; start it to move it." });
});

test("a move copies every person, row and file, and passwords stay valid", async () => {
  expect(await signIn(target)).toBe(401);
  const { code, output } = move();
  expect([code, output]).toEqual([0, expect.stringMatching(/Everything was moved\. People sign in with their current passwords\.$/)]);
  const [before, after] = [await rowsOf(source.dbUrl), await rowsOf(target.dbUrl)];
  const tables = Object.keys(before).filter((table) => /^(public|private)\./.test(table));
  for (const table of tables) expect([table, after[table]]).toEqual([table, before[table]]);
  const people = (rows: Record<string, string[]>) =>
    rows["auth.users"]!.map((row) => JSON.parse(row) as Record<string, unknown>).map((row) => [row.id, row.email, row.encrypted_password]);
  expect(people(after)).toEqual(people(before));
  const images = (stack: RunningStack) =>
    Object.entries(filesOf(path.join(stack.dataDir, "storage"))).filter(([name]) => !name.endsWith(".meta"));
  expect(images(target)).toEqual(images(source));
  expect(images(source).length).toBeGreaterThan(1);
  const caching = (stack: RunningStack) =>
    Promise.all(
      images(stack).map(async ([name]) => (await fetch(`${stack.url}/storage/v1/object/public/${name}`)).headers.get("cache-control")),
    );
  expect(await caching(target)).toEqual(await caching(source));
  expect(await caching(source)).toContain("max-age=31536000");
  expect(await signIn(target)).toBe(200);
  const page = await (await fetch(`${target.url}/releases?workspace=demo`)).text();
  expect(page).toContain("Tidings opens its doors");
  const rows = tables.reduce((sum, table) => sum + before[table]!.length, 0);
  console.log(`moved: ${rows} rows, ${people(before).length} people, ${images(source).length} files: equal`);
});

test("a second move is refused, as the target has users", () => {
  expect(move()).toEqual({ code: 1, output: "The target has people or workspaces already; only an empty one can be moved to." });
});
