import { describe, expect } from "vitest";
import { outcome } from "./support/refusal.ts";
import { everybody, type Person, type World, test, testEach } from "./support/world.ts";

const remove = ({ as, acme, people }: World, who: Person, whom: Person) =>
  as(who, (me) => me`delete from public.members where workspace_id = ${acme} and user_id = ${people[whom]} returning user_id`);

describe("removing and leaving", () => {
  test("never removes the owner's row, not even by the owner", async ({ world }) => {
    for (const person of everybody) expect(await remove(world, person, "owner")).toHaveLength(0);
  });

  test("hides everything from a removed member from the next statement on", async ({ world }) => {
    await world.post();
    expect(await world.as("viewer", (me) => me`select id from public.posts`)).toHaveLength(1);
    await remove(world, "owner", "viewer");
    for (const table of ["posts", "post_revisions", "members", "workspaces", "activities", "widget_settings"]) {
      expect(await world.as("viewer", (me) => me`select * from public.${me(table)}`)).toHaveLength(0);
    }
  });
});

describe("exactly one owner", () => {
  test("rejects a second owner", async ({ world: { tx, acme, people } }) => {
    expect(await outcome(tx`update public.members set role = 'owner' where workspace_id = ${acme} and user_id = ${people.admin}`)).toBe(
      "23505",
    );
  });

  testEach(["update public.members set role = 'admin' where role = 'owner'", "delete from public.members where role = 'owner'"])(
    "a commit without one is refused: %s",
    async ({ tx, acme }, statement) => {
      const commit = tx.savepoint(async (step) => {
        await step.unsafe(`${statement} and workspace_id = $1`, [acme]);
        await step`set constraints all immediate`;
      });
      expect(await outcome(commit)).toBe("owner_required");
    },
  );

  test("keeps the account of a workspace's owner", async ({ world: { tx, people } }) => {
    const commit = tx.savepoint(async (step) => {
      await step`delete from auth.users where id = ${people.owner}`;
      await step`set constraints all immediate`;
    });
    expect(await outcome(commit)).toBe("owner_required");
  });
});
