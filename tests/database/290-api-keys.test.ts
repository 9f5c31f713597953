import { randomUUID } from "node:crypto";
import type { TransactionSql } from "postgres";
import { describe, expect } from "vitest";
import { type ApiKeyScope, apiKeyScopes } from "#contract/api-key-scopes.ts";
import { apiKeyNameMaxLength } from "#contract/limits.ts";
import { asKey, type Key, newKey } from "./support/as-key.ts";
import { connect } from "./support/database.ts";
import { forbiddenByGrant, outcome, refused } from "./support/refusal.ts";
import { inDays, type World, test, testEach } from "./support/world.ts";

const sql = connect();
const hash = () => randomUUID().replaceAll("-", "").repeat(2);
const create = (me: TransactionSql, workspace: string, given: { name?: string; scopes?: string[]; expires?: Date | string | null } = {}) =>
  me`select * from public.create_api_key(${workspace}, ${given.name ?? "Robot"}, ${given.scopes ?? ["posts:read"]}, ${hash()}, 'tdk_abcd', 'wxyz', ${given.expires instanceof Date ? given.expires.toISOString() : (given.expires ?? null)}::text::timestamptz)`;
const admit = async (tx: TransactionSql, { hash }: Pick<Key, "hash">, size = 100) =>
  (await tx`select * from private.admit_key(decode(${hash}, 'hex'), ${size}, 60)`)[0];
const allBut = (...left: ApiKeyScope[]): ApiKeyScope[] => apiKeyScopes.filter((scope) => !left.includes(scope));
const lacks = (scope: ApiKeyScope) => ({ code: "scope_missing", detail: { scope } });

describe("keys", () => {
  test("accept what the contract accepts", async ({ world: { as, acme } }) => {
    const fault = async (given: Parameters<typeof create>[2]) => (await refused(as("owner", (me) => create(me, acme, given)))).detail;
    expect(await fault({ name: " \t " })).toEqual({ name: "A key needs a name" });
    expect(await fault({ name: "x".repeat(apiKeyNameMaxLength + 1) })).toEqual({ name: "Please use at most 60 characters" });
    expect(await fault({ scopes: [] })).toEqual({ scopes: "Choose what this key can do" });
    expect(await fault({ scopes: ["posts:read", "team:write"] })).toEqual({ scopes: "Please choose from the list" });
    expect(await fault({ expires: inDays(-1) })).toEqual({ expires_at: "Please choose a time in the future" });
    expect(await fault({ expires: "infinity" })).toEqual({ expires_at: "Please choose a time in the future" });
    expect(await fault({ expires: inDays(3_660) })).toEqual({ expires_at: "Please choose a time within the next 10 years" });
    const [made] = await as("owner", (me) =>
      create(me, acme, { name: "  CI\n robot ", scopes: [...apiKeyScopes].reverse(), expires: inDays(1) }),
    );
    expect(made).toMatchObject({ name: "CI robot", scopes: apiKeyScopes });
    for (const [given, start, last4] of [
      ["x", "tdk_abcd", "wxyz"],
      [hash(), "tdk_ab", "wxyz"],
      [hash(), "tdk_abcd", "wxyz!"],
      [null, "tdk_abcd", "wxyz"],
    ] as const) {
      expect(
        await outcome(as("owner", (me) => me`select public.create_api_key(${acme}, 'x', '{posts:read}', ${given}, ${start}, ${last4})`)),
      ).toBe("validation_failed");
    }
  });

  test("are limited to fifty at once", async ({ world: { as, acme, people, tx } }) => {
    await tx`insert into public.api_keys (workspace_id, name, scopes, hash, start, last4, created_by, created_by_name)
        select ${acme}, 'Robot', '{posts:read}', sha256(n::text::bytea), 'tdk_abcd', 'wxyz', ${people.owner}, 'owner' from generate_series(1, 50) as n`;
    expect((await refused(as("admin", (me) => create(me, acme)))).detail).toEqual({
      name: "This workspace has 50 keys. Revoke one first.",
    });
    await tx`update public.api_keys set expires_at = now() where id = (select id from public.api_keys where workspace_id = ${acme} limit 1)`;
    expect(await outcome(as("admin", (me) => create(me, acme)))).toBe("allowed");
  });

  test("never reveal their hashes", async ({ world: { as, tx, people, acme } }) => {
    await newKey(tx, people.owner, acme);
    for (const column of ["hash", "former_hash", "*"]) {
      expect(await outcome(as("owner", (me) => me.unsafe(`select ${column} from public.api_keys`)))).toBe(forbiddenByGrant);
    }
    const readable = await tx`select distinct grantee from information_schema.column_privileges
        where table_name = 'api_keys' and column_name ~ 'hash' and grantee in ('anon', 'authenticated', 'service_role')`;
    expect([...readable]).toEqual([]);
  });

  test("that ended are listed for ninety days", async ({ world: { as, tx, people, acme } }) => {
    const { id } = await newKey(tx, people.owner, acme);
    const states = async () =>
      (await as("admin", (me) => me`select state from public.list_api_keys(${acme})`)).map(({ state }) => state as string);
    await tx`update public.api_keys set expires_at = now() - interval '89 days' where id = ${id}`;
    expect(await states()).toEqual(["expired"]);
    await tx`update public.api_keys set expires_at = now() - interval '91 days' where id = ${id}`;
    expect(await states()).toEqual([]);
  });
});

describe("a key", () => {
  test("is found by its secret while it is active and its maker is a member", async ({ world: { tx, people, acme } }) => {
    const key = await newKey(tx, people.admin, acme, ["posts:read"]);
    expect(await admit(tx, key)).toMatchObject({
      id: key.id,
      workspace_id: acme,
      created_by: people.admin,
      scopes: ["posts:read"],
      wait: 0,
    });
    expect(await admit(tx, { hash: hash() })).toBeUndefined();
    const without = async (change: (sql: TransactionSql) => PromiseLike<unknown>) => {
      let found: unknown;
      const undo = new Error("undone");
      await tx
        .savepoint(async (sql) => {
          await change(sql);
          found = (await admit(sql, key)) ?? "nobody";
          throw undo;
        })
        .catch((error: unknown) => {
          if (error !== undo) throw error;
        });
      return found;
    };
    expect(await without((me) => me`update public.api_keys set revoked_at = now() where id = ${key.id}`)).toBe("nobody");
    expect(await without((me) => me`update public.api_keys set expires_at = now() where id = ${key.id}`)).toBe("nobody");
    expect(await without((me) => me`delete from public.members where user_id = ${people.admin}`)).toBe("nobody");
    expect(await without((me) => me`update auth.users set banned_until = now() + interval '1 hour' where id = ${people.admin}`)).toBe(
      "nobody",
    );
    expect(await without((me) => me`delete from auth.users where id = ${people.admin}`)).toBe("nobody");
    // Independent of sessions: signing out keeps it. A smaller role keeps it too, with that role's rights.
    expect(await without((me) => me`delete from auth.sessions where user_id = ${people.admin}`)).toMatchObject({ id: key.id });
    expect(await without((me) => me`update public.members set role = 'viewer' where user_id = ${people.admin}`)).toMatchObject({
      id: key.id,
    });
  });

  test("ends with its maker's membership, and stays ended when that returns", async ({ world: { tx, people, acme, as } }) => {
    const key = await newKey(tx, people.admin, acme);
    await as("owner", (me) => me`select public.remove_member(${acme}, ${people.admin})`);
    await tx`insert into public.members (workspace_id, user_id, role) values (${acme}, ${people.admin}, 'admin')`;
    expect(await admit(tx, key)).toBeUndefined();
  });

  test("is rate limited, and returns what is left and how long to wait", async ({ world: { tx, people, acme } }) => {
    const [key, other] = [await newKey(tx, people.owner, acme), await newKey(tx, people.owner, acme)];
    const seen = [];
    for (let call = 0; call < 5; call++) seen.push(await admit(tx, key, 3));
    expect(seen.map((row) => row!.remaining as number)).toEqual([2, 1, 0, 0, 0]);
    expect(seen.map((row) => (row!.wait as number) > 0)).toEqual([false, false, false, true, true]);
    expect(await admit(tx, other, 3)).toMatchObject({ wait: 0, remaining: 2 });
  });

  test("updates its last use once a minute at most", async ({ world: { tx, people, acme } }) => {
    const key = await newKey(tx, people.owner, acme);
    const row = async () => (await tx`select last_used_at, xmin::text, cmin::text from public.api_keys where id = ${key.id}`)[0]!;
    await admit(tx, key);
    const first = await row();
    expect(first.last_used_at).not.toBeNull();
    await admit(tx, key);
    expect(await row()).toEqual(first);
    await tx`update public.api_keys set last_used_at = now() - interval '61 seconds' where id = ${key.id}`;
    await admit(tx, key);
    expect((await row()).last_used_at).toEqual(first.last_used_at);
  });

  test("that was rotated works with both secrets for a day, then with one; a third replaces the first", async ({
    world: { tx, people, acme, as },
  }) => {
    const key = await newKey(tx, people.admin, acme);
    const rotate = async (who: "owner" | "admin") => {
      const fresh = hash();
      await as(who, (me) => me`select public.rotate_api_key(${acme}, ${key.id}, ${fresh}, 'tdk_efgh', 'stuv')`);
      return { hash: fresh };
    };
    const second = await rotate("admin");
    expect([(await admit(tx, key))?.id, (await admit(tx, second))?.id]).toEqual([key.id, key.id]);
    const [shown] = await as(
      "owner",
      (me) => me`select start, last4, (former_until - rotated_at)::text as both from public.list_api_keys(${acme})`,
    );
    expect(shown).toMatchObject({
      start: "tdk_efgh",
      last4: "stuv",
      both: "1 day",
    });
    const third = await rotate("admin");
    expect([await admit(tx, key), (await admit(tx, second))?.id, (await admit(tx, third))?.id]).toEqual([undefined, key.id, key.id]);
    await tx`update public.api_keys set former_until = now() where id = ${key.id}`;
    expect([await admit(tx, second), (await admit(tx, third))?.id]).toEqual([undefined, key.id]);
    expect(await outcome(rotate("owner"))).toBe("forbidden");
    await as("owner", (me) => me`select public.revoke_api_key(${acme}, ${key.id})`);
    expect([await admit(tx, second), await admit(tx, third)]).toEqual([undefined, undefined]);
    expect(await outcome(rotate("admin"))).toBe("validation_failed");
  });

  test("that ends during its transaction stops there", async ({ world: { tx, people, acme, post } }) => {
    const { id } = await post();
    for (const end of [
      `update public.api_keys set revoked_at = now()`,
      `update public.api_keys set expires_at = now()`,
      `update auth.users set banned_until = now() + interval '1 day' where id = '${people.admin}'`,
      `delete from public.members where user_id = '${people.admin}'`,
    ]) {
      const key = await newKey(tx, people.admin, acme);
      const played = asKey(tx, key, "read_post", async (me) => {
        await me`select public.read_post(${id})`;
        const claims = (await me`select current_setting('request.jwt.claims') as now`)[0]!.now as string;
        await me`select set_config('role', 'none', true), set_config('request.jwt.claims', '', true)`;
        await me.unsafe(end);
        await me`select set_config('role', 'authenticated', true), set_config('request.jwt.claims', ${claims}, true)`;
        await me`select public.read_post(${id})`;
      });
      expect([end, await outcome(played)]).toEqual([end, "unauthenticated"]);
    }
  });

  test("is named beside its maker as the author, and readers see only the maker", async ({ world: { tx, people, acme, as } }) => {
    const key = await newKey(tx, people.admin, acme);
    const [post] = await asKey(tx, key, "create_post", (me) => me`select id from public.create_post(${acme}, 'One', '{"blocks": []}')`);
    const save = (me: TransactionSql, title: string) => me`select public.save_post(${post!.id}, ${{ title } as never})`;
    await asKey(tx, key, "save_post", (me) => save(me, "Two"));
    await as("admin", (me) => save(me, "Three"));
    await asKey(tx, key, "save_post", (me) => save(me, "Four"));
    const names = await tx`select author_name, post_author_name from public.post_revisions where post_id = ${post!.id} order by version`;
    expect(names.map(({ author_name }) => author_name as string)).toEqual(["admin (Robot)", "admin (Robot)", "admin", "admin (Robot)"]);
    expect(new Set(names.map(({ post_author_name }) => post_author_name as string))).toEqual(new Set(["admin"]));
    expect(await tx`select created_by_name, author_name, updated_by_name from public.posts where id = ${post!.id}`).toMatchObject([
      { created_by_name: "admin", author_name: "admin", updated_by_name: "admin (Robot)" },
    ]);
    const lines = await tx`select kind, actor_name, title from public.activities where post_id = ${post!.id} order by created_at`;
    expect(lines.map(({ kind, actor_name, title }) => [kind, actor_name, title] as string[])).toEqual([
      ["post_created", "admin (Robot)", "One"],
      ["post_updated", "admin", "Three"],
      ["post_updated", "admin (Robot)", "Four"],
    ]);
  });

  test("has idempotency keys separate from its maker's and other keys'", async ({ world: { tx, people, acme, as } }) => {
    const keys = [await newKey(tx, people.owner, acme), await newKey(tx, people.owner, acme)];
    const request = "x".repeat(200);
    const create = (me: TransactionSql) =>
      me`select id from public.create_post(${acme}, 'Once', '{"blocks": []}', idempotency_key => ${request})`;
    const ids = [];
    for (let twice = 0; twice < 2; twice++) {
      ids.push((await as("owner", create))[0]!.id);
      for (const key of keys) ids.push((await asKey(tx, key, "create_post", create))[0]!.id);
    }
    expect(ids.slice(3)).toEqual(ids.slice(0, 3));
    expect(new Set(ids).size).toBe(3);
  });
});

const peopleOnly = ({ acme, people }: World): Record<string, string> => ({
  "a colleague's role": `select public.set_member_role('${acme}', '${people.editor}', 'viewer')`,
  "removing a colleague": `select public.remove_member('${acme}', '${people.editor}')`,
  "removing by hand": `delete from public.members where user_id = '${people.editor}'`,
  leaving: `select public.leave_workspace('${acme}')`,
  "handing over": `select public.hand_over_ownership('${acme}', '${people.admin}')`,
  "another workspace": `select public.create_workspace('New', 'new-one-by-key', 'https://example.com', 'Robot')`,
  "deleting the workspace": `select public.delete_workspace('${acme}', 'Acme')`,
  "opening the page": `select public.change_workspace('${acme}', '{"public_changelog_enabled": true}')`,
  "the workspace's name": `update public.workspaces set name = 'Other' where id = '${acme}'`,
  "the widget": `select public.save_widget_settings('${acme}', '{}')`,
  "the look": `select public.save_appearance('${acme}', '{}')`,
  "the look by hand": `insert into public.appearances (workspace_id) values ('${acme}')`,
  "the widget by hand": `insert into public.widget_settings (workspace_id) values ('${acme}')`,
  "mail settings": `select public.save_mail_settings('${acme}', '{"enabled": false}')`,
  "the house style": `select public.save_house_style('${acme}', 'Publish everything.')`,
  add_ons: `select public.request_upgrade('${acme}', '{sso}')`,
  inviting: `select public.create_invite('${acme}', 'viewer')`,
  "using an invitation": `select public.accept_invite('none')`,
  "its maker's profile": `update public.profiles set full_name = 'Robot' where user_id = '${people.owner}'`,
  "its maker's sessions": `select * from public.my_sessions()`,
  "ending a session": `select public.end_session('${people.owner}')`,
  "ending the others": `select public.end_other_sessions()`,
  "another key": `select public.create_api_key('${acme}', 'More', '{posts:read}', '${hash()}', 'tdk_abcd', 'wxyz')`,
  "another secret": `select public.rotate_api_key('${acme}', (select id from public.list_api_keys('${acme}') limit 1), '${hash()}', 'tdk_abcd', 'wxyz')`,
  "ending keys": `select public.revoke_api_key('${acme}', gen_random_uuid())`,
  "everything in one file": `select public.export_rows('${acme}', 'members')`,
});
const acts = Object.keys(peopleOnly({ acme: "", people: {} } as World));

testEach(acts)("no key can make the call: %s", async (world, act) => {
  const key = await newKey(world.tx, world.people[act === "leaving" ? "admin" : "owner"], world.acme); // owners can't leave in any case
  const statement = peopleOnly(world)[act]!;
  const code = await outcome(asKey(world.tx, key, "my_key", (me) => me.unsafe(statement)));
  expect(code).toBe(act === "using an invitation" ? "invalid_invitation" : "forbidden");
});

describe("a key without posts:publish", () => {
  const publish = lacks("posts:publish");
  const states: Record<string, { status: string; publish_at?: Date; tags?: string[] }> = {
    published: { status: "published", tags: ["news"] },
    scheduled: { status: "scheduled", publish_at: inDays(2), tags: ["news"] },
  };
  const acts: Record<string, (id: string) => [call: string, statement: string]> = {
    "a new title": (id) => ["save_post", `select public.save_post('${id}', '{"title": "Other"}')`],
    "a new text": (id) => [
      "save_post",
      `select public.save_post('${id}', '{"content_raw": {"blocks": [{"type": "paragraph", "data": {"text": "Other"}}]}}')`,
    ],
    "another tag": (id) => ["save_post", `select public.save_post('${id}', '{"tags": ["fix"]}')`],
    "a summary": (id) => ["save_post", `select public.save_post('${id}', '{"summary": "Short"}')`],
    "a cover": (id) => ["save_post", `select public.save_post('${id}', '{"cover_image": "none"}')`],
    "another address": (id) => ["save_post", `select public.save_post('${id}', '{"slug": "elsewhere"}')`],
    "another author": (id) => ["save_post", `select public.save_post('${id}', jsonb_build_object('author_id', (select private.my_id())))`],
    archiving: (id) => ["save_post", `select public.save_post('${id}', '{"status": "archived"}')`],
    "an earlier version": (id) => ["restore_revision", `select public.restore_revision('${id}', 1)`],
    "removing by hand": (id) => ["save_post", `delete from public.posts where id = '${id}'`],
    "writing by hand": (id) => ["save_post", `update public.posts set title = 'Other' where id = '${id}'`],
  };

  for (const [state, columns] of Object.entries(states)) {
    testEach(Object.entries(acts))(`can't change a ${state} post: %s`, async ({ tx, people, acme, post }, _, act) => {
      const { id } = await post({ ...columns });
      await tx`update public.members set role = 'admin' where user_id = ${people.editor}`;
      await tx.unsafe(`select set_config('request.jwt.claims', '', true); update public.posts set title = 'Second' where id = '${id}'`);
      const [call, statement] = act(id);
      const weak = await newKey(tx, people.editor, acme, allBut("posts:publish"));
      expect(await refused(asKey(tx, weak, call, (me) => me.unsafe(statement)))).toMatchObject(publish);
      const strong = await newKey(tx, people.editor, acme);
      expect(await outcome(asKey(tx, strong, call, (me) => me.unsafe(statement)))).toBe("allowed");
    });
  }

  test("can't create, publish, schedule or restore a public post", async ({ world: { tx, people, acme, post, as } }) => {
    const { id } = await post();
    const was = await post({ status: "published" });
    const [{ version }] = (await as(
      "owner",
      (me) => me`select version from public.save_post(${was.id}, '{"status": "archived"}')`,
    )) as unknown as [{ version: number }];
    const key = await newKey(tx, people.owner, acme, allBut("posts:publish"));
    const words = `'{"blocks": [{"type": "paragraph", "data": {"text": "Words"}}]}'`;
    for (const [call, statement] of [
      ["create_post", `select public.create_post('${acme}', 'New', ${words}, status => 'published')`],
      ["create_post", `select public.create_post('${acme}', 'New', ${words}, publish_at => now() + interval '1 day')`],
      ["save_post", `select public.save_post('${id}', '{"status": "published"}')`],
      ["save_post", `select public.save_post('${id}', jsonb_build_object('publish_at', now() + interval '1 day'))`],
      ["save_post", `select public.save_post('${id}', jsonb_build_object('status', 'scheduled', 'publish_at', now() + interval '1 day'))`],
      ["undo_archive", `select public.undo_archive('${was.id}', ${version})`],
      ["save_post", `update public.posts set status = 'published' where id = '${id}'`],
      [
        "create_post",
        `insert into public.posts (workspace_id, title, content_raw, status) values ('${acme}', 'New', ${words}, 'published')`,
      ],
    ] as const)
      expect([statement, await refused(asKey(tx, key, call, (me) => me.unsafe(statement)))]).toMatchObject([statement, publish]);
  });

  test("can write, archive and restore drafts, and save without changes", async ({ world: { tx, people, acme, post } }) => {
    const draft = await post();
    const live = await post({ status: "published" });
    const key = await newKey(tx, people.owner, acme, ["posts:write"]);
    const act = (call: string, statement: string) => outcome(asKey(tx, key, call, (me) => me.unsafe(statement)));
    expect(await act("save_post", `select public.save_post('${draft.id}', '{"title": "Other", "tags": ["fix"]}')`)).toBe("allowed");
    expect(await act("save_post", `select public.save_post('${draft.id}', '{"status": "archived"}')`)).toBe("allowed");
    expect(await act("save_post", `select public.save_post('${draft.id}', '{"status": "draft"}')`)).toBe("allowed");
    expect(await act("create_post", `select public.create_post('${acme}', 'New', '{"blocks": []}')`)).toBe("allowed");
    expect(await act("save_post", `select public.save_post('${live.id}', '{"title": "Dark mode"}')`)).toBe("allowed");
  });

  test("a key with posts:publish alone can't change text", async ({ world: { tx, people, acme, post } }) => {
    const { id } = await post();
    const key = await newKey(tx, people.owner, acme, ["posts:publish"]);
    const save = (patch: string) => asKey(tx, key, "save_post", (me) => me`select public.save_post(${id}, ${patch}::text::jsonb)`);
    expect(await refused(save('{"title": "Other", "status": "published"}'))).toMatchObject(lacks("posts:write"));
    expect(await outcome(save('{"status": "published"}'))).toBe("allowed");
  });

  test("can change tags, except those that readers see", async ({ world: { tx, people, acme, post, as } }) => {
    await as(
      "owner",
      (me) =>
        me`select public.create_tag(${acme}, 'Shown'), public.create_tag(${acme}, 'Soon'), public.create_tag(${acme}, 'Quiet'), public.create_tag(${acme}, 'Was shown')`,
    );
    await post({ status: "published", tags: ["shown", "bare"] });
    await post({ status: "scheduled", publish_at: inDays(1), tags: ["soon"] });
    const draft = await post({ tags: ["quiet"] });
    await as("owner", (me) => me`select public.delete_tag(${acme}, 'was-shown', 'shown')`);
    const key = await newKey(tx, people.owner, acme, allBut("posts:publish"));
    const act = (call: string, rest: string) => asKey(tx, key, call, (me) => me.unsafe(`select public.${call}('${acme}', ${rest})`));
    for (const [call, rest] of [
      ["change_tag", `'shown', 'Seen'`],
      ["change_tag", `'shown', colour => 'red'`],
      ["change_tag", `'soon', 'Later'`],
      ["change_tag", `'bare', 'Dressed'`],
      ["delete_tag", `'shown', 'quiet'`],
      ["delete_tag", `'quiet', 'shown'`],
      ["delete_tag", `'shown'`],
      ["create_tag", `'Bare'`],
      ["create_tag", `'Was shown'`],
    ] as const)
      expect([call, rest, await refused(act(call, rest))]).toMatchObject([call, rest, publish]);
    expect(await outcome(act("create_tag", `'Fresh'`))).toBe("allowed");
    expect(await outcome(act("change_tag", `'quiet', 'Silent', 'red'`))).toBe("allowed");
    expect(await tx`select tags from public.posts where id = ${draft.id}`).toMatchObject([{ tags: ["silent"] }]);
    expect(await outcome(act("delete_tag", `'silent'`))).toBe("allowed");
    const strong = await newKey(tx, people.owner, acme, ["tags:write", "posts:publish"]);
    expect(await outcome(asKey(tx, strong, "change_tag", (me) => me`select public.change_tag(${acme}, 'shown', 'Seen')`))).toBe("allowed");
  });
});

test("the database has the contract's scopes", async () => {
  const [row] = await sql`select pg_get_constraintdef(oid) as says from pg_constraint where conname = 'api_keys_scopes_known'`;
  expect([...(row!.says as string).matchAll(/[a-z]+:[a-z]+/g)].map(([scope]) => scope)).toEqual(apiKeyScopes);
  const [source] = await sql`select prosrc from pg_proc where proname = 'create_api_key'`;
  expect(source!.prosrc).toContain(`'{${apiKeyScopes.join(",")}}'`);
  const named = await sql`select distinct unnest(scopes) as scope from private.key_calls`;
  expect(named.map(({ scope }) => scope as string).filter((scope) => !(apiKeyScopes as readonly string[]).includes(scope))).toEqual([]);
});
