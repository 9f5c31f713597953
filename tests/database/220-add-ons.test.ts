import { describe, expect } from "vitest";
import { workingAddOns } from "#contract/kinds.ts";
import { connect } from "./support/database.ts";
import { refused } from "./support/refusal.ts";
import { type Person, type World, test, testEach } from "./support/world.ts";

const sql = connect();
const request = ({ as, acme }: World, person: Person, wanted: readonly string[]) =>
  as(person, (me) => me`select public.request_upgrade(${acme}, ${wanted as string[]}) as granted`);
const has = async ({ as, acme }: World, person: Person = "viewer") =>
  (await as(person, (me) => me`select add_on from public.workspace_add_ons where workspace_id = ${acme} order by 1`)).map(
    (row) => row.add_on,
  );

const requests = ({ as }: World) =>
  as(
    "viewer",
    (me) => me`select add_ons, requested_by_name, granted_at is not null as granted from public.upgrade_requests order by 3 desc`,
  );

test("the database has the contract's add-ons", async () => {
  const [row] = await sql<{ names: string[] }[]>`select private.working_add_ons() as names`;
  expect(row!.names.toSorted()).toEqual([...workingAddOns].sort());
});

describe("a self-hosted installation", () => {
  test("grants available add-ons immediately", async ({ world }) => {
    expect(await has(world)).toEqual(["teams"]);
    expect((await request(world, "owner", [...workingAddOns, "analytics"]))[0]!.granted).toBe(true);
    expect(await has(world)).toEqual([...workingAddOns, "teams"].sort());
    expect(await requests(world)).toEqual([{ add_ons: [...workingAddOns].sort(), requested_by_name: "owner", granted: true }]);
  });

  test("keeps existing grants, and reports them", async ({ world }) => {
    await world.tx`insert into public.workspace_add_ons (workspace_id, add_on) values (${world.acme}, 'sso')`;
    expect((await request(world, "owner", ["sso", "analytics"]))[0]!.granted).toBe(true);
    expect(await has(world)).toEqual(["analytics", "sso", "teams"]);
  });
});

test("a hosted installation records the request and grants nothing", async ({ world }) => {
  await world.tx`update private.installation set grants_upgrades = false`;
  expect(await world.as("viewer", (me) => me`select public.grants_upgrades() as included`)).toEqual([{ included: false }]);
  expect((await request(world, "owner", ["priority-support", "analytics"]))[0]!.granted).toBe(false);
  expect(await has(world)).toEqual(["teams"]);
  expect(await requests(world)).toEqual([{ add_ons: ["analytics", "priority-support"], requested_by_name: "owner", granted: false }]);
  await world.tx`insert into public.workspace_add_ons (workspace_id, add_on) values (${world.acme}, 'analytics')`;
  expect((await request(world, "owner", ["analytics"]))[0]!.granted).toBe(true);
});

testEach([[[]], [["teams"]], [["priority-support"]], [["flying"]], [["sso", "flying"]]])("%j is refused", async (world, wanted) =>
  expect(await refused(request(world, "owner", wanted))).toMatchObject({
    code: "validation_failed",
    detail: { addOns: expect.any(String) },
  }),
);
