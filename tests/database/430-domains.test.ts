import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { withWorkspace } from "./support/committed.ts";
import { connect } from "./support/database.ts";
import { newWorkspace, type World, test } from "./support/world.ts";

const sql = connect();

async function due({ tx }: World, workspace: string, minutes: number, count = 1): Promise<string[]> {
  await tx`insert into public.workspace_add_ons (workspace_id, add_on) values (${workspace}, 'custom-domain') on conflict do nothing`;
  const hosts = Array.from({ length: count }, () => `${randomUUID()}.example.com`);
  for (const host of hosts)
    await tx`with d as (insert into public.domains (host, workspace_id, shown) values (${host}, ${workspace}, ${host}) returning *)
      select private.schedule_domain_check(d, clock_timestamp() - make_interval(mins => ${minutes})) from d`;
  return hosts;
}
const claim = async ({ tx }: World, own: string[], room: number) =>
  (
    await tx<{ host: string; has_add_on: boolean }[]>`select c.domain ->> 'host' as host, c.has_add_on
      from public.work_jobs('[]', ${tx.json({ check_domain: room })}) j, public.domain_to_check(j.id) c`
  ).filter(({ host }) => own.includes(host));

test("one user's domains, in however many workspaces, don't block others', and five are checked at once", async ({ world }) => {
  const { tx, people, acme, globex } = world;
  const many = (await Promise.all([acme, await newWorkspace(tx, people.owner, "Other")].map((id) => due(world, id, 60, 20)))).flat();
  const [one] = await due(world, globex, 1);
  const taken = (await claim(world, [...many, one!], 50)).map(({ host }) => host);
  expect(taken).toHaveLength(6);
  expect(taken).toContain(one);
  expect(await claim(world, [...many, one!], 50)).toEqual([]);
});

test("domains of a workspace without the add-on are known as such", async ({ world }) => {
  const [host] = await due(world, world.acme, 1);
  await world.tx`delete from public.workspace_add_ons where workspace_id = ${world.acme} and add_on = 'custom-domain'`;
  expect(await claim(world, [host!], 50)).toEqual([{ host, has_add_on: false }]);
});

test("one of two workspaces that verify a domain at the same time gets it", async () => {
  const host = `${randomUUID()}.example.com`;
  await withWorkspace(sql, 0, ({ workspace }) =>
    withWorkspace(sql, 0, async (other) => {
      const workspaces = [workspace, other.workspace];
      for (const id of workspaces) {
        await sql`insert into public.workspace_add_ons (workspace_id, add_on) values (${id}, 'custom-domain')`;
        await sql`insert into public.domains (host, workspace_id, shown) values (${host}, ${id}, ${host})`;
      }
      const rows = await sql<{ token: string }[]>`select token from public.domains where host = ${host}`;
      const outcome = sql.json({ state: "live", found: {}, after: 60 });
      const settled = await Promise.all(
        rows.map(({ token }) => sql`select * from public.settle_domain(${host}, ${token}, 'dns', ${outcome})`.then(([row]) => row!)),
      );
      expect(settled.map(({ state }) => state as string).toSorted()).toEqual(["dns", "live"]);
      expect(settled.find(({ state }) => state === "dns")!.problem).toBe("Another workspace has proven this domain.");
    }),
  );
});
