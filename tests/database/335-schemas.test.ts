import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { differences, readCatalog } from "../../scripts/schema/catalog.ts";
import { catalogOfMigrations, catalogOfSchemas } from "../../scripts/schema/databases.ts";
import { databaseTypes, typesFile } from "../../scripts/schema/database-types.ts";
import { inScratchDatabase } from "../../scripts/schema/scratch-database.ts";
import { migrate, migrationsIn } from "../../supabase/local/engine/migrate.ts";
import { connect } from "./support/database.ts";

const cluster = inject("stack");
const sql = connect();
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "tidings-schemas-"));
let migrated: Map<string, string>;

beforeAll(async () => {
  migrated = await catalogOfMigrations(cluster);
}, 60_000);
afterAll(() => fs.rmSync(folder, { recursive: true }));

describe("the database is what supabase/schemas declares", () => {
  test("after all migrations (npm run db:diff says what the next one has to do)", async () => {
    expect(differences(migrated, await catalogOfSchemas(cluster))).toEqual([]);
    expect(migrated.size).toBeGreaterThan(500);
  });

  test("and after those before the baseline, with the baseline in their place in the history", async () => {
    const former = path.join(folder, "migrations");
    fs.cpSync("supabase/migrations-before-baseline", former, { recursive: true });
    const { catalog, history } = await inScratchDatabase(cluster, async (owner, admin) => {
      await migrate(owner, former);
      await migrate(owner, "supabase/migrations");
      const rows = await owner<{ version: string }[]>`select version from supabase_migrations.schema_migrations order by 1`;
      return { catalog: await readCatalog(admin), history: rows.map(({ version }) => version) };
    });
    expect(differences(migrated, catalog)).toEqual([]);
    expect(history).toEqual(migrationsIn("supabase/migrations").map(({ version }) => version));
  });

  test("and contract/database.ts says its types (npm run types)", async () => {
    expect(fs.readFileSync(typesFile, "utf8")).toBe(await databaseTypes(sql));
  });

  test("a difference has the name of what differs", () => {
    const other = new Map(migrated);
    const policy = 'policy "members read their workspace\'s posts" on posts';
    expect(other.delete(policy)).toBe(true);
    other.set("function private.my_id()", "something else").set("index of_nothing", "nothing");
    const names = differences(migrated, other).map((line) => line.split(": ")[0]);
    expect(names).toEqual(["~ function private.my_id()", "+ index of_nothing", `- ${policy}`]);
  });
});
