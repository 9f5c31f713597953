import { describe, expect } from "vitest";
import { refused } from "./support/refusal.ts";
import { type Person, type World, test } from "./support/world.ts";

const password = "the password";
const withPassword = async ({ tx, people }: World, person: Person, age = "1 day") => {
  await tx`update auth.users set encrypted_password = extensions.crypt(${password}, extensions.gen_salt('bf', 4)) where id = ${people[person]}`;
  await tx`update private.password_changes set changed_at = now() - ${age}::interval where user_id = ${people[person]}`;
};
const deleteAccount = async (world: World, person: Person, given = password) =>
  (await world.as(person, (me) => me`select public.delete_account(${given}) as deleted`))[0]!.deleted as boolean;
const isThere = async ({ tx, people }: World, person: Person) =>
  (await tx`select from auth.users where id = ${people[person]}`).length === 1;

describe("delete_account", () => {
  test("deletes the caller's account and queues one email to its address", async ({ world }) => {
    const [{ email }] = (await world.tx`select email from auth.users where id = ${world.people.editor}`) as unknown as [{ email: string }];
    await withPassword(world, "editor");
    expect(await deleteAccount(world, "editor")).toBe(true);
    expect(await isThere(world, "editor")).toBe(false);
    expect([...(await world.tx`select e.kind, e.old_email from private.account_mails m, public.account_email(m.id) e`)]).toEqual([
      { kind: "account_deleted", old_email: email },
    ]);
    await world.tx`update private.jobs set run_at = now() - interval '2 days' where task = 'send_account_email'`;
    await world.tx`select private.tidy_up()`;
    expect(await world.tx`select from private.account_mails`).toHaveLength(0);
  });

  test("keeps the account when the password is missing, wrong or new", async ({ world }) => {
    expect((await refused(deleteAccount(world, "editor"))).detail).toEqual({
      password: "Your account has no password yet. Choose one first.",
    });
    await withPassword(world, "editor", "1 hour");
    expect(await deleteAccount(world, "editor", "wrong")).toBe(false);
    expect((await refused(deleteAccount(world, "editor"))).detail).toEqual({
      password: "You can delete your account a day after you set a new password",
    });
    expect(await isThere(world, "editor")).toBe(true);
  });

  test("refuses the owner of a workspace", async ({ world }) => {
    await withPassword(world, "owner");
    expect(await refused(deleteAccount(world, "owner"))).toMatchObject({ code: "owner_required" });
    expect(await isThere(world, "owner")).toBe(true);
  });
});
