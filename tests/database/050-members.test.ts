import { describe, expect, test } from "vitest";
import { connect } from "./support/database.ts";
import { forbiddenByGrant, outcome } from "./support/refusal.ts";
import { everybody, inWorld, type Person, type World } from "./support/world.ts";

const sql = connect();
const remove = ({ as, acme, people }: World, who: Person, whom: Person) =>
  as(who, (me) => me`delete from public.members where workspace_id = ${acme} and user_id = ${people[whom]} returning user_id`);

describe("reading who is a member", () => {
  test.each([
    ["owner", 5],
    ["viewer", 5],
    ["mixed", 7],
    ["rival", 2],
    ["stranger", 0],
  ] as const)("%s reads %i rows", (person, count) =>
    inWorld(sql, async ({ as }) => expect(await as(person, (me) => me`select * from public.members`)).toHaveLength(count))(),
  );

  test(
    "a visitor without a session reads nothing",
    inWorld(sql, async ({ as }) => {
      expect(await outcome(as("anon", (me) => me`select * from public.members`))).toBe(forbiddenByGrant);
    }),
  );
});

describe("removing and leaving", () => {
  test.each(everybody)("%s removes a viewer only as the owner", (person) =>
    inWorld(sql, async (world) =>
      expect(await remove(world, person, "viewer")).toHaveLength(person === "owner" || person === "viewer" ? 1 : 0),
    )(),
  );

  test.each(["admin", "editor", "viewer", "mixed"] as const)("%s may leave", (person) =>
    inWorld(sql, async (world) => expect(await remove(world, person, person)).toHaveLength(1))(),
  );

  test(
    "the owner's row is never removed, not even by himself",
    inWorld(sql, async (world) => {
      for (const person of everybody) expect(await remove(world, person, "owner")).toHaveLength(0);
    }),
  );

  test(
    "a removed member sees nothing from his next statement on",
    inWorld(sql, async (world) => {
      await world.post();
      expect(await world.as("viewer", (me) => me`select id from public.posts`)).toHaveLength(1);
      await remove(world, "owner", "viewer");
      for (const table of ["posts", "post_revisions", "members", "workspaces", "activities", "widget_settings"]) {
        expect(await world.as("viewer", (me) => me`select * from public.${me(table)}`)).toHaveLength(0);
      }
    }),
  );
});

describe("memberships and roles are not made by hand", () => {
  test.each(everybody)("%s cannot add anybody, not even himself", (person) =>
    inWorld(sql, async ({ as, acme, people }) => {
      const join = as(
        person,
        (me) => me`insert into public.members (workspace_id, user_id, role) values (${acme}, ${people.stranger}, 'viewer')`,
      );
      expect(await outcome(join)).toBe(forbiddenByGrant);
    })(),
  );

  test.each(everybody)("%s cannot change a role, not even his own", (person) =>
    inWorld(sql, async ({ as }) =>
      expect(await outcome(as(person, (me) => me`update public.members set role = 'admin'`))).toBe(forbiddenByGrant),
    )(),
  );
});

describe("exactly one owner", () => {
  test(
    "a second one is refused",
    inWorld(sql, async ({ tx, acme, people }) => {
      expect(await outcome(tx`update public.members set role = 'owner' where workspace_id = ${acme} and user_id = ${people.admin}`)).toBe(
        "23505",
      );
    }),
  );

  test.each(["update public.members set role = 'admin' where role = 'owner'", "delete from public.members where role = 'owner'"])(
    "none at commit is refused: %s",
    (statement) =>
      inWorld(sql, async ({ tx, acme }) => {
        const commit = tx.savepoint(async (step) => {
          await step.unsafe(`${statement} and workspace_id = $1`, [acme]);
          await step`set constraints all immediate`;
        });
        expect(await outcome(commit)).toBe("owner_required");
      })(),
  );

  test(
    "an account that owns a workspace is not deleted",
    inWorld(sql, async ({ tx, people }) => {
      const commit = tx.savepoint(async (step) => {
        await step`delete from auth.users where id = ${people.owner}`;
        await step`set constraints all immediate`;
      });
      expect(await outcome(commit)).toBe("owner_required");
    }),
  );

  test(
    "a workspace takes its members along",
    inWorld(sql, async ({ tx, acme }) => {
      await tx`delete from public.workspaces where id = ${acme}`;
      await tx`set constraints all immediate`;
      expect(await tx`select from public.members where workspace_id = ${acme}`).toHaveLength(0);
    }),
  );
});
