import { describe, expect } from "vitest";
import { outcome, refused } from "./support/refusal.ts";
import { type Person, type World, test, testEach } from "./support/world.ts";

const password = "the password";
const wanted = "new@example.com";

const withPassword = async ({ tx, people }: World, person: Person = "editor") => {
  await tx`update auth.users set encrypted_password = extensions.crypt(${password}, extensions.gen_salt('bf', 4)) where id = ${people[person]}`;
  await tx`update private.password_changes set changed_at = now() - interval '1 day' where user_id = ${people[person]}`;
};
const request = (world: World, email = wanted, given = password, person: Person = "editor") =>
  world.as(person, (me) => me`select public.request_email_change(${email}, ${given})`);
const accept = ({ tx, people }: World, email = wanted, token = "a link") =>
  tx.savepoint((me) => me`update auth.users set email_change = ${email}, email_change_token_new = ${token} where id = ${people.editor}`);
const confirm = ({ tx, people }: World) =>
  tx`update auth.users set email = email_change, email_change = '', email_change_token_new = '' where id = ${people.editor}`;
const pending = async ({ tx, people }: World) =>
  (
    await tx`select coalesce(email_change, '') as email, coalesce(email_change_token_new, '') as token from auth.users where id = ${people.editor}`
  )[0];
const nothing = { email: "", token: "" };
const mails = async ({ tx }: World) => {
  const queued = await tx`select e.* from private.account_mails m, public.account_email(m.id) e`;
  await tx`delete from private.jobs where task = 'send_account_email'`;
  return [...queued];
};
const undo = async ({ tx }: World, token: string) =>
  (await tx`select public.undo_email_change(${token}) as email`)[0]!.email as string | null;
const emailOf = async ({ tx, people }: World) => (await tx`select email from auth.users where id = ${people.editor}`)[0]!.email as string;

describe("a change of email address", () => {
  test("is refused to the auth service without a request, and once per request", async ({ world }) => {
    await withPassword(world);
    expect(await outcome(accept(world))).toBe("42501");
    await request(world);
    expect(await outcome(accept(world, "other@example.com"))).toBe("42501");
    expect(await outcome(accept(world))).toBe("allowed");
    expect(await outcome(accept(world, wanted, "a second link"))).toBe("42501");
    expect(await pending(world)).toEqual({ email: wanted, token: "a link" });
  });

  test("must be confirmed within ten minutes", async ({ world }) => {
    await withPassword(world);
    await request(world);
    await world.tx`update private.email_changes set requested_at = requested_at - interval '10 minutes'`;
    expect(await outcome(accept(world))).toBe("42501");
  });

  test("requires the current password, whatever hash it has", async ({ world }) => {
    expect((await refused(request(world))).detail).toEqual({ password: "Your account has no password yet. Choose one first." });
    await withPassword(world);
    expect([...(await request(world, wanted, "wrong"))]).toEqual([{ request_email_change: false }]);
    for (const prefix of ["$2b", "$2y", "$2a"]) {
      await world.tx`update auth.users set encrypted_password = regexp_replace(encrypted_password, '^\\$2.', ${prefix}) where id = ${world.people.editor}`;
      await world.tx`delete from private.password_changes`;
      expect(await outcome(request(world))).toBe("allowed");
    }
  });

  test("allows ten wrong passwords an hour", async ({ world }) => {
    await withPassword(world);
    for (let guess = 0; guess < 10; guess++) await request(world, wanted, "wrong");
    expect(await outcome(request(world))).toBe("rate_limited");
  });

  test("waits a day after a new password, which a stolen session could set", async ({ world }) => {
    await withPassword(world);
    await world.tx`update private.password_changes set changed_at = now() - interval '23 hours'`;
    expect((await refused(request(world))).detail).toEqual({ email: "You can change the address a day after you set a new password" });
    expect([...(await request(world, wanted, "wrong"))]).toEqual([{ request_email_change: false }]);
    await world.tx`update private.password_changes set changed_at = now() - interval '1 day'`;
    expect(await outcome(request(world))).toBe("allowed");
  });

  testEach<[string, (world: World) => PromiseLike<unknown>]>([
    ["a new password", (world) => world.tx`update auth.users set encrypted_password = 'another' where id = ${world.people.editor}`],
    ["the end of other sessions", (world) => world.as("editor", (me) => me`select public.end_other_sessions()`)],
    [
      "the end of a session",
      async (world) => {
        const id = "00000000-0000-4000-8000-000000000001";
        await world.tx`insert into auth.sessions (id, user_id) values (${id}, ${world.people.editor})`;
        await world.as("editor", (me) => me`select public.end_session(${id})`);
      },
    ],
    ["another request", (world) => request(world, "third@example.com")],
  ])("ends with %s, and so does an unused request", async (world, _, recover) => {
    await withPassword(world);
    await request(world);
    await accept(world);
    await recover(world);
    expect(await pending(world)).toEqual(nothing);
    await withPassword(world);
    await request(world);
    await recover(world);
    expect(await outcome(accept(world))).toBe("42501");
  });

  test("notifies the old address twice, and can be undone with everything after it", async ({ world }) => {
    const { tx, people } = world;
    const old = (await emailOf(world)).toLowerCase();
    await withPassword(world);
    await tx`insert into auth.identities (id, provider, provider_id, user_id, identity_data, created_at) values
        (gen_random_uuid(), 'email', ${people.editor}, ${people.editor}, ${{ sub: people.editor, email: old } as never}, now() - interval '1 day'),
        (gen_random_uuid(), 'github', 'from before', ${people.editor}, ${{ email: old } as never}, now() - interval '1 day')`;
    const addFactor = (name: string) =>
      tx`insert into private.factors (id, user_id, name, secret, confirmed_at) values (gen_random_uuid(), ${people.editor}, ${name}, '', null)`;
    await addFactor("from before");
    await request(world);
    const [first] = await mails(world);
    expect(first).toMatchObject({ kind: "email_change_requested", old_email: old, new_email: wanted });
    await accept(world);
    expect(await mails(world)).toEqual([]);
    await confirm(world);
    const [second] = await mails(world);
    expect(second).toMatchObject({ kind: "email_changed", old_email: old, new_email: wanted, token: first!.token as string });
    await request(world, "third@example.com");
    await accept(world, "third@example.com");
    const [ofThief] = await mails(world);
    await tx`insert into auth.identities (id, provider, provider_id, user_id, identity_data, created_at)
        values (gen_random_uuid(), 'google', 'thief', ${people.editor}, ${{ email: wanted } as never}, clock_timestamp())`;
    await tx`insert into auth.users (id, email) values (gen_random_uuid(), ${old})`;
    await addFactor("thief's");
    await tx`insert into private.recovery_codes (user_id, hash) values (${people.editor}, 'thief''s')`;

    expect(await undo(world, first!.token as string)).toBe(old);
    expect([...(await tx`select name from private.factors where user_id = ${people.editor}`)]).toEqual([{ name: "from before" }]);
    expect(await tx`select from private.recovery_codes where user_id = ${people.editor}`).toHaveLength(0);
    expect(await emailOf(world)).toBe(old);
    expect(await pending(world)).toEqual(nothing);
    expect([...(await tx`select id from auth.sessions where user_id = ${people.editor}`)]).toEqual([]);
    expect(await outcome(request(world))).toBe("unauthenticated");
    const identities =
      await tx`select provider, identity_data ->> 'email' as email from auth.identities where user_id = ${people.editor} order by 1`;
    expect([...identities]).toEqual([
      { provider: "email", email: old },
      { provider: "github", email: old },
    ]);
    for (const token of [first!.token, ofThief!.token] as string[]) expect(await undo(world, token)).toBeNull();
  });

  testEach([
    ["too late", async ({ tx }: World) => tx`update private.email_changes set changed_at = changed_at - interval '7 days'`],
    [
      "to an address that another user has confirmed since",
      async ({ tx }: World, old: string) =>
        tx`insert into auth.users (id, email, email_confirmed_at) values (gen_random_uuid(), ${old}, now())`,
    ],
  ] as [string, (world: World, old: string) => Promise<unknown>][])("can't be undone %s", async (world, _, before) => {
    await withPassword(world);
    const old = (await emailOf(world)).toLowerCase();
    await request(world);
    const [mail] = await mails(world);
    await accept(world);
    await confirm(world);
    await before(world, old);
    expect(await undo(world, mail!.token as string)).toBeNull();
    expect(await emailOf(world)).toBe(wanted);
  });

  test("queues an email, which is deleted with its job", async ({ world }) => {
    await withPassword(world);
    await request(world);
    const [job] = await world.tx<
      { id: string; lease: string }[]
    >`select j.id, j.lease from public.work_jobs('[]', '{"send_account_email": 1}') j
      join private.account_mails m on m.id = j.id`;
    await world.tx`select public.work_jobs(${world.tx.json([job] as never)})`;
    expect([...(await world.tx`select id from private.account_mails`)]).toEqual([]);
  });
});
