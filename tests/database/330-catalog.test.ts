import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { connect, rolledBack } from "./support/database.ts";

const sql = connect();
const ours = sql`n.nspname in ('public', 'private') and not exists (select from pg_depend d where d.objid = o.oid and d.deptype = 'e')`;

/** Everything in public and private that anon can access. A new line here is a decision. */
const openToAnon = [
  "function private.ask_subscription(text, text, text, text[], text, jsonb)",
  "function private.change_subscription(text, text, text, text, text[])",
  "function private.count_events(jsonb)",
  "function private.create_preview_comment(text, bytea, text, text, text, text, integer, integer)",
  "function private.enter_by_password(text, text, text, integer, integer)",
  "function private.enter_by_token(text, text)",
  "function private.find_redirect(text, text, text)",
  "function private.find_workspace(text, boolean)",
  "function private.get_release(text, text)",
  "function private.has_preview_link(text)",
  "function private.identify(text)",
  "function private.image_addresses(uuid, text[], integer)",
  "function private.image_path(text)",
  "function private.list_releases(text, integer, integer, text, date, text, text[])",
  "function private.mark_seen(text, timestamp with time zone)",
  "function private.og_image_path(text, uuid)",
  "function private.placed_releases(text, text[])",
  "function private.preview_content(bytea)",
  "function private.preview_link_threads(bytea)",
  "function private.public_version(text)",
  "function private.read_preview(text, bytea, text, integer, integer)",
  "function private.record_widget_use(text, text)",
  "function private.refuse(text, jsonb, text)",
  "function private.release_addresses(text)",
  "function private.release_contents(text, uuid[])",
  "function private.release_months(text)",
  "function private.release_neighbours(text, uuid)",
  "function private.release_tags(text)",
  "function private.releases_for_some(text)",
  "function private.search_releases(text, text, integer, integer)",
  "function private.subscription(text, text)",
  "function private.versioned_releases(text)",
  "function private.wait_to_identify(text, integer, integer)",
  "function private.workspace_of_host(text)",
  "function public.read_invite(text)",
  "function public.read_sign_up_offer()",
];

/** SECURITY DEFINER functions that signed-in users can call: each checks the caller's role or id itself. */
const definers = [
  "accept_invite",
  "access_gap_of",
  "add_comment",
  "add_domain",
  "add_email_domain",
  "add_factor",
  "add_report_recipient",
  "add_subscriber",
  "analytics",
  "approve_assistant",
  "ask_review",
  "assistant_places",
  "begin_import",
  "begin_restore",
  "change_comment",
  "change_subdomain",
  "change_tag",
  "change_webhook",
  "compare_entries",
  "create_api_key",
  "create_invite",
  "create_invites",
  "create_preview_link",
  "create_webhook",
  "create_workspace",
  "dashboard",
  "decide_proposal",
  "decide_review",
  "delete_account",
  "delete_tag",
  "delete_template",
  "delete_workspace",
  "email_domain_of",
  "end_account_access",
  "end_assistant",
  "end_other_sessions",
  "end_session",
  "erase_reader",
  "export_posts",
  "export_rows",
  "find_posts",
  "grants_upgrades",
  "hand_over_ownership",
  "import_subscribers",
  "is_operator",
  "keep_import_image",
  "leave_workspace",
  "list_account_access",
  "list_api_keys",
  "list_assistants",
  "list_audit",
  "list_domains",
  "list_imports",
  "list_preview_links",
  "list_subscribers",
  "list_tags",
  "list_webhooks",
  "look_at_domain",
  "mail_audience",
  "may_change_password",
  "my_key",
  "my_muted_emails",
  "my_reader_key",
  "my_second_factor",
  "my_sessions",
  "needs_second_factor",
  "note_invite_mailed",
  "note_sign_in",
  "operator_grant_add_on",
  "operator_overview",
  "operator_people",
  "operator_remove_factors",
  "operator_set_suspension",
  "operator_sign_up_link",
  "operator_workspaces",
  "ping_webhook",
  "post_analytics",
  "post_threads",
  "propose_change",
  "read_backup",
  "read_import",
  "read_invite",
  "read_proposal",
  "read_sign_up_offer",
  "read_single_sign_on",
  "read_template",
  "read_workspace_access",
  "read_workspace_security",
  "reader_unseen",
  "release_notes_context",
  "remove_backup",
  "remove_comment",
  "remove_domain",
  "remove_email_domain",
  "remove_identity_provider",
  "remove_member",
  "remove_report_recipient",
  "remove_subscriber",
  "remove_webhook",
  "request_email_change",
  "request_factor_reset",
  "request_upgrade",
  "require_backup",
  "resend_delivery",
  "resend_failed",
  "review_rule",
  "review_standing",
  "revoke_api_key",
  "revoke_invite",
  "revoke_preview_link",
  "rotate_api_key",
  "rotate_webhook",
  "run_backup",
  "save_backup",
  "save_house_style",
  "save_identity_provider",
  "save_mail_settings",
  "save_template",
  "search_posts",
  "set_invite_role",
  "set_join_by_domain",
  "set_member_role",
  "set_muted_emails",
  "set_my_report",
  "set_review_rule",
  "set_workspace_access",
  "set_workspace_security",
  "settle_tags",
  "settle_thread",
  "subdomain_status",
  "subscriber_numbers",
  "subscribers_after",
  "team_members",
  "undo_archive",
  "undo_import",
  "upcoming_posts",
  "use_break_glass_code",
  "waiting_for_me",
  "webhook_deliveries",
  "withdraw_proposal",
  "withdraw_review",
  "workspace_reports",
  "workspace_stats",
  "write_entries",
];

/** Functions in private that signed-in users can call, as policies and public functions need them; definers check the caller themselves. */
const privateDefiners = [
  "ask_subscription(text, text, text, text[], text, jsonb)",
  "author_of(uuid)",
  "change_subscription(text, text, text, text, text[])",
  "claim_request(text, text)",
  "create_preview_comment(text, bytea, text, text, text, text, integer, integer)",
  "domain_of(uuid)",
  "find_redirect(text, text, text)",
  "find_workspace(text, boolean)",
  "get_release(text, text)",
  "has_preview_link(text)",
  "has_session()",
  "is_changelog_public(uuid)",
  "is_shown_image(text)",
  "list_releases(text, integer, integer, text, date, text, text[])",
  "may_join(text, boolean)",
  "my_id()",
  "my_name()",
  "my_role(uuid)",
  "my_workspace_ids(member_role[], boolean)",
  "og_image_path(text, uuid)",
  "placed_releases(text, text[])",
  "preview_content(bytea)",
  "preview_link_threads(bytea)",
  "public_version(text)",
  "read_preview(text, bytea, text, integer, integer)",
  "release_addresses(text)",
  "release_contents(text, uuid[])",
  "release_months(text)",
  "release_neighbours(text, uuid)",
  "release_tags(text)",
  "require_role(uuid, member_role[], boolean)",
  "search_releases(text, text, integer, integer)",
  "settle_request(text, jsonb)",
  "subscription(text, text)",
  "versioned_releases(text)",
  "workspace_of_host(text)",
];
const privateInvokers = [
  "appearance_faults(jsonb)",
  "are_origins(text[])",
  "are_requests(text[])",
  "as_list(jsonb)",
  "clean_line(text)",
  "content_of(jsonb)",
  "creator_name(text, text)",
  "default_tags()",
  "explain_refusal(uuid)",
  "has_add_on(uuid, text)",
  "is_image_path(text)",
  "is_subdomain(text)",
  "is_website(text)",
  "key_has(text)",
  "key_id()",
  "key_workspace()",
  "list_status(text)",
  "placeholder_views(uuid, text)",
  "refuse(text, jsonb, text)",
  "set_notify_subscribers(boolean)",
  "tag_key(text)",
  "tags_of(uuid)",
  "text_array(jsonb)",
  "url_origin(text)",
  "widget_setting_rules()",
  "widget_settings_are_valid(jsonb)",
];

/** Services' tables that the API's roles can access, with row-level security. PostgREST exposes none of these schemas. */
const servicesTables = {
  "realtime.messages": "insert, select, update",
  "storage.buckets": "delete, insert, references, select, trigger, truncate, update",
  "storage.objects": "delete, insert, references, select, trigger, truncate, update",
};

const writable = {
  profiles: "update avatar_url, company_name, full_name, job_title",
  workspaces: "update allowed_origins, logo_url, name, origin, public_changelog_enabled",
  posts:
    "insert author_id, content_raw, cover_image, details, external_id, publish_at, published_at, status, summary, tags, title, workspace_id; update author_id, content_raw, cover_image, details, publish_at, published_at, requests, slug, status, summary, tags, title",
  tags: "insert colour, label, workspace_id",
  appearances: "insert favicon_url, logo_dark_url, settings, workspace_id; update favicon_url, logo_dark_url, settings",
  widget_settings: "insert settings, workspace_id; update settings",
};
const deletable = ["members", "posts"];

describe("tables:", () => {
  test("every table of ours has row-level security", async () => {
    const open =
      await sql`select o.oid::regclass::text as name from pg_class o join pg_namespace n on n.oid = o.relnamespace where o.relkind in ('r', 'p') and not o.relrowsecurity and ${ours}`;
    expect([...open]).toEqual([]);
  });

  test("every table has a primary key (or a unique one with nulls) and named constraints", async () => {
    const bare = await sql`select o.oid::regclass::text as name from pg_class o join pg_namespace n on n.oid = o.relnamespace
      where o.relkind = 'r' and ${ours} and not exists (select from pg_constraint c join pg_index i on i.indexrelid = c.conindid
        where c.conrelid = o.oid and (c.contype = 'p' or c.contype = 'u' and i.indnullsnotdistinct))`;
    expect([...bare]).toEqual([]);
    const unnamed =
      await sql`select o.conname from pg_constraint o join pg_namespace n on n.oid = o.connamespace where ${ours} and o.contype = 'c' and o.conname ~ '_check[0-9]*$'`;
    expect([...unnamed]).toEqual([]);
  });

  test("every foreign key has an index for the reverse lookup", async () => {
    const slow = await sql`
      select c.conname from pg_constraint c join pg_namespace n on n.oid = c.connamespace
      where c.contype = 'f' and n.nspname in ('public', 'private')
        and not exists (select from pg_index i where i.indrelid = c.conrelid and i.indpred is null and (i.indkey::int2[])[0:cardinality(c.conkey) - 1] @> c.conkey)`;
    expect([...slow]).toEqual([]);
  });

  test("views use the caller's rights", async () => {
    const views =
      await sql`select o.relname, o.reloptions from pg_class o join pg_namespace n on n.oid = o.relnamespace where o.relkind in ('v', 'm') and ${ours}`;
    expect(views.map((view) => view.relname as string).toSorted()).toEqual([
      "post_details",
      "post_summaries",
      "published_posts",
      "visible_posts",
    ]);
    expect(views.filter(({ reloptions }) => String(reloptions) !== "security_invoker=true")).toEqual([]);
  });
});

describe("policies:", () => {
  const policies = sql<{ name: string; roles: string[]; cmd: string; permissive: boolean; rule: string }[]>`
    select tablename || ': ' || policyname as name, roles::text[], cmd, permissive = 'PERMISSIVE' as permissive, coalesce(qual, '') || ' ' || coalesce(with_check, '') as rule
    from pg_policies where schemaname in ('public', 'private') or (schemaname = 'storage' and tablename = 'objects') or (schemaname = 'realtime' and tablename = 'messages')`;

  test("each names its role: signed-in users", async () => {
    expect((await policies).length).toBeGreaterThan(25);
    expect((await policies).filter(({ roles }) => roles.join() !== "authenticated")).toEqual([]);
  });

  test("each has a descriptive name and one command", async () => {
    expect(
      (await policies).filter(({ name, cmd, permissive }) => (cmd === "ALL" && permissive) || !/: \w+( [\w',-]+){2,}$/.test(name)),
    ).toEqual([]);
  });

  test("each evaluates auth.uid() once, not per row", async () => {
    const bare = (await policies).filter(({ rule }) => /(?<!SELECT )(auth\.uid\(\)|auth\.jwt\(\)|realtime\.topic\(\))/.test(rule));
    expect(bare).toEqual([]);
    const rowwise = (await policies).filter(({ rule }) => /my_workspace_ids/.test(rule) && !/ARRAY\( SELECT/.test(rule));
    expect(rowwise).toEqual([]);
  });

  test("one policy at most per table, role and command, as several are combined by OR", async () => {
    const several =
      await sql`select schemaname, tablename, cmd, count(*) from pg_policies where schemaname in ('public', 'private', 'storage') and permissive = 'PERMISSIVE' group by 1, 2, 3 having count(*) > 1`;
    expect([...several]).toEqual([]);
  });
});

describe("keys:", () => {
  const tables = sql<{ name: string; rules: string[] | null; guarded: boolean }[]>`
    select c.relname as name, (
      select array_agg(p.cmd || ' ' || p.qual) from pg_policies p
      where p.schemaname = 'public' and p.tablename = c.relname and p.permissive = 'RESTRICTIVE' and p.roles::text[] = '{authenticated}'
    ) as rules, exists (
      select from pg_trigger t where t.tgrelid = c.oid and t.tgfoid = 'private.refuse_keys()'::regprocedure and t.tgenabled = 'O'
    ) as guarded
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by 1`;

  test("every table limits them to their workspace or hides its rows: see 98-every-table.sql", async () => {
    const key = "( SELECT private.key_workspace() AS key_workspace)";
    const bound = (column: string) => `ALL ((${key} IS NULL) OR (${column} = ${key}))`;
    const wrong = (await tables).filter(
      ({ name, rules }) =>
        ![`ALL (${key} IS NULL)`, bound(name === "workspaces" ? "id" : "workspace_id")].includes(rules?.join(" / ") ?? ""),
    );
    expect(wrong).toEqual([]);
  });

  test("every table is written by users only, except by keys' calls", async () => {
    const written = ["activities", "daily_counts", "post_redirects", "post_revisions", "post_slugs", "posts", "subscribers", "tags"];
    expect((await tables).filter(({ guarded }) => !guarded).map(({ name }) => name)).toEqual(written);
  });

  test("every call for keys exists, has no definer rights, and returns a shape that key-calls.ts recognizes", async () => {
    const calls = await sql<{ call: string; found: number; odd: boolean }[]>`
      select k.call, count(p.oid)::int as found, bool_or(p.proargmodes && '{o,b}'::"char"[] or p.prorettype <> 'record'::regtype and 't' = any (p.proargmodes)) as odd
      from private.key_calls k left join pg_proc p on p.pronamespace = 'public'::regnamespace and p.proname = k.call
        and has_function_privilege('authenticated', p.oid, 'execute') group by 1`;
    expect(calls.filter(({ found, odd }) => found !== 1 || odd)).toEqual([]);
  });

  test("only private.begin_key_call sets the user that a transaction acts for", async () => {
    const others = await sql`select o.oid::regprocedure::text as name from pg_proc o join pg_namespace n on n.oid = o.pronamespace
      where ${ours} and o.prosrc ~ 'set_config[(]''(request|role)' order by 1`;
    expect(others.map(({ name }) => name as string)).toEqual(["private.begin_key_call(uuid,text,text)"]);
  });
});

describe("functions:", () => {
  test("every one of ours has an empty search_path", async () => {
    const loose =
      await sql`select format('%s.%s(%s)', n.nspname, o.proname, oidvectortypes(o.proargtypes)) as name from pg_proc o join pg_namespace n on n.oid = o.pronamespace where ${ours} and not coalesce('search_path=""' = any (o.proconfig), false)`;
    expect([...loose]).toEqual([]);
  });

  test("every definer belongs to the migrations' role", async () => {
    const owners =
      await sql`select distinct o.proowner::regrole::text as owner from pg_proc o join pg_namespace n on n.oid = o.pronamespace where ${ours} and o.prosecdef`;
    expect([...owners]).toEqual([{ owner: "postgres" }]);
  });

  test("the definers that users can call are those listed", async () => {
    const found = await sql`select o.proname as name from pg_proc o join pg_namespace n on n.oid = o.pronamespace
      where n.nspname = 'public' and o.prosecdef and has_function_privilege('authenticated', o.oid, 'execute') order by 1`;
    expect(found.map((row) => row.name)).toEqual(definers);
  });

  test("every definer that users can call checks who they are, and that their session is live", async () => {
    const blind = await sql`
      select format('%s.%s(%s)', n.nspname, o.proname, oidvectortypes(o.proargtypes)) as name from pg_proc o join pg_namespace n on n.oid = o.pronamespace
      where n.nspname = 'public' and o.prosecdef and has_function_privilege('authenticated', o.oid, 'execute')
        and o.prosrc !~ '(require_role|lock_as_owner|require_inviter|lock_post|require_reports|require_backup|require_key_manager|require_operator|webhook_of|import_of|private\\.(my|person)_id\\(\\))'`;
    expect(blind.map((row) => row.name).sort()).toEqual([
      "public.needs_second_factor()", // of this very session
      "public.read_invite(text)",
      "public.read_sign_up_offer()",
    ]);
  });
});

/** Hosted's PostgREST refuses updates and deletes without a condition (pg-safeupdate), also in functions. It isn't available here. */
test("no function updates or deletes without a condition", async () => {
  const functions = await sql<{ name: string; body: string }[]>`
    select o.oid::regprocedure::text as name, o.prosrc as body from pg_proc o join pg_namespace n on n.oid = o.pronamespace
    where ${ours} and o.prokind = 'f'`;
  const changes = functions.flatMap(({ name, body }) => {
    const statements = body
      .replace(/--.*$/gm, "")
      .replace(/'(?:[^']|'')*'/g, "''")
      .split(/;|\breturning\b/i);
    return statements.flatMap((text) => {
      const [, change] = /\b(delete\s+from\s+\S+[\s\S]*|update\s+[\w.]+(?:\s+\w+)?\s+set\b[\s\S]*)/i.exec(text) ?? [];
      return change && !/do\s+update\s+set/i.test(text) ? [{ name, change }] : [];
    });
  });
  expect(changes.length).toBeGreaterThan(20);
  expect(changes.filter(({ change }) => !/\bwhere\b/i.test(change))).toEqual([]);
});

describe("privileges:", () => {
  test("anon can access only what is listed", async () => {
    const reachable = await sql`
      select 'function ' || format('%s.%s(%s)', n.nspname, o.proname, oidvectortypes(o.proargtypes)) as name
      from pg_proc o join pg_namespace n on n.oid = o.pronamespace where ${ours} and has_function_privilege('anon', o.oid, 'execute') and o.prorettype <> 'trigger'::regtype
      union all
      select 'table ' || o.oid::regclass from pg_class o join pg_namespace n on n.oid = o.relnamespace
      where ${ours} and o.relkind in ('r', 'v', 'm', 'p') and (has_table_privilege('anon', o.oid, 'select, insert, update, delete, truncate, references, trigger') or has_any_column_privilege('anon', o.oid, 'select, insert, update'))
      union all
      select 'sequence ' || o.oid::regclass from pg_class o join pg_namespace n on n.oid = o.relnamespace where ${ours} and o.relkind = 'S' and case when o.relkind = 'S' then has_sequence_privilege('anon', o.oid, 'usage, select, update') end
      order by 1`;
    expect(reachable.map((row) => row.name)).toEqual(openToAnon);
  });

  test("signed-in users can call only the listed private functions", async () => {
    const rows = await sql<{ name: string; definer: boolean }[]>`
      select format('%s(%s)', o.proname, oidvectortypes(o.proargtypes)) as name, o.prosecdef as definer from pg_proc o join pg_namespace n on n.oid = o.pronamespace
      where n.nspname = 'private' and has_function_privilege('authenticated', o.oid, 'execute') order by 1`;
    expect(rows.filter(({ definer }) => definer).map(({ name }) => name)).toEqual(privateDefiners);
    expect(rows.filter(({ definer }) => !definer).map(({ name }) => name)).toEqual(privateInvokers);
  });

  test.each(["anon", "authenticated"])("%s can access only the listed tables of services, each with row-level security", async (role) => {
    const rows = await sql<{ name: string; verbs: string; guarded: boolean }[]>`
      select n.nspname || '.' || c.relname as name, string_agg(verb, ', ' order by verb) as verbs, c.relrowsecurity as guarded
      from pg_class c join pg_namespace n on n.oid = c.relnamespace,
        unnest('{select,insert,update,delete,truncate,references,trigger}'::text[]) as verb
      where n.nspname in ('auth', 'storage', 'realtime', 'supabase_migrations') and c.relkind in ('r', 'p', 'v', 'm', 'f') and case
        when verb in ('select', 'insert', 'update', 'references') then has_any_column_privilege(${role}::text, c.oid, verb)
        else has_table_privilege(${role}::text, c.oid, verb) end
      group by 1, 3 order by 1`;
    expect(Object.fromEntries(rows.map(({ name, verbs }) => [name, verbs]))).toEqual(servicesTables);
    expect(rows.filter(({ guarded }) => !guarded)).toEqual([]);
  });

  test("trigger functions can be called by triggers only", async () => {
    const callable =
      await sql`select format('%s.%s(%s)', n.nspname, o.proname, oidvectortypes(o.proargtypes)) as name from pg_proc o join pg_namespace n on n.oid = o.pronamespace
      where ${ours} and o.prorettype = 'trigger'::regtype and (has_function_privilege('anon', o.oid, 'execute') or has_function_privilege('authenticated', o.oid, 'execute'))`;
    expect([...callable]).toEqual([]);
  });

  test("signed-in users can write exactly these columns", async () => {
    const rows = await sql`
      select table_name, lower(privilege_type) as verb, string_agg(column_name, ', ' order by column_name) as columns
      from information_schema.column_privileges where table_schema = 'public' and grantee = 'authenticated' and privilege_type in ('INSERT', 'UPDATE') group by 1, 2 order by 1, 2`;
    const found: Record<string, string> = {};
    for (const { table_name, verb, columns } of rows)
      found[table_name as string] = [found[table_name as string], `${verb} ${columns}`].filter(Boolean).join("; ");
    expect(found).toEqual(writable);
  });

  test("signed-in users can delete from exactly these tables, and truncate none", async () => {
    const rows =
      await sql`select table_name, privilege_type from information_schema.table_privileges where table_schema = 'public' and grantee = 'authenticated' and privilege_type not in ('SELECT', 'INSERT', 'UPDATE') order by 1`;
    expect([...rows]).toEqual(deletable.map((table_name) => ({ table_name, privilege_type: "DELETE" })));
  });

  test("users can access no table of the private schema", async () => {
    const rows = await sql`select o.oid::regclass::text as name from pg_class o join pg_namespace n on n.oid = o.relnamespace
      where n.nspname = 'private' and o.relkind in ('r', 'v', 'm') and (has_table_privilege('authenticated', o.oid, 'select') or has_table_privilege('service_role', o.oid, 'select'))`;
    expect([...rows]).toEqual([]);
  });
});

/** Supabase's lints (github.com/supabase/splinter, splinter.sql), if SPLINTER_SQL names the file. */
test.runIf(process.env.SPLINTER_SQL)("splinter reports only intended findings", async () => {
  const lints = await readFile(process.env.SPLINTER_SQL!, "utf8");
  const found = await rolledBack(sql, async (tx) => {
    await tx`set local pgrst.db_schemas = 'public'`;
    const results = (await tx.unsafe(lints)) as unknown as { name: string; metadata: { schema?: string; name?: string } }[][];
    return results.flat().map(({ name, metadata }) => ({ name, schema: metadata.schema, object: metadata.name }));
  });
  const meant = ({ name, schema, object }: { name: string; schema?: string; object?: string }): boolean =>
    name === "unused_index" ||
    (name === "rls_enabled_no_policy" && schema === "private") ||
    (name === "authenticated_security_definer_function_executable" && definers.includes(object ?? "")) ||
    (name === "anon_security_definer_function_executable" && object === "read_invite");
  expect(found.filter((finding) => !meant(finding))).toEqual([]);
});
