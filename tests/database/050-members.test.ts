import { describe, expect } from "vitest";
import { outcome } from "./support/refusal.ts";
import { test, testEach } from "./support/world.ts";

test("a removed member sees nothing from the next statement on", async ({ world: { as, acme, people, post } }) => {
  await post();
  expect(await as("viewer", (me) => me`select id from public.posts`)).toHaveLength(1);
  await as("owner", (me) => me`delete from public.members where workspace_id = ${acme} and user_id = ${people.viewer}`);
  for (const table of ["posts", "post_revisions", "members", "workspaces", "activities", "widget_settings"]) {
    expect(await as("viewer", (me) => me`select * from public.${me(table)}`)).toHaveLength(0);
  }
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
