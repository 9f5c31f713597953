import { describe, expect } from "vitest";
import { outcome, refused } from "./support/refusal.ts";
import { type Person, type World, test, testEach } from "./support/world.ts";

const roleOf = async ({ tx, acme, people }: World, who: Person) =>
  (await tx`select role from public.members where workspace_id = ${acme} and user_id = ${people[who]}`)[0]?.role;
const setRole = ({ as, acme, people }: World, by: Person, whom: Person, role: string) =>
  as(by, (me) => me`select public.set_member_role(${acme}, ${people[whom]}, ${role})`);
const remove = ({ as, acme, people }: World, by: Person, whom: Person) =>
  as(by, (me) => me`select public.remove_member(${acme}, ${people[whom]})`);
const leave = ({ as, acme }: World, who: Person) => as(who, (me) => me`select public.leave_workspace(${acme})`);
const handOver = ({ as, acme, people }: World, by: Person, whom: Person) =>
  as(by, (me) => me`select public.hand_over_ownership(${acme}, ${people[whom]})`);

describe("the team", () => {
  test("is listed with addresses, the owner first", async ({ world: { as, acme, people } }) => {
    const rows = await as("admin", (me) => me`select * from public.team_members(${acme})`);
    expect(rows.map((row) => `${row.full_name} ${row.role}`)).toEqual([
      "owner owner",
      "admin admin",
      "editor editor",
      "mixed editor",
      "viewer viewer",
    ]);
    expect(rows[0]).toMatchObject({ user_id: people.owner, email: `owner-${people.owner}@example.com`, avatar_url: null });
  });

  test("hides addresses from an editor", async ({ world: { as, acme } }) => {
    const rows = await as("editor", (me) => me`select full_name, email from public.team_members(${acme})`);
    expect(rows.map(({ email }) => email as unknown)).toEqual([null, null, null, null, null]);
    expect(rows[0]!.full_name).toBe("owner");
  });
});

describe("changing a role", () => {
  test("applies from the next statement on", async ({ world }) => {
    const post = await world.post();
    await setRole(world, "owner", "editor", "viewer");
    expect(await outcome(world.as("editor", (me) => me`select public.save_post(${post.id}, '{"title": "x"}')`))).toBe("forbidden");
    await setRole(world, "owner", "viewer", "editor");
    expect(await outcome(world.as("viewer", (me) => me`select public.save_post(${post.id}, '{"title": "x"}')`))).toBe("allowed");
  });

  testEach(["owner", "admin", "king", ""])("to %j is refused", async (world, role) =>
    expect(await refused(setRole(world, "owner", "viewer", role))).toMatchObject({
      code: "validation_failed",
      detail: { role: expect.any(String) },
    }),
  );

  test("is refused for the owner, not found for a stranger, and ignored if unchanged", async ({ world }) => {
    expect(await outcome(setRole(world, "owner", "owner", "editor"))).toBe("owner_required");
    expect(await outcome(setRole(world, "owner", "stranger", "editor"))).toBe("not_found");
    await setRole(world, "owner", "viewer", "viewer");
    expect(await world.tx`select from public.activities where workspace_id = ${world.acme} and kind = 'role_changed'`).toHaveLength(0);
  });
});

describe("removing and leaving", () => {
  test("logs who left, and how", async ({ world }) => {
    await remove(world, "owner", "viewer");
    await leave(world, "editor");
    const lines =
      await world.tx`select kind, actor_name, title from public.activities where workspace_id = ${world.acme} and kind like 'member_%' order by id`;
    expect([...lines]).toEqual([
      { kind: "member_removed", actor_name: "owner", title: "viewer" },
      { kind: "member_left", actor_name: "editor", title: "editor" },
    ]);
    expect(await roleOf(world, "editor")).toBeUndefined();
  });
});

describe("transferring ownership", () => {
  test("makes the other the owner and the caller an admin, in one step", async ({ world }) => {
    await handOver(world, "owner", "viewer");
    await world.tx`set constraints all immediate`;
    expect([await roleOf(world, "viewer"), await roleOf(world, "owner")]).toEqual(["owner", "admin"]);
    expect(await outcome(handOver(world, "owner", "admin"))).toBe("forbidden");
    expect(await outcome(leave(world, "owner"))).toBe("allowed");
  });
});
