import fs from "node:fs";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { baselineFile, baselineSql } from "../../scripts/schema/baseline.ts";
import { differences, readCatalog } from "../../scripts/schema/catalog.ts";
import { catalogOfSchemas } from "../../scripts/schema/databases.ts";
import { databaseTypes, typesFile } from "../../scripts/schema/database-types.ts";
import { widgetRulesFile, widgetRulesSql } from "../../scripts/schema/widget-rules.ts";
import { migrationsIn } from "../../supabase/local/engine/migrate.ts";
import { connect } from "./support/database.ts";

const cluster = inject("stack");
const sql = connect();
let live: Map<string, string>;

beforeAll(async () => {
  live = (await sql.begin(async (transaction) => {
    await transaction`set local search_path = "$user", public`; // decides how the catalogue qualifies names
    return readCatalog(transaction);
  })) as Map<string, string>;
}, 60_000);

describe("the database matches supabase/schemas", () => {
  test("the baseline matches the schemas (npm run db:baseline)", () => {
    expect(fs.readFileSync(baselineFile, "utf8")).toBe(baselineSql());
    expect(fs.readFileSync(widgetRulesFile, "utf8")).toBe(widgetRulesSql());
  });

  test("each schema file has a unique number", () => {
    const numbers = fs.readdirSync("supabase/schemas").map((name) => name.slice(0, 2));
    expect(numbers).toHaveLength(new Set(numbers).size);
  });

  test("no migration has a future date", () => {
    const now = new Date().toISOString().replace(/\D/g, "").slice(0, 14);
    expect(migrationsIn("supabase/migrations").filter(({ version }) => version > now)).toEqual([]);
  });

  test("a running database has the same objects (npm run db:diff)", async () => {
    expect(differences(live, await catalogOfSchemas(cluster))).toEqual([]);
    expect(live.size).toBeGreaterThan(500);
  });

  test("contract/database.ts has its types (npm run types)", async () => {
    expect(fs.readFileSync(typesFile, "utf8")).toBe(await databaseTypes(sql));
  });

  test("docs/guide/life-of-a-post.md lists the triggers on posts in order", async () => {
    const triggers = await sql`
      select t.tgname as name, t.tgfoid::regproc::text as function,
        case when t.tgtype & 2 > 0 then 'before ' else 'after ' end || array_to_string(array_remove(array[
          case when t.tgtype & 4 > 0 then 'insert' end, case when t.tgtype & 16 > 0 then 'update' end,
          case when t.tgtype & 8 > 0 then 'delete' end], null), ', ') as when
      from pg_trigger t where t.tgrelid = 'public.posts'::regclass and not t.tgisinternal
      order by t.tgtype & 2 = 0, t.tgtype & 1 = 0, t.tgname`;
    const guide = fs.readFileSync("docs/guide/life-of-a-post.md", "utf8");
    const rows = [...guide.matchAll(/^\| `(\w+)` +\| `([\w.]+)` +\| ([a-z, ]+?) +\|/gm)];
    expect(rows.map(([, name, called, when]) => ({ name, function: called, when }))).toEqual(triggers.map((row) => ({ ...row })));
    expect(triggers.length).toBeLessThanOrEqual(20);
  });

  test("a difference reports the name of the object", () => {
    const other = new Map(live);
    const policy = 'policy "members read their workspace\'s posts" on posts';
    expect(other.delete(policy)).toBe(true);
    other.set("function private.my_id()", "something else").set("index of_nothing", "nothing");
    const names = differences(live, other).map((line) => line.split(": ")[0]);
    expect(names).toEqual(["~ function private.my_id()", "+ index of_nothing", `- ${policy}`]);
  });
});
