import { describe, expect } from "vitest";
import { outcome } from "./support/refusal.ts";
import { type Person, type World, test } from "./support/world.ts";

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

  test("is ignored if the role is unchanged", async ({ world }) => {
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
