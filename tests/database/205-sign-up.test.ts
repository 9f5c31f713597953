import { createHash, randomUUID } from "node:crypto";
import type { TransactionSql } from "postgres";
import { describe, expect } from "vitest";
import { connect } from "./support/database.ts";
import { outcome } from "./support/refusal.ts";
import { type World, test, testEach } from "./support/world.ts";

const sql = connect();
const hashOf = (token: string) => createHash("sha256").update(token).digest();

interface Rule {
  mode: string;
  domains?: string[];
  operatorEmail?: string;
  operatorToken?: string;
}

async function setRule(tx: TransactionSql, { mode, domains = [], operatorEmail, operatorToken }: Rule): Promise<boolean> {
  const hash = operatorToken === undefined ? null : hashOf(operatorToken);
  const [row] = await tx`select private.set_sign_up_rule(${mode}, ${domains}, ${operatorEmail ?? null}, ${hash}) as counts`;
  return row!.counts as boolean;
}

async function makeAccount(tx: TransactionSql, email: string | null, metadata: object = {}): Promise<string> {
  return await outcome(
    tx.savepoint(
      (inner) => inner`insert into auth.users (id, email, aud, role, raw_user_meta_data)
        values (${randomUUID()}, ${email}, 'authenticated', 'authenticated', ${metadata as never})`,
    ),
  );
}

const tried = (tx: TransactionSql, statement: (inner: TransactionSql) => PromiseLike<unknown>) =>
  outcome(tx.savepoint((inner) => statement(inner) as never));

const invite = async ({ as, acme }: World, email: string | null = null) =>
  (await as("owner", (me) => me`select id, token from public.create_invite(${acme}, 'editor', ${email})`))[0] as {
    id: string;
    token: string;
  };
const refused = "PT422";
const stranger = () => `${randomUUID()}@example.com`;
const withInvitation = (token: string) => ({ invitation: hashOf(token).toString("hex") });

describe("a new account", () => {
  test("can be created by anyone where sign-up is open", async ({ world: { tx } }) => {
    await setRule(tx, { mode: "open" });
    expect([await makeAccount(tx, stranger()), await makeAccount(tx, null)]).toEqual(["allowed", "allowed"]);
  });

  testEach(["invited", "closed"])("needs an invitation where sign-up is %s, by a provider too", async (world, mode) => {
    const { tx } = world;
    await setRule(tx, { mode });
    const google = { iss: "https://accounts.google.com", email_verified: true, full_name: "Ann" };
    const tries: [string | null, object?][] = [
      [stranger()],
      [null],
      [""],
      [stranger(), google],
      [stranger(), { invitation: "x" }],
      [stranger(), withInvitation("guess")],
    ];
    for (const [email, metadata] of tries) expect([email, await makeAccount(tx, email, metadata)]).toEqual([email, refused]);
  });

  testEach(["invited", "domains", "closed"])("can be created by an invitation where sign-up is %s", async (world, mode) => {
    const { tx } = world;
    const [email, other] = [stranger(), stranger()];
    const [mailed, link] = [await invite(world, email), await invite(world)];
    await setRule(tx, { mode, domains: ["acme.example"] });
    expect(await makeAccount(tx, other, withInvitation(mailed.token))).toBe(refused);
    expect(await makeAccount(tx, email.toUpperCase())).toBe("allowed");
    expect(await makeAccount(tx, other, withInvitation(link.token))).toBe("allowed");
  });

  testEach<[string, (world: World, id: string) => PromiseLike<unknown>]>([
    ["expired", ({ tx }, id) => tx`update public.invites set expires_at = now() where id = ${id}`],
    ["revoked", ({ tx }, id) => tx`update public.invites set revoked_at = now() where id = ${id}`],
    ["used", ({ tx }, id) => tx`update public.invites set accepted_at = now() where id = ${id}`],
    ["of a person who left", ({ tx, people }, id) => tx`update public.invites set created_by = ${people.stranger} where id = ${id}`],
  ])("can't be created by an invitation that is %s", async (world, _, change) => {
    const email = stranger();
    const [mailed, link] = [await invite(world, email), await invite(world)];
    for (const { id } of [mailed, link]) await change(world, id);
    await setRule(world.tx, { mode: "invited" });
    expect([await makeAccount(world.tx, email), await makeAccount(world.tx, stranger(), withInvitation(link.token))]).toEqual([
      refused,
      refused,
    ]);
  });

  test("is allowed for a listed domain, and for no look-alike", async ({ world: { tx } }) => {
    await setRule(tx, { mode: "domains", domains: ["a.example", "b.example"] });
    for (const email of ["ann@a.example", "ann@b.example", "ANN@A.EXAMPLE", "ann+news@a.example", '"x@evil.example"@a.example'])
      expect([email, await makeAccount(tx, email)]).toEqual([email, "allowed"]);
    const lookAlikes = [
      "evil-a.example",
      "a.example.evil",
      "sub.a.example",
      "a.example.",
      "a.examp1e",
      "а.example",
      "a.example ",
      "example",
      "a.example@evil.example",
    ];
    for (const domain of lookAlikes) expect([domain, await makeAccount(tx, `ann@${domain}`)]).toEqual([domain, refused]);
    expect(await makeAccount(tx, "a.example")).toBe(refused);
  });

  test("is refused by /api before the auth service, alike for addresses with and without an account", async ({ world }) => {
    const { tx, people } = world;
    const { token } = await invite(world);
    const [known] = await tx`select email from auth.users where id = ${people.rival}`;
    const check = (email: string, held: string | null) => tried(tx, (inner) => inner`select public.check_sign_up(${email}, ${held})`);
    await setRule(tx, { mode: "invited" });
    for (const email of [known!.email as string, stranger()])
      expect([await check(email, null), await check(email, "guess"), await check(email, token)]).toEqual([refused, refused, "allowed"]);
  });
});

describe("the refusal's sentence", () => {
  testEach([
    ["invited", "sign_up_by_invitation"],
    ["domains", "sign_up_by_domain"],
    ["closed", "sign_up_closed"],
  ])("in mode %s has the code %s", async ({ tx }, mode, code) => {
    await setRule(tx, { mode });
    const hint = await tx
      .savepoint((inner) => inner`select public.check_sign_up('ann@example.com', null)`)
      .catch((error: { hint?: string }) => error.hint);
    expect(hint).toBe(code);
  });
});

describe("the operator", () => {
  const operators = async (tx: TransactionSql) =>
    (await tx`select u.email from private.operators o join auth.users u on u.id = o.user_id`).map(({ email }) => email as string);
  const byLink = async (tx: TransactionSql, token: string, email: string) =>
    (await tx`select public.create_account_by_link(${token}, ${email}, 'correct horse', 'Ann') as made`)[0]!.made as boolean;

  test("is created once by the link, with a confirmed account", async ({ world: { tx } }) => {
    expect(await setRule(tx, { mode: "invited", operatorToken: "t0ken" })).toBe(true);
    const [first, second] = [stranger(), stranger()];
    expect(await byLink(tx, "guess", first)).toBe(false);
    expect(await byLink(tx, "t0ken", first)).toBe(true);
    expect(await byLink(tx, "t0ken", second)).toBe(false);
    expect(await operators(tx)).toEqual([first]);
    expect(await tx`select from auth.users where email = ${first} and email_confirmed_at is not null`).toHaveLength(1);
    expect(await setRule(tx, { mode: "invited", operatorToken: "next" })).toBe(false);
    expect(await byLink(tx, "next", second)).toBe(false);
  });

  test("isn't created by presenting the link to the auth service", async ({ world: { tx } }) => {
    await setRule(tx, { mode: "invited", operatorToken: "t0ken" });
    expect(await makeAccount(tx, stranger(), withInvitation("t0ken"))).toBe(refused);
  });

  test("isn't created from an existing account, and the link stays valid", async ({ world: { tx, people } }) => {
    await setRule(tx, { mode: "invited", operatorToken: "t0ken" });
    const [known] = await tx`select email from auth.users where id = ${people.rival}`;
    expect(await byLink(tx, "t0ken", known!.email as string)).toBe(false);
    expect(await operators(tx)).toEqual([]);
    expect(await byLink(tx, "t0ken", stranger())).toBe(true);
  });

  test("is the account with the configured address, in every mode and without a link", async ({ world: { tx } }) => {
    const email = stranger();
    expect(await setRule(tx, { mode: "closed", operatorEmail: email.toUpperCase(), operatorToken: "t0ken" })).toBe(false);
    expect([await byLink(tx, "t0ken", stranger()), await makeAccount(tx, stranger()), await makeAccount(tx, email)]).toEqual([
      false,
      refused,
      "allowed",
    ]);
    expect(await operators(tx)).toEqual([email]);
  });

  test("is an existing account, once its address is configured", async ({ world: { tx, people } }) => {
    const [known] = await tx`select email from auth.users where id = ${people.rival}`;
    await setRule(tx, { mode: "open", operatorEmail: known!.email as string });
    await setRule(tx, { mode: "open" });
    expect(await operators(tx)).toEqual([known!.email]);
  });

  test("isn't an account with a mistyped and then corrected address", async ({ world: { tx } }) => {
    const [mistyped, right] = [stranger(), stranger()];
    await setRule(tx, { mode: "invited", operatorEmail: mistyped });
    await makeAccount(tx, mistyped);
    await setRule(tx, { mode: "invited", operatorEmail: right });
    expect(await operators(tx)).toEqual([]);
  });

  test("is one of two who open the link at the same time", async () => {
    const token = randomUUID();
    const emails = [stranger(), stranger()];
    await sql`update private.sign_up_rule set operator_link_hash = ${hashOf(token)}`; // only the link, so sign-up stays open for other tests
    try {
      const made = await Promise.all(
        emails.map(
          async (email) =>
            (await sql`select public.create_account_by_link(${token}, ${email}, 'correct horse', 'Ann') as made`)[0]!.made as boolean,
        ),
      );
      expect(made.toSorted()).toEqual([false, true]);
      expect(await sql`select from private.operators`).toHaveLength(1);
      expect(await sql`select from auth.users where email = any (${emails})`).toHaveLength(1);
    } finally {
      await sql`update private.sign_up_rule set operator_link_hash = null`;
      await sql`delete from auth.users where email = any (${emails})`;
    }
  });
});
