import { createHash, randomBytes } from "node:crypto";
import type { TransactionSql } from "postgres";
import { describe, expect } from "vitest";
import { roles } from "#contract/kinds.ts";
import { assistantScopes, scopesOfRole } from "#contract/oauth.ts";
import { makeApiKey } from "#contract/rules/api-key.ts";
import { asKey, newKey } from "./support/as-key.ts";
import { connect } from "./support/database.ts";
import { forbiddenByGrant, outcome, refused } from "./support/refusal.ts";
import { testEach, type World, test } from "./support/world.ts";

const sql = connect();
const hex = (text: string) => createHash("sha256").update(text).digest("hex");
const challenge = "c".repeat(43);
const asked = {
  ...{ client_id: "https://helper.example/assistant.json", name: "Helper" },
  ...{ redirect_uri: "https://helper.example/callback", challenge },
};
const newCode = () => randomBytes(32).toString("base64url");

const approve = (me: TransactionSql, workspace: string, code = newCode(), more: object = {}, scopes: readonly string[] = ["posts:read"]) =>
  me`select public.approve_assistant(${workspace}, ${{ ...asked, ...more } as never}, ${[...scopes]}, ${hex(code)})`;

interface Secret {
  access: string;
  refresh: string;
  kept: Record<string, string>;
}
function newSecret(): Secret {
  const [access, refresh] = [makeApiKey(), newCode()];
  return { access, refresh, kept: { hash: hex(access), start: "tdk_abcd", last4: "wxyz", refresh_hash: hex(refresh) } };
}
const exchange = async (tx: TransactionSql, code: string, secret: Secret, { client_id, redirect_uri } = asked) =>
  await tx`select * from private.connect_assistant(decode(${hex(code)}, 'hex'), ${client_id}, ${redirect_uri}, ${challenge}, ${secret.kept as never})`;
const refresh = async (tx: TransactionSql, former: Secret, next: Secret, client = asked.client_id) =>
  await tx`select * from private.refresh_assistant(decode(${hex(former.refresh)}, 'hex'), ${client}, ${next.kept as never})`;
const admit = async (tx: TransactionSql, { access }: Secret) =>
  (await tx`select * from private.admit_key(decode(${hex(access)}, 'hex'), 100, 60)`)[0];

async function connected(
  { as, tx, acme }: World,
  who: "owner" | "editor" | "viewer",
  scopes: readonly string[] = ["posts:read"],
  more: Partial<typeof asked> = {},
) {
  const [code, secret] = [newCode(), newSecret()];
  await as(who, (me) => approve(me, acme, code, more, scopes));
  expect(await exchange(tx, code, secret, { ...asked, ...more })).toEqual([{ scopes, seconds: 3600 }]);
  const [row] = await tx`select id from public.api_keys where hash = decode(${hex(secret.access)}, 'hex')`;
  return { ...secret, id: row!.id as string };
}

test("the database allows assistants what the contract allows, role by role", async () => {
  for (const role of roles) {
    const [row] = await sql`select private.scopes_of_assistants(${role}) as scopes`;
    expect([role, row!.scopes]).toEqual([role, [...scopesOfRole(role)]]);
  }
});

describe("allowing an assistant", () => {
  test("is for members, each within their own role, and not for keys", async ({ world: { as, acme, tx, people } }) => {
    for (const who of ["owner", "admin", "editor", "viewer", "mixed"] as const)
      expect([who, await outcome(as(who, (me) => approve(me, acme)))]).toEqual([who, "allowed"]);
    for (const who of ["rival", "stranger"] as const)
      expect([who, await outcome(as(who, (me) => approve(me, acme)))]).toEqual([who, "not_found"]);
    expect(await outcome(as("anon", (me) => approve(me, acme)))).toBe(forbiddenByGrant);
    for (const scope of assistantScopes) {
      const isRead = ["posts:read", "stats:read"].includes(scope);
      expect([scope, await outcome(as("viewer", (me) => approve(me, acme, newCode(), {}, [scope])))]).toEqual([
        scope,
        isRead ? "allowed" : "validation_failed",
      ]);
      expect([scope, await outcome(as("editor", (me) => approve(me, acme, newCode(), {}, [scope])))]).toEqual([scope, "allowed"]);
    }
    for (const scope of ["tags:write", "subscribers:read", "subscribers:write", "webhooks:write", "everything"])
      expect([scope, await outcome(as("owner", (me) => approve(me, acme, newCode(), {}, [scope])))]).toEqual([scope, "validation_failed"]);
    const key = await newKey(tx, people.owner, acme);
    for (const call of ["approve_assistant", "list_assistants", "end_assistant", "assistant_places"])
      expect([call, await outcome(asKey(tx, key, call, (me) => approve(me, acme)))]).toEqual([call, "forbidden"]);
    expect(await outcome(asKey(tx, key, "my_key", (me) => approve(me, acme)))).toBe("forbidden");
  });

  testEach<[string, object]>([
    ["a client that isn't a URL", { client_id: "helper" }],
    ["a client of another kind", { client_id: "javascript:alert(1)" }],
    ["a client with a blank", { client_id: "https://helper.example/a b" }],
    ["a very long client", { client_id: `https://helper.example/${"x".repeat(1_000)}` }],
    ["no client", { client_id: null }],
    ["no name", { name: " \u00a0 " }],
    ["no redirect URI", { redirect_uri: null }],
    ["a redirect URI without a scheme", { redirect_uri: "//helper.example" }],
    ["a very long redirect URI", { redirect_uri: `https://helper.example/${"x".repeat(2_000)}` }],
    ["no challenge", { challenge: null }],
    ["a challenge that isn't a hash", { challenge: "short" }],
  ])("excludes %s", async ({ as, acme, tx }, _, more) => {
    expect(await refused(as("owner", (me) => approve(me, acme, newCode(), more)))).toMatchObject({ code: "validation_failed" });
    expect(await tx`select from private.assistant_codes where workspace_id = ${acme}`).toHaveLength(0);
  });

  test("is limited to twenty active or pending connections", async ({ world }) => {
    const { as, acme, tx, people } = world;
    for (let count = 0; count < 10; count++)
      await connected(world, "viewer", undefined, { client_id: `https://helper.example/${count}.json` });
    for (let count = 0; count < 10; count++) await as("viewer", (me) => approve(me, acme));
    expect(await outcome(as("viewer", (me) => approve(me, acme)))).toBe("too_many_assistants");
    expect(await outcome(as("editor", (me) => approve(me, acme)))).toBe("allowed");
    await tx`update private.assistant_codes set created_at = now() - interval '61 seconds' where person_id = ${people.viewer} and used_at is null`;
    expect(await outcome(as("viewer", (me) => approve(me, acme)))).toBe("allowed");
  });
});

describe("an assistant that is allowed again", () => {
  const isGood = async (tx: TransactionSql, secrets: Secret[]) => {
    const good: boolean[] = [];
    for (const secret of secrets) good.push((await admit(tx, secret)) !== undefined);
    return good;
  };

  test("on the web is connected once: its former connection ends, with its pending code, and no other does", async ({ world }) => {
    const { tx, people } = world;
    const first = await connected(world, "editor");
    const others = [
      await connected(world, "owner"),
      await connected(world, "editor", undefined, { client_id: "https://other.example/assistant.json" }),
    ];
    const again = await connected(world, "editor", ["posts:read", "posts:write"]);
    expect(await isGood(tx, [first, ...others, again])).toEqual([false, true, true, true]);
    expect(await refresh(tx, first, newSecret())).toEqual([]);
    const working =
      await tx`select id from public.api_keys where created_by = ${people.editor} and client_id = ${asked.client_id} and revoked_at is null`;
    expect(working).toEqual([{ id: again.id }]);
  });

  test("as a program keeps its connections on the five devices used last", async ({ world }) => {
    const { tx } = world;
    const here = { redirect_uri: "http://127.0.0.1:4711/callback" };
    const devices: Awaited<ReturnType<typeof connected>>[] = [];
    for (let device = 0; device < 5; device++) devices.push(await connected(world, "editor", undefined, here));
    for (const [at, { id }] of devices.entries())
      await tx`update public.api_keys set last_used_at = now() - make_interval(mins => ${at}), created_at = now() - interval '1 hour' where id = ${id}`;
    const sixth = await connected(world, "editor", undefined, here);
    expect(await isGood(tx, [...devices, sixth])).toEqual([true, true, true, true, false, true]);
  });

  test("doesn't count twice against the limit", async ({ world }) => {
    const { as, acme } = world;
    for (let count = 0; count < 20; count++)
      await connected(world, "viewer", undefined, { client_id: `https://helper.example/${count}.json` });
    expect(await outcome(as("viewer", (me) => approve(me, acme)))).toBe("too_many_assistants");
    await connected(world, "viewer", undefined, { client_id: "https://helper.example/7.json" });
    expect(await outcome(as("viewer", (me) => approve(me, acme)))).toBe("too_many_assistants");
  });
});

describe("an assistant's token", () => {
  test("has the person's current rights", async ({ world }) => {
    const { tx, people, post } = world;
    const connection = await connected(world, "editor", ["posts:read", "posts:write", "posts:publish"]);
    const { id } = await post();
    const save = () =>
      outcome(
        asKey(
          tx,
          { id: connection.id, secret: "", hash: "" },
          "save_post",
          (me) => me`select public.save_post(${id}, '{"title": "Other"}')`,
        ),
      );
    expect(await save()).toBe("allowed");
    await tx`update public.members set role = 'viewer' where user_id = ${people.editor}`;
    expect(await save()).toBe("forbidden");
    expect(await refresh(tx, connection, newSecret())).toHaveLength(1);
    await tx`delete from public.members where user_id = ${people.editor}`;
    expect(await save()).toBe("unauthenticated");
  });
});

test("housekeeping deletes expired codes and tokens only", async ({ world }) => {
  const { as, tx, acme } = world;
  const of = (name: string) => connected(world, "editor", undefined, { client_id: `https://helper.example/${name}.json` });
  const [one, other, third] = [await of("one"), await of("other"), await of("third")];
  await refresh(tx, one, newSecret(), "https://helper.example/one.json");
  await refresh(tx, other, newSecret(), "https://helper.example/other.json");
  await as("viewer", (me) => approve(me, acme));
  await tx`update private.spent_refreshes set spent_at = now() - interval '31 days' where key_id = ${one.id}`;
  await tx`update public.api_keys set revoked_at = now() - interval '91 days' where id = ${third.id}`;
  await tx`update public.api_keys set revoked_at = now() - interval '89 days' where id = ${other.id}`;
  await tx`update private.assistant_codes set created_at = now() - interval '25 hours' where workspace_id = ${acme} and used_at is null`;
  await tx`select private.tidy_up()`;
  const mine = [one.id, other.id, third.id];
  expect(await tx`select key_id from private.spent_refreshes where key_id = any (${mine})`).toEqual([{ key_id: other.id }]);
  expect((await tx`select id from public.api_keys where id = any (${mine})`).map(({ id }) => id as string).sort()).toEqual(
    [one.id, other.id].sort(),
  );
  expect(await tx`select used_at is null as unused from private.assistant_codes where workspace_id = ${acme}`).toEqual(
    mine.map(() => ({ unused: false })),
  );
});

test("a user's codes are deleted with the account, and the connections stop working", async ({ world }) => {
  const { as, tx, acme, people } = world;
  const connection = await connected(world, "viewer");
  await as("viewer", (me) => approve(me, acme));
  await tx`delete from auth.users where id = ${people.viewer}`;
  expect(await tx`select from private.assistant_codes where person_id = ${people.viewer}`).toHaveLength(0);
  expect(await admit(tx, connection)).toBeUndefined();
  expect(await refresh(tx, connection, newSecret())).toHaveLength(0);
});
