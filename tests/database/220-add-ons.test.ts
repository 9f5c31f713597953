import { describe, expect, test } from "vitest";
import { addOns } from "#contract/kinds.ts";
import { connect } from "./support/database.ts";
import { forbiddenByGrant, outcome, refused } from "./support/refusal.ts";
import { everybody, inWorld, type Person, type World } from "./support/world.ts";

const sql = connect();
const request = ({ as, acme }: World, person: Person, wanted: readonly string[]) =>
  as(person, (me) => me`select public.request_upgrade(${acme}, ${wanted as string[]}) as granted`);
const has = async ({ as, acme }: World, person: Person = "viewer") =>
  (await as(person, (me) => me`select add_on from public.workspace_add_ons where workspace_id = ${acme} order by 1`)).map(
    (row) => row.add_on,
  );

test.each(everybody)("%s asks for an upgrade only as the owner", (person) =>
  inWorld(sql, async (world) => {
    expect(await outcome(request(world, person, ["analytics"]))).toBe(
      person === "owner" ? "allowed" : person === "rival" || person === "stranger" ? "not_found" : "forbidden",
    );
  })(),
);

test(
  "a self-hosted installation grants at once, every add-on of the contract",
  inWorld(sql, async (world) => {
    expect(await has(world)).toEqual(["teams"]);
    expect((await request(world, "owner", [...addOns, "analytics"]))[0]!.granted).toBe(true);
    expect(await has(world)).toEqual([...addOns, "teams"].sort());
  }),
);

test(
  "a hosted one records the request",
  inWorld(sql, async (world) => {
    await world.tx`update private.installation set grants_upgrades = false`;
    expect((await request(world, "owner", ["sso"]))[0]!.granted).toBe(false);
    expect(await has(world)).toEqual(["teams"]);
    const [asked] = await world.as("viewer", (me) => me`select add_ons, requested_by_name, granted_at from public.upgrade_requests`);
    expect(asked).toEqual({ add_ons: ["sso"], requested_by_name: "owner", granted_at: null });
  }),
);

test.each([[[]], [["teams"]], [["flying"]], [["sso", "flying"]]])("%j is refused", (wanted) =>
  inWorld(sql, async (world) =>
    expect(await refused(request(world, "owner", wanted))).toMatchObject({
      code: "validation_failed",
      detail: { addOns: expect.any(String) },
    }),
  )(),
);

describe("nobody gives himself one", () => {
  test.each(["workspace_add_ons", "upgrade_requests"])("%s", (table) =>
    inWorld(sql, async ({ as, acme }) => {
      expect(await outcome(as("owner", (me) => me`insert into public.${me(table)} (workspace_id) values (${acme})`))).toBe(
        forbiddenByGrant,
      );
      expect(await outcome(as("owner", (me) => me`delete from public.${me(table)}`))).toBe(forbiddenByGrant);
      expect(await as("rival", (me) => me`select * from public.${me(table)} where workspace_id = ${acme}`)).toHaveLength(0);
    })(),
  );
});
