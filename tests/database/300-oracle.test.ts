import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { connect, rolledBack } from "./support/database.ts";
import { type About, attempt, type Case, casesOf, prepareAttempts } from "./support/oracle/cases.ts";
import { makeFixture } from "./support/oracle/fixture.ts";
import { calls, tables } from "./support/oracle/model.ts";

const sql = connect();

async function disagreement(cases: number, broken?: string): Promise<Case | undefined> {
  return (await play(cases, broken)).counterexample;
}

/** Plays random cases until Postgres and the model disagree, counting those the model allows. Applies `broken` first. */
function play(cases: number, broken?: string): Promise<{ counterexample: Case | undefined; allowed: number }> {
  return rolledBack(sql, async (tx) => {
    const fixture = await makeFixture(tx, Object.keys(tables));
    await prepareAttempts(tx);
    if (broken) await tx.unsafe(broken);
    let fault: unknown;
    let allowed = 0;
    const agree = async (played: Case): Promise<boolean> => {
      if (played.allowed) allowed += 1;
      try {
        return (await attempt(tx, played)) === played.allowed;
      } catch (error) {
        fault = new Error(`neither allowed nor refused: ${played.statement}`, { cause: error });
        return false;
      }
    };
    const seed = Number(process.env.ORACLE_SEED ?? 2026);
    const result = await fc.check(fc.asyncProperty(casesOf(fixture, about(broken)), agree), { numRuns: cases, endOnFailure: true, seed });
    if (fault) throw fault;
    return { counterexample: result.counterexample?.[0], allowed };
  });
}

function about(broken = ""): About {
  const named = Object.keys(tables).filter((table) => new RegExp(`(on|table) ${table}\\b`).test(broken));
  const called = Object.keys(calls).filter((name) => broken.includes(`function public.${name}(`));
  return { ...(named.length > 0 && { tables: named }), ...(called.length > 0 && { calls: called }) };
}

test("Postgres and the model of section 6 agree on 10,000 random cases", { timeout: 180_000 }, async () => {
  const { counterexample, allowed } = await play(10_000);
  expect(counterexample).toBeUndefined();
  expect(allowed).toBeGreaterThan(1_200);
  expect(allowed).toBeLessThan(8_500);
});

const helper = (
  roles: string,
) => `create or replace function private.my_workspace_ids(roles public.member_role[] default '{owner,admin,editor,viewer}', even_suspended boolean default null) returns setof uuid
  language plpgsql stable security definer set search_path = '' as $$ begin return query select m.workspace_id from public.members m where m.user_id = auth.uid() ${roles}; end $$`;
const mine = (roles: string) => `workspace_id = any (array(select private.my_workspace_ids('{${roles}}')))`;

const mistakes: [string, string][] = [
  ["everyone reads all posts", `alter policy "members read their workspace's posts" on public.posts using (true)`],
  [
    "viewers add posts",
    `alter policy "writers add posts to their workspace" on public.posts with check (${mine("owner,admin,editor,viewer")})`,
  ],
  [
    "viewers change posts",
    `alter policy "writers change their workspace's posts" on public.posts using (${mine("owner,admin,editor,viewer")}) with check (true)`,
  ],
  [
    "viewers purge posts",
    `alter policy "writers purge their workspace's posts" on public.posts using (${mine("owner,admin,editor,viewer")})`,
  ],
  [
    "posts are purged by writers of any workspace",
    `alter policy "writers purge their workspace's posts" on public.posts using (exists (select from public.members m where m.user_id = auth.uid() and m.role <> 'viewer'))`,
  ],
  ["the version can be written", `grant update (version) on public.posts to authenticated`],
  ["a new post brings its own author", `grant insert (created_by) on public.posts to authenticated`],
  ["row-level security forgotten", `alter table public.activities disable row level security`],
  ["a second, wider policy", `create policy "preview" on public.post_revisions for select to authenticated using (true)`],
  [
    "anon reads members",
    `grant select on public.members to anon; create policy "for the badge" on public.members for select to anon using (true)`,
  ],
  ["everyone reads members", `alter policy "members read who else is a member" on public.members using (true)`],
  [
    "owners can be removed",
    `alter policy "owners remove others, and members other than the owner leave" on public.members using (${mine("owner")} or user_id = auth.uid())`,
  ],
  [
    "admins remove members",
    `alter policy "owners remove others, and members other than the owner leave" on public.members using (role <> 'owner' and (user_id = auth.uid() or ${mine("owner,admin")}))`,
  ],
  [
    "roles can be written",
    `grant update (role) on public.members to authenticated; create policy "roles" on public.members for update to authenticated using (${mine("owner,admin")})`,
  ],
  [
    "editors rename the workspace",
    `alter policy "owners and admins change their workspace" on public.workspaces using (id = any (array(select private.my_workspace_ids('{owner,admin,editor}')))) with check (true)`,
  ],
  ["admins turn the public switch", `alter table public.workspaces disable trigger workspaces_are_opened_by_owners`],
  [
    "editors read invitations",
    `alter policy "owners and admins read their workspace's invitations" on public.invites using (${mine("owner,admin,editor")})`,
  ],
  ["token hashes are readable", `grant select on public.invites to authenticated`],
  [
    "editors save widget settings",
    `alter policy "owners and admins change their widget's settings" on public.widget_settings using (${mine("owner,admin,editor")}) with check (true); alter policy "owners and admins make their widget's settings" on public.widget_settings with check (true)`,
  ],
  [
    "editors read subscribers",
    `alter policy "owners and admins read their workspace's subscribers" on public.subscribers using (${mine("owner,admin,editor")})`,
  ],
  ["viewers add tags", `alter policy "writers add tags" on public.tags with check (${mine("owner,admin,editor,viewer")})`],
  [
    "numbers without the add-on",
    `alter policy "members with the analytics add-on read their numbers" on public.daily_counts using (${mine("owner,admin,editor,viewer")})`,
  ],
  [
    "countries, however few readers came from there",
    `alter policy "members with the analytics add-on read their numbers" on public.daily_counts using (workspace_id = any (array(
      select a.workspace_id from public.workspace_add_ons a where a.add_on = 'analytics' and a.workspace_id = any (array(select private.my_workspace_ids())))))`,
  ],
  [
    "everyone reads analytics",
    `create or replace function public.analytics(workspace_id uuid, from_day date default null, to_day date default null) returns json language sql stable security definer set search_path = '' as $$ select '{}'::json $$`,
  ],
  [
    "add-ons can be taken",
    `grant insert on public.workspace_add_ons to authenticated; create policy "take" on public.workspace_add_ons for insert to authenticated with check (${mine("owner")})`,
  ],
  ["all profiles are readable", `alter policy "people read their own and their teammates' profiles" on public.profiles using (true)`],
  [
    "teammates change each other's profiles",
    `alter policy "people change their own profile" on public.profiles using (true) with check (true)`,
  ],
  [
    "files go into any folder",
    `alter policy "people add files where they may write" on storage.objects with check (bucket_id in ('post-images', 'logos', 'avatars'))`,
  ],
  ["files are listed across tenants", `alter policy "people see their own and their workspaces' files" on storage.objects using (true)`],
  [
    "editors replace the logo",
    `alter policy "people remove files where they may write" on storage.objects using (split_part(name, '/', 1) = any (array(select private.my_workspace_ids('{owner,admin,editor}')::text)))`,
  ],
  ["ended sessions go on", `create or replace function private.my_id() returns uuid language sql stable as $$ select auth.uid() $$`],
  [
    "any user's session works",
    `create or replace function private.my_id() returns uuid language sql stable security definer set search_path = '' as $$ select auth.uid() where exists (select from auth.sessions s where s.id = private.session_id()) $$`,
  ],
  [
    "a password alone is enough",
    `create or replace function private.is_verified(person uuid, session uuid) returns boolean language sql stable as $$ select true $$`,
  ],
  [
    "a required second factor is forgotten",
    `create or replace function private.has_factor(person uuid) returns boolean language sql stable as $$ select true $$`,
  ],
  [
    "what a workspace requires is forgotten",
    `create or replace function private.access_gap(person uuid, workspace uuid) returns text language sql stable as $$ select null::text $$`,
  ],
  [
    "required single sign-on is forgotten",
    `create or replace function private.signed_in_by_provider(person uuid, workspace uuid) returns boolean language sql stable as $$ select true $$`,
  ],
  [
    "another workspace's provider is enough",
    `create or replace function private.signed_in_by_provider(person uuid, workspace uuid) returns boolean language sql stable security definer set search_path = '' as $$
      select exists (select from private.provider_sessions s where s.session_id = private.session_id()) $$`,
  ],
  [
    "an account at the provider is enough",
    `create or replace function private.signed_in_by_provider(person uuid, workspace uuid) returns boolean language sql stable security definer set search_path = '' as $$
      select exists (select from private.provider_accounts a where a.workspace_id = workspace and a.user_id = person) $$`,
  ],
  [
    "the helper forgets the required second factor",
    helper("and m.role = any (roles) and (even_suspended or cardinality(roles) = 4 or not private.is_suspended(m.workspace_id))"),
  ],
  [
    "files stay open to ended sessions",
    `create or replace function private.has_session() returns boolean language sql stable security definer set search_path = '' as $$ select true $$ /* on storage.objects */`,
  ],
  [
    "a suspended workspace is written to",
    `create or replace function private.is_suspended(workspace uuid) returns boolean language sql stable as $$ select false $$`,
  ],
  [
    "a suspended workspace is written to",
    `create or replace function private.is_suspended(workspace uuid) returns boolean language sql stable as $$ select false $$`,
  ],
  ["the helper forgets the roles", helper("")],
  ["the helper forgets the person", helper("or m.role = any (roles)")],
  [
    "a function forgets to ask",
    `create or replace function public.export_rows(workspace_id uuid, part text, after text default null) returns json language sql stable security definer set search_path = '' as $$ select (private.export_page(workspace_id, part, null)).next::json $$`,
  ],
  [
    "a list forgets to ask",
    `create or replace function public.list_subscribers(workspace_id uuid, filter jsonb default '{}', page int default 1, size int default 50) returns jsonb language sql stable security definer set search_path = '' as $$ select jsonb_agg(s) from public.subscribers s where s.workspace_id = list_subscribers.workspace_id $$`,
  ],
  [
    "reports ask for the add-on alone",
    `create or replace function private.require_reports(workspace uuid, even_suspended boolean default null) returns public.member_role language plpgsql stable security definer set search_path = '' as $$ begin return private.require_role(workspace); end $$`,
  ],
  [
    "webhooks of all are listed",
    `create or replace function public.list_webhooks(workspace_id uuid) returns jsonb language sql stable security definer set search_path = '' as $$ select jsonb_agg(w.id) from private.webhooks w $$`,
  ],
  [
    "the audit log is read by editors",
    `create or replace function public.list_audit(workspace_id uuid, filter jsonb default '{}', before bigint default null, size int default 50, exported boolean default false) returns jsonb language plpgsql stable security definer set search_path = '' as $$ begin perform private.require_role(workspace_id, '{owner,admin,editor}'); return '{}'; end $$`,
  ],
  [
    "imports are read by editors",
    `create or replace function public.read_import(workspace_id uuid, import_id uuid) returns jsonb language plpgsql security definer set search_path = '' as $$ begin perform private.require_role(workspace_id, '{owner,admin,editor}'); return '{}'; end $$`,
  ],
  [
    "a function asks for too little",
    `create or replace function private.require_role(workspace uuid, roles public.member_role[] default '{owner,admin,editor,viewer}', even_suspended boolean default null) returns public.member_role language sql stable security definer set search_path = '' as $$ select private.my_role(workspace) $$`,
  ],
];

describe("the oracle catches a broken rule", () => {
  test.each(mistakes)("%s", async (_, broken) => {
    expect(await disagreement(40_000, broken)).toBeDefined(); // most within a few hundred cases
  });
});
