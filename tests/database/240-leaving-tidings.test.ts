import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { connect } from "./support/database.ts";
import { outcome, refused } from "./support/refusal.ts";
import { everybody, inWorld, type Person, type World } from "./support/world.ts";

const sql = connect();
const onlyOwner = (person: Person) =>
  person === "owner" ? "allowed" : person === "rival" || person === "stranger" ? "not_found" : "forbidden";

/** One row of acme in every table that belongs to a workspace. */
async function fill(world: World): Promise<void> {
  await world.post({ status: "published", tags: ["fix"] });
  await world.as("owner", async (me) => {
    await me`select public.save_widget_settings(${world.acme}, '{"appearance": {"theme": "dark"}}')`;
    await me`select public.create_tag(${world.acme}, 'Beta')`;
    await me`select public.create_invite(${world.acme}, 'viewer')`;
    await me`select public.request_upgrade(${world.acme}, '{analytics}')`;
    await me`select public.set_public_changelog(${world.acme}, true)`;
    await me`insert into storage.objects (bucket_id, name) values ('logos', ${`${world.acme}/${randomUUID()}.png`})`;
  });
  const [row] =
    await world.tx`select w.subdomain::text, p.slug from public.workspaces w join public.posts p on p.workspace_id = w.id where w.id = ${world.acme}`;
  await world.tx`select private.count_view(${row!.subdomain}, ${row!.slug}, '203.0.113.7', 'Mozilla/5.0 Safari')`;
}

/** Every table of ours with a column workspace_id, from the catalogue. */
const tables = async ({ tx }: World) =>
  (
    await tx`select format('%I.%I', table_schema, table_name) as name from information_schema.columns
    where column_name = 'workspace_id' and table_schema in ('public', 'private') and table_name not in ('visible_posts') order by 1`
  ).map((row) => row.name as string);
const rowsIn = async ({ tx, acme }: World, table: string) =>
  (await tx.unsafe(`select count(*)::int as count from ${table} where workspace_id = $1`, [acme]))[0]!.count as number;

describe("the export", () => {
  const read = async ({ as, acme }: World, person: Person) =>
    (await as(person, (me) => me`select public.export_workspace(${acme}) as data`))[0]!.data as Record<string, any>;

  test.each(everybody)("%s gets it only as the owner", (person) =>
    inWorld(sql, async (world) => expect(await outcome(read(world, person))).toBe(onlyOwner(person)))(),
  );

  test(
    "holds something of every table that belongs to a workspace, and no secret",
    inWorld(sql, async (world) => {
      await fill(world);
      const data = await read(world, "owner");
      const names: Record<string, string> = { workspace_add_ons: "add_ons" };
      for (const table of await tables(world)) {
        const name = table.replace(/^\w+\./, "");
        expect([table, await rowsIn(world, table)]).not.toEqual([table, 0]);
        expect([name, Object.keys(data[names[name] ?? name] ?? {}).length]).not.toEqual([name, 0]);
      }
      expect(data.workspace).toMatchObject({ id: world.acme, name: "Acme" });
      expect(data.files).toHaveLength(1);
      expect(JSON.stringify(data)).not.toContain("token_hash");
      expect(JSON.stringify(data)).not.toContain("Globex");
    }),
  );
});

describe("deleting a workspace", () => {
  const remove = ({ as, acme }: World, person: Person, name = "Acme") =>
    as(person, (me) => me`select public.delete_workspace(${acme}, ${name})`);

  test.each(everybody)("%s may only as the owner", (person) =>
    inWorld(sql, async (world) => expect(await outcome(remove(world, person))).toBe(onlyOwner(person)))(),
  );

  test.each(["acme", "", "Globex"])("asks for its name, %j is not it", (name) =>
    inWorld(sql, async (world) =>
      expect(await refused(remove(world, "owner", name))).toMatchObject({
        code: "validation_failed",
        detail: { name: expect.any(String) },
      }),
    )(),
  );

  test(
    "takes every row of it and none of another's; its files are queued",
    inWorld(sql, async (world) => {
      await fill(world);
      await world.post({ workspace_id: world.globex });
      await remove(world, "owner");
      await world.tx`set constraints all immediate`;
      for (const table of await tables(world)) expect([table, await rowsIn(world, table)]).toEqual([table, 0]);
      expect(await world.tx`select from public.posts where workspace_id = ${world.globex}`).toHaveLength(1);
      expect(await world.tx`select from private.discarded_files where bucket = 'logos' and path like ${`${world.acme}/%`}`).toHaveLength(1);
    }),
  );
});
