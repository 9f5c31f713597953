import { describe, expect } from "vitest";
import { outcome } from "./support/refusal.ts";
import { type Person, type World, test, testEach } from "./support/world.ts";

const link = "c0ffee";
const mark = "1".repeat(64);
const chosen = "the first password";

interface Waiting {
  signup_browser?: string | null;
  email_confirmed_at?: Date | null;
  confirmation_token?: string;
  recovery_token?: string;
}

async function waits({ tx, people }: World, { signup_browser, ...columns }: Waiting = {}): Promise<string> {
  const row = { email_confirmed_at: null, confirmation_token: link, recovery_token: "", ...columns };
  const names = { full_name: "Stranger", ...(signup_browser !== undefined && { signup_browser, invitation: mark }) };
  await tx`update auth.users set ${tx(row)}, raw_user_meta_data = ${tx.json(names)},
    encrypted_password = extensions.crypt(${chosen}, extensions.gen_salt('bf', 4)) where id = ${people.stranger}`;
  return people.stranger;
}

const open = async ({ tx }: World, browser: string | null, token = link) =>
  (await tx`select public.open_waiting_account(${token}, ${browser}) as stands`)[0]!.stands as boolean | null;
const account = async ({ tx, people }: World) =>
  (
    await tx`select encrypted_password = extensions.crypt(${chosen}, encrypted_password) as "passwordStands", raw_user_meta_data as names,
      (select count(*)::int from auth.sessions s where s.user_id = u.id) as sessions from auth.users u where id = ${people.stranger}`
  )[0]!;
const untouched = { passwordStands: true, names: { full_name: "Stranger" }, sessions: 1 };

describe("an unconfirmed account's password", () => {
  test("works after the link is opened in the browser that signed up, and the mark and the invitation's hash are deleted", async ({
    world,
  }) => {
    await waits(world, { signup_browser: mark });
    expect(await open(world, mark)).toBe(true);
    expect(await account(world)).toEqual(untouched);
  });

  testEach<[string, Waiting, string | null]>([
    ["another one", { signup_browser: mark }, "2".repeat(64)],
    ["one without a mark", { signup_browser: mark }, null],
    ["any, for an account of before there were marks", {}, mark],
    ["one without a mark, for such an account", {}, null],
    ["one without a mark, for an account with an empty one", { signup_browser: null }, null],
    ["another one, by a link for a new password", { signup_browser: mark, confirmation_token: "", recovery_token: link }, null],
  ])("is replaced when it is opened in %s", async (world, _, waiting, browser) => {
    await waits(world, waiting);
    expect(await open(world, browser)).toBe(false);
    expect(await account(world)).toEqual({ passwordStands: false, names: { full_name: "Stranger" }, sessions: 0 });
    expect(await open(world, mark)).toBe(false);
  });

  testEach<[string, Waiting, string]>([
    ["a wrong link", {}, "decaf"],
    ["no link", { confirmation_token: "", recovery_token: "" }, ""],
    ["a link of a confirmed account", { email_confirmed_at: new Date(), recovery_token: link, confirmation_token: "" }, link],
  ])("is kept by %s", async (world, _, waiting, token) => {
    await waits(world, waiting);
    expect(await open(world, null, token)).toBeNull();
    expect(await account(world)).toEqual(untouched);
  });
});

describe("a sign-up's invitation", () => {
  const invite = async ({ as, acme }: World) =>
    (await as("owner", (me) => me`select token from public.create_invite(${acme}, 'editor')`))[0]!.token as string;
  const remember = async ({ tx, people }: World, token: string | null) =>
    tx`select public.remember_invite((select upper(email) from auth.users where id = ${people.stranger}), ${token})`;
  const join = (world: World, person: Person = "stranger") => outcome(world.as(person, (me) => me`select public.accept_invite()`));

  test("is kept for the unconfirmed account, and admits it after confirmation", async ({ world }) => {
    await waits(world);
    await remember(world, await invite(world));
    expect([await join(world, "rival"), await join(world), await join(world)]).toEqual(["invalid_invitation", "allowed", "allowed"]);
  });

  test("is the newest sign-up's, which may have none", async ({ world }) => {
    await waits(world);
    const [first, second] = [await invite(world), await invite(world)];
    for (const token of [first, second]) await remember(world, token);
    expect(
      await world.tx`select from private.remembered_invites where invite_id = private.invite_of_token(private.token_hash(${second}))`,
    ).toHaveLength(1);
    await remember(world, null);
    expect(await join(world)).toBe("invalid_invitation");
  });

  test("isn't kept when invalid, nor for a confirmed account", async ({ world }) => {
    await remember(world, await invite(world));
    expect(await join(world)).toBe("invalid_invitation");
    await waits(world);
    await remember(world, "no token");
    expect(await join(world)).toBe("invalid_invitation");
  });

  test("is useless once revoked, and deleted with its workspace", async ({ world }) => {
    await waits(world);
    await remember(world, await invite(world));
    await world.tx`update public.invites set revoked_at = now() where workspace_id = ${world.acme}`;
    expect(await join(world)).toBe("invalid_invitation");
    await world.tx`delete from public.workspaces where id = ${world.acme}`;
    expect(await world.tx`select from private.remembered_invites where user_id = ${world.people.stranger}`).toHaveLength(0);
  });
});
