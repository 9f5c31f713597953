import { createHash } from "node:crypto";
import { describe, expect } from "vitest";
import { outcome, refused } from "./support/refusal.ts";
import { everybody, inDays, type Person, type World, test, testEach } from "./support/world.ts";

interface Invite {
  id: string;
  token: string;
  role: string;
  expires_at: Date;
  repeated: boolean;
  mailed: boolean;
  renewed: boolean;
}
const invite = async (
  { as, acme }: World,
  by: Person,
  role = "editor",
  email: string | null = null,
  expires: Date | null = null,
  key: string | null = null,
) => (await as(by, (me) => me<Invite[]>`select * from public.create_invite(${acme}, ${role}, ${email}, ${expires}, ${key})`))[0]!;
const accept = async ({ as }: World, who: Person, token: string) =>
  (await as(who, (me) => me`select public.accept_invite(${token}) as workspace`))[0]!.workspace as string;
const roleOf = async ({ tx, acme, people }: World, who: Person) =>
  (await tx`select role from public.members where workspace_id = ${acme} and user_id = ${people[who]}`)[0]?.role;

describe("the right to invite", () => {
  test("excludes the role owner", async ({ world }) => {
    expect(await refused(invite(world, "owner", "owner"))).toMatchObject({
      code: "validation_failed",
      detail: { role: expect.any(String) },
    });
  });
});

describe("an invitation's token", () => {
  test("has 256 bits, is URL-safe, and only its hash is stored", async ({ world }) => {
    const { id, token } = await invite(world, "owner");
    expect(token).toMatch(/^[\w-]{43}$/);
    const [row] = await world.tx`select token_hash, to_jsonb(i) - 'token_hash' as rest from public.invites i where id = ${id}`;
    expect(row!.token_hash).toEqual(createHash("sha256").update(token).digest());
    expect(JSON.stringify(row!.rest)).not.toContain(token);
  });

  test("lasts seven days by default, a year at most", async ({ world }) => {
    const days = ({ expires_at }: Invite) => Math.round((expires_at.getTime() - Date.now()) / 86_400_000);
    expect(days(await invite(world, "owner"))).toBe(7);
    expect(days(await invite(world, "owner", "editor", null, inDays(30)))).toBe(30);
    for (const wrong of [inDays(-1), inDays(400)])
      expect(await refused(invite(world, "owner", "editor", null, wrong))).toMatchObject({ detail: { expires_at: expect.any(String) } });
  });

  test("of a retried request opens the same invitation, which can be used once", async ({ world }) => {
    const first = await invite(world, "owner", "editor", null, null, "k");
    const second = await invite(world, "owner", "editor", null, null, "k");
    expect([second.id, second.repeated, first.repeated]).toEqual([first.id, true, false]);
    expect(second.token).not.toBe(first.token);
    for (const { token } of [first, second])
      expect(await world.as("anon", (me) => me`select from public.read_invite(${token})`)).toHaveLength(1);
    expect(await outcome(accept(world, "stranger", second.token))).toBe("allowed");
    expect(await outcome(accept(world, "rival", first.token))).toBe("invalid_invitation");
    expect(await outcome(accept(world, "stranger", first.token))).toBe("allowed");
  });

  test("of a retried request is revoked with the invitation, and only its hash is stored", async ({ world }) => {
    const { id } = await invite(world, "owner", "editor", null, null, "k");
    const { token } = await invite(world, "owner", "editor", null, null, "k");
    const hash = createHash("sha256").update(token).digest();
    expect(await world.tx`select from private.more_invite_tokens where token_hash = ${hash}`).toHaveLength(1);
    await world.as("owner", (me) => me`select public.revoke_invite(${id})`);
    expect(await outcome(accept(world, "stranger", token))).toBe("invalid_invitation");
  });

  test("has an email status, which only its maker can set", async ({ world }) => {
    const { id, mailed } = await invite(world, "admin", "editor", "a@example.com", null, "k");
    expect(mailed).toBe(false);
    for (const person of everybody.filter((one) => one !== "admin"))
      expect(await outcome(world.as(person, (me) => me`select public.note_invite_mailed(${id})`))).toBe("not_found");
    for (let time = 0; time < 2; time++) await world.as("admin", (me) => me`select public.note_invite_mailed(${id})`);
    expect((await invite(world, "admin", "editor", "a@example.com", null, "k")).mailed).toBe(true);
  });
});

describe("an invited address", () => {
  const open = ({ tx, acme }: World) =>
    tx`select id, role, created_by, expires_at from public.invites where workspace_id = ${acme} and revoked_at is null`;

  test("with an open invitation gets the same one with new terms and sender, and both links work", async ({ world }) => {
    const first = await invite(world, "owner", "viewer", "Ada@example.com");
    await world.as("owner", (me) => me`select public.note_invite_mailed(${first.id})`);
    const second = await invite(world, "admin", "editor", "ada@EXAMPLE.com", inDays(30));
    expect([second.id, second.role, first.renewed, second.renewed, second.repeated, second.mailed]).toEqual([
      first.id,
      "editor",
      false,
      true,
      false,
      false, // or its email would be skipped
    ]);
    expect([...(await open(world))]).toEqual([
      { id: first.id, role: "editor", created_by: world.people.admin, expires_at: second.expires_at },
    ]);
    for (const { token } of [first, second])
      expect(await world.as("anon", (me) => me`select from public.read_invite(${token})`)).toHaveLength(1);
    await world.as("admin", (me) => me`select public.note_invite_mailed(${first.id})`);
    await world.as("owner", (me) => me`select public.revoke_invite(${first.id})`);
    for (const { token } of [first, second]) expect(await outcome(accept(world, "stranger", token))).toBe("invalid_invitation");
  });

  test("gets an expired invitation again, and a new one after use or revocation; links without an address are unlimited", async ({
    world,
  }) => {
    const first = await invite(world, "owner", "viewer", "ada@example.com");
    await world.tx`update public.invites set expires_at = now() - interval '1 day' where id = ${first.id}`;
    expect((await invite(world, "owner", "viewer", "ada@example.com")).id).toBe(first.id);
    await world.as("owner", (me) => me`select public.revoke_invite(${first.id})`);
    const next = await invite(world, "owner", "viewer", "ada@example.com");
    expect([next.id === first.id, next.renewed]).toEqual([false, false]);
    expect((await invite(world, "owner")).id).not.toBe((await invite(world, "owner")).id);
  });

  test("invited by the owner as admin can't be demoted by an admin", async ({ world }) => {
    await invite(world, "owner", "admin", "ada@example.com");
    expect(await outcome(invite(world, "admin", "viewer", "ada@example.com"))).toBe("forbidden");
    expect(await open(world)).toMatchObject([{ role: "admin", created_by: world.people.owner }]);
  });

  test("of a member is refused", async ({ world }) => {
    const [row] = await world.tx`select email from auth.users where id = ${world.people.viewer}`;
    expect(await outcome(invite(world, "owner", "editor", (row!.email as string).toUpperCase()))).toBe("already_member");
  });
});

describe("an open invitation's role", () => {
  const change = ({ as, acme }: World, by: Person | "anon", id: string, role: string) =>
    as(by, async (me) => (await me`select public.set_invite_role(${acme}, ${id}, ${role}) as role`)[0]!.role as string);

  test("is what its link grants, also as admin when an admin made it", async ({ world }) => {
    const { id, token } = await invite(world, "admin", "viewer");
    expect(await change(world, "owner", id, "admin")).toBe("admin");
    expect(await accept(world, "stranger", token)).toBe(world.acme);
    expect(await roleOf(world, "stranger")).toBe("admin");
  });

  test("keeps the maker if the maker could have set it", async ({ world }) => {
    const { id } = await invite(world, "admin", "viewer");
    await change(world, "owner", id, "editor");
    expect((await world.tx`select created_by from public.invites where id = ${id}`)[0]!.created_by).toBe(world.people.admin);
  });

  test("accepts three roles only, for open invitations of the workspace", async ({ world }) => {
    const { id, token } = await invite(world, "owner");
    for (const role of ["owner", "", "king"])
      expect(await refused(change(world, "owner", id, role))).toMatchObject({ detail: { role: expect.any(String) } });
    const theirs = (await world.as("rival", (me) => me<Invite[]>`select * from public.create_invite(${world.globex}, 'viewer')`))[0]!;
    expect(await outcome(change(world, "owner", theirs.id, "editor"))).toBe("not_found");
    const expired = await invite(world, "owner");
    await world.tx`update public.invites set expires_at = now() where id = ${expired.id}`;
    const revoked = await invite(world, "owner");
    await world.as("owner", (me) => me`select public.revoke_invite(${revoked.id})`);
    await accept(world, "stranger", token);
    for (const over of [id, expired.id, revoked.id])
      expect(await outcome(change(world, "owner", over, "viewer"))).toBe("invalid_invitation");
    expect(await roleOf(world, "stranger")).toBe("editor");
  });
});

describe("accepting an invitation", () => {
  testEach(["admin", "editor", "viewer"])("makes the caller a member as %s immediately", async (world, role) => {
    const post = await world.post();
    expect(await accept(world, "stranger", (await invite(world, "owner", role)).token)).toBe(world.acme);
    expect(await roleOf(world, "stranger")).toBe(role);
    expect(await world.as("stranger", (me) => me`select id from public.posts where id = ${post.id}`)).toHaveLength(1);
  });

  test("works once; its user can retry, others can't", async ({ world }) => {
    const { token } = await invite(world, "owner");
    await accept(world, "stranger", token);
    expect(await accept(world, "stranger", token)).toBe(world.acme);
    expect(await outcome(accept(world, "rival", token))).toBe("invalid_invitation");
  });

  test("doesn't readmit a removed member", async ({ world }) => {
    const { token } = await invite(world, "owner");
    await accept(world, "stranger", token);
    await world.as("owner", (me) => me`select public.remove_member(${world.acme}, ${world.people.stranger})`);
    expect(await outcome(accept(world, "stranger", token))).toBe("invalid_invitation");
  });

  test("as a member changes nothing, and the invitation stays open", async ({ world }) => {
    const { token } = await invite(world, "owner", "admin");
    expect(await outcome(accept(world, "viewer", token))).toBe("already_member");
    expect(await roleOf(world, "viewer")).toBe("viewer");
    expect(await outcome(accept(world, "stranger", token))).toBe("allowed");
  });

  test("for one address requires that address, in any case", async ({ world }) => {
    const [row] = await world.tx`select email from auth.users where id = ${world.people.stranger}`;
    const { token } = await invite(world, "owner", "editor", (row!.email as string).toUpperCase());
    expect(await outcome(accept(world, "rival", token))).toBe("wrong_invitation_account");
    expect(await outcome(accept(world, "stranger", token))).toBe("allowed");
  });

  testEach(["not an address", "a@b", `${"x".repeat(65)}@example.com`])(
    "rejects an invitation to the invalid address %j",
    async (world, email) =>
      expect(await refused(invite(world, "owner", "editor", email))).toMatchObject({ detail: { email: expect.any(String) } }),
  );
});

describe("an admin's invitation", () => {
  test("ends when its owner transfers the workspace; those for other roles stay", async ({ world }) => {
    const [forAdmin, forEditor] = [await invite(world, "owner", "admin"), await invite(world, "owner", "editor")];
    await world.as("owner", (me) => me`select public.hand_over_ownership(${world.acme}, ${world.people.viewer})`);
    expect(await outcome(accept(world, "stranger", forAdmin.token))).toBe("invalid_invitation");
    expect(await outcome(accept(world, "stranger", forEditor.token))).toBe("allowed");
    const open = await world.tx`select id from public.invites where workspace_id = ${world.acme} and revoked_at is null`;
    expect(open.map(({ id }) => id as string)).toEqual([forEditor.id]);
  });
});
