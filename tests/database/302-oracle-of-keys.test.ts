import type { TransactionSql } from "postgres";
import { describe, expect, test } from "vitest";
import { type ApiKeyScope, apiKeyScopes } from "#contract/api-key-scopes.ts";
import { connect, rolledBack } from "./support/database.ts";
import { aimOf, call } from "./support/oracle/cases.ts";
import { type Fixture, makeFixture } from "./support/oracle/fixture.ts";
import { calls, members, type Row, type Standing, tables } from "./support/oracle/model.ts";

/**
 * The whole matrix: scope × the maker's role × workspace × call, and every row of every table directly. A key has its maker's rights (the model of
 * section 6) in one workspace, limited to the calls and scopes below: written from the decision "API keys", not from private.key_calls.
 */
const sql = connect();

const scopesOf: Record<string, readonly ApiKeyScope[]> = {
  ...{
    read_post: ["posts:read"],
    list_posts: ["posts:read"],
    find_posts: ["posts:read"],
    posts_of: ["posts:read"],
  },
  ...{
    search_posts: ["posts:read"],
    mail_audience: ["posts:read"],
    upcoming_posts: ["posts:read"],
    list_tags: ["posts:read", "posts:write", "tags:write"],
  },
  ...{ export_posts: ["posts:read"], list_domains: ["posts:read"] },
  release_notes_context: ["posts:read"],
  ...{ ask_review: ["posts:write"], review_standing: ["posts:read", "posts:write"] },
  ...{ propose_change: ["posts:write"], read_proposal: ["posts:write"], withdraw_proposal: ["posts:write"] },
  ...{ posts_after: ["posts:read"], put_post: ["posts:write"] },
  ...{ post_threads: ["posts:read"], post_versions: ["posts:read"], post_version: ["posts:read"], delete_draft: ["posts:write"] },
  link_requests: ["posts:write"],
  ...{ create_post: ["posts:write"], save_post: ["posts:write", "posts:publish"], restore_revision: ["posts:write"] },
  undo_archive: ["posts:write", "posts:publish"],
  ...{
    create_tag: ["tags:write"],
    change_tag: ["tags:write"],
    delete_tag: ["tags:write"],
    settle_tags: ["tags:write"],
  },
  ...{
    list_subscribers: ["subscribers:read"],
    subscriber_numbers: ["subscribers:read", "stats:read"],
  },
  ...{ add_subscriber: ["subscribers:write"], import_subscribers: ["subscribers:write"], remove_subscriber: ["subscribers:write"] },
  ...{ reader_unseen: ["subscribers:read"], erase_reader: ["subscribers:write"] },
  ...{
    subscribers_after: ["subscribers:read"],
    workspace_stats: ["stats:read"],
    analytics: ["stats:read"],
    post_analytics: ["stats:read"],
    workspace_address: apiKeyScopes,
    search_public: apiKeyScopes,
  },
  ...{
    list_webhooks: ["webhooks:write"],
    create_webhook: ["webhooks:write"],
    change_webhook: ["webhooks:write"],
    remove_webhook: ["webhooks:write"],
  },
  ...{ rotate_webhook: ["webhooks:write"], webhook_deliveries: ["webhooks:write"], ping_webhook: ["webhooks:write"] },
  ...{ resend_delivery: ["webhooks:write"], resend_failed: ["webhooks:write"] },
  ...{ read_workspace_access: ["access:write"], set_workspace_access: ["access:write"] },
};
const open = [
  "posts",
  "post_summaries",
  "post_details",
  "post_slugs",
  "post_revisions",
  "tags",
  "workspaces",
  "workspace_add_ons",
  "daily_counts",
];

interface Key {
  id: string;
  workspace: string;
  who: Standing;
  scopes: readonly ApiKeyScope[];
}

interface Asked {
  key: Key;
  call: string;
  statement: string;
  allowed: boolean;
}

const otherNames: Record<string, string> = { archive_post: "save_post", merge_tags: "delete_tag", post_named: "read_post" };
const functionOf = (name: string): string =>
  otherNames[name] ?? (name.startsWith("invite_becomes_") ? "set_invite_role" : name.startsWith("invite_") ? "create_invite" : name);

async function makeKeys(tx: TransactionSql, fixture: Fixture): Promise<Key[]> {
  const sets: ApiKeyScope[][] = [
    ...apiKeyScopes.map((scope) => [scope]),
    [...apiKeyScopes],
    apiKeyScopes.filter((scope) => scope !== "posts:publish"),
  ];
  const keys: Key[] = [];
  // All roles in the first workspace; some makers have other roles in other workspaces too.
  const workspace = fixture.rows["public.workspaces"]![0]!.workspace!;
  for (const who of fixture.standings.filter(({ roles }) => roles[workspace])) {
    for (const scopes of sets) {
      const [row] = await tx`insert into public.api_keys (workspace_id, name, scopes, hash, start, last4, created_by, created_by_name)
        values (${workspace}, 'Robot', ${scopes}, sha256(gen_random_uuid()::text::bytea), 'tdk_abcd', 'wxyz', ${who.id}, 'Somebody') returning id`;
      keys.push({ id: row!.id as string, workspace, who, scopes });
    }
  }
  return keys;
}

function matrix(keys: readonly Key[], { rows }: Fixture, live: ReadonlySet<string>): Asked[] {
  return keys.flatMap((key) => {
    const { who, scopes, workspace } = key;
    const byCall = Object.entries(calls).flatMap(([name, rule]) =>
      rows[aimOf(name)]!.map((row): Asked => {
        const needed = scopesOf[functionOf(name)];
        // A key that can read all posts can export them; the owner-only export is for users.
        const may = name === "export_posts" ? members : rule;
        const mine = row.workspace === workspace && needed !== undefined && needed.some((scope) => scopes.includes(scope)) && may(who, row);
        const shown = name === "archive_post" && live.has(row.id!) && !scopes.includes("posts:publish");
        return { key, call: functionOf(name), statement: `select count(*) from ${call(name, row)}`, allowed: mine && !shown };
      }),
    );
    const [first] = scopes;
    const entrance = first === "posts:read" ? "read_post" : "my_key";
    const byHand = Object.entries(rows).flatMap(([table, all]) =>
      !table.startsWith("public.") ? [] : all.flatMap((row) => handles(key, entrance, table, row)),
    );
    return [...byCall, ...(scopes.length === 1 && first !== "posts:read" ? [] : byHand)];
  });
}

function handles(key: Key, entrance: string, table: string, row: Row): Asked[] {
  const rules = tables[table]!;
  const isOpen = open.includes(table.slice("public.".length)) && row.workspace === key.workspace;
  const column = rules.hidden ? "id" : "*";
  return [
    {
      key,
      call: entrance,
      statement: `select ${column} from ${table} where ${row.where}`,
      allowed: isOpen && members(key.who, row) && rules.read(key.who, row),
    },
    {
      key,
      call: entrance,
      statement: `delete from ${table} where ${row.where} and ${table === "public.posts" ? "status in ('published', 'scheduled')" : "true"}`,
      allowed:
        table === "public.posts" && key.scopes.includes("posts:publish") && isOpen && rules.remove(key.who, row) && row.isLive === true,
    },
  ];
}

const attempt = `
  create function pg_temp.attempt_with_key(key uuid, call text, statement text) returns int language plpgsql as $$
  declare
    reached int;
  begin
    begin
      perform private.begin_key_call(key, call);
      execute statement;
      get diagnostics reached = row_count;
      raise exception using errcode = 'ZZ000', message = reached::text;
    exception
      when sqlstate 'ZZ000' then return sqlerrm::int;
      when insufficient_privilege or raise_exception then return -1;
    end;
  end $$`;

const isTelling = ({ who, scopes }: Key): boolean => Object.keys(who.roles).length > 1 && (scopes.length > 1 || scopes[0] === "stats:read");

async function disagreements(tx: TransactionSql, asked: readonly Asked[]): Promise<object[]> {
  const reached = await tx<{ reached: number }[]>`
    select pg_temp.attempt_with_key(a.key::uuid, a.call, a.statement) as reached
    from unnest(${asked.map(({ key }) => key.id)}::text[], ${asked.map((one) => one.call)}::text[], ${asked.map(({ statement }) => statement)}::text[])
      with ordinality as a (key, call, statement, place) order by a.place`;
  return asked
    .filter(({ allowed }, place) => allowed !== reached[place]!.reached > 0)
    .map(({ key, statement, allowed }) => ({ role: key.who.roles[key.workspace], scopes: key.scopes.join(), statement, allowed }));
}

function play(broken?: string): Promise<{ wrong: object[]; played: number; allowed: number }> {
  return rolledBack(sql, async (tx) => {
    const fixture = await makeFixture(tx, Object.keys(tables));
    const live = new Set((await tx`select id from public.posts where status in ('published', 'scheduled')`).map(({ id }) => id as string));
    for (const row of fixture.rows["public.posts"]!) row.isLive = live.has(row.id!);
    await tx.unsafe(attempt);
    if (broken) await tx.unsafe(broken);
    const keys = await makeKeys(tx, fixture);
    const asked = matrix(broken ? keys.filter(isTelling) : keys, fixture, live);
    const wrong: object[] = [];
    const atOnce = broken ? 200 : asked.length;
    for (let from = 0; from < asked.length && (wrong.length === 0 || !broken); from += atOnce)
      wrong.push(...(await disagreements(tx, asked.slice(from, from + atOnce))));
    return { wrong, played: asked.length, allowed: asked.filter(({ allowed }) => allowed).length };
  });
}

test("Postgres and the model agree on each scope × role × workspace × call", { timeout: 180_000 }, async () => {
  const { wrong, played, allowed } = await play();
  expect(wrong.slice(0, 5)).toEqual([]);
  expect(played).toBeGreaterThan(8_000);
  expect(allowed).toBeGreaterThan(600);
});

test("keys can make the calls of the decision", async () => {
  const rows = await sql<{ call: string; scopes: string[] | null }[]>`select call, scopes from private.key_calls`;
  const named = Object.fromEntries(rows.map(({ call, scopes }) => [call, scopes ?? apiKeyScopes]));
  // Two calls are open to all keys (tests/api/keys.test.ts, v1-images.test.ts).
  const { my_key: _own, require_writer: _writer, ...others } = named;
  expect(Object.keys(others).toSorted()).toEqual(Object.keys(scopesOf).toSorted());
  for (const [call, scopes] of Object.entries(scopesOf)) expect([call, others[call]!.toSorted()]).toEqual([call, scopes.toSorted()]);
});

describe("the oracle catches a broken rule:", () => {
  test.each([
    [
      "a key is in all workspaces of its maker",
      `create or replace function private.key_workspace() returns uuid language sql stable set search_path = '' as $$ select null::uuid $$`,
    ],
    ["scopes are forgotten", `update private.key_calls set scopes = null where call = 'list_subscribers'`],
    ["a call too many", `insert into private.key_calls (call) values ('dashboard')`],
    ["live posts are archived", `alter table public.posts disable trigger posts_30_guard_key`],
    ["members are shown", `drop policy "keys see nothing of this" on public.members`],
    [
      "posts elsewhere are shown",
      `drop policy "keys stay in their workspace" on public.posts; create or replace function private.my_workspace_ids(roles public.member_role[] default '{owner,admin,editor,viewer}', even_suspended boolean default null) returns setof uuid language sql stable security definer set search_path = '' as $$ select m.workspace_id from public.members m where m.user_id = auth.uid() and m.role = any (roles) $$`,
    ],
    [
      "the maker's role is forgotten",
      `create or replace function private.my_role(workspace uuid) returns public.member_role language sql stable set search_path = '' as $$ select 'owner'::public.member_role where private.key_workspace() = workspace $$`,
    ],
  ])("%s", async (_, broken) => {
    expect((await play(broken)).wrong).not.toEqual([]);
  });
});
