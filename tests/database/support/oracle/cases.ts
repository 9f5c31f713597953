import { randomUUID } from "node:crypto";
import * as fc from "fast-check";
import type { TransactionSql } from "postgres";
import type { Fixture } from "./fixture.ts";
import { calls, type Row, type SessionState, type Standing, tables } from "./model.ts";

export interface Case {
  who: Standing;
  session: SessionState;
  statement: string;
  allowed: boolean;
}
type Wish = Omit<Case, "session">;

export interface About {
  tables?: string[];
  calls?: string[];
}

export function casesOf(fixture: Fixture, of: About = {}): fc.Arbitrary<Case> {
  const about = of.tables ?? Object.keys(tables);
  const person = fc.constantFrom(...fixture.standings);
  const withDrafts = Object.keys(fixture.drafts).filter((table) => about.includes(table));
  const aim = fc.constantFrom(...about).chain((table) =>
    fc.record({
      table: fc.constant(table),
      row: fc.constantFrom(...fixture.rows[table]!),
      column: fc.constantFrom(...fixture.columns[table]!),
    }),
  );
  const reading = fc.record({ who: person, aim }).map(({ who, aim: { table, row, column } }): Wish => {
    const rules = tables[table]!;
    return {
      who,
      statement: `select ${column} from ${table} where ${row.where}`,
      allowed: rules.read(who, row) && !rules.hidden?.includes(column),
    };
  });
  const writing = fc.record({ who: person, aim }).map(({ who, aim: { table, row, column } }): Wish => ({
    who,
    statement: `update ${table} set ${column} = ${newValue[`${table}.${column}`] ?? column} where ${row.where}`,
    allowed: tables[table]!.write[column]?.(who, row) ?? false,
  }));
  const removing = fc.record({ who: person, aim }).map(({ who, aim: { table, row } }): Wish => ({
    who,
    statement: `delete from ${table} where ${row.where}`,
    allowed: tables[table]!.remove(who, row),
  }));
  const adding = fc
    .constantFrom(...(withDrafts.length > 0 ? withDrafts : Object.keys(fixture.drafts)))
    .chain((table) =>
      fc.record({
        who: person,
        table: fc.constant(table),
        draft: fc.constantFrom(...fixture.drafts[table]!),
        extra: fc.option(fc.constantFrom(...fixture.columns[table]!), { freq: 2 }),
      }),
    )
    .map(({ who, table, draft, extra }): Wish => {
      const values = extra === null || extra in draft.values ? draft.values : { ...draft.values, [extra]: "default" };
      const allowed =
        tables[table]!.add(who, draft.row) && Object.keys(values).every((column) => tables[table]!.given?.includes(column) ?? true);
      const free = /^public\.(widget_settings|appearances)$/.test(table)
        ? "on conflict (workspace_id) do update set settings = excluded.settings"
        : "";
      return {
        who,
        statement: `insert into ${table} (${Object.keys(values).join(", ")}) values (${Object.values(values).join(", ")}) ${free}`,
        allowed,
      };
    });
  const calling = fc
    .constantFrom(...(of.calls ?? Object.keys(calls)))
    .chain((name) => fc.record({ who: person, name: fc.constant(name), row: fc.constantFrom(...fixture.rows[aimOf(name)]!) }))
    .map(({ who, name, row }): Wish => ({
      who,
      statement: `select count(*) from ${call(name, row)}`,
      allowed: who.id !== null && calls[name]!(who, row),
    }));
  const handling = of.calls && !of.tables ? 0 : 1;
  const wish = fc.oneof(
    { arbitrary: reading, weight: 3 * handling },
    { arbitrary: writing, weight: 3 * handling },
    { arbitrary: removing, weight: 2 * handling },
    { arbitrary: adding, weight: 2 * handling },
    { arbitrary: calling, weight: 3 },
  );
  const session = fc.oneof(
    { arbitrary: fc.constant<SessionState>("live"), weight: 12 },
    { arbitrary: fc.constantFrom<SessionState>("ended", "another person's", "without its code"), weight: 3 },
  );
  return fc.record({ wish, session }).map(({ wish: { allowed, ...rest }, session }) => ({
    ...rest,
    session,
    allowed: allowed && session === "live",
  }));
}

const newValue: Record<string, string> = { "public.workspaces.public_changelog_enabled": "not public_changelog_enabled" };

const aims: readonly (readonly [RegExp, string])[] = [
  [/^(read_post|post_analytics|save_post|autosave_post|archive_post|purge_post|restore_revision|undo_archive)$/, "public.posts"],
  [/^(review_standing|duplicate_post|post_threads|post_versions?|delete_draft|begin_thread|link_requests)$/, "public.posts"],
  [/^(read|change|delete)_template$/, "public.templates"],
  [/^remove_subscriber$/, "public.subscribers"],
  [/^(add|change|remove)_comment$|^settle_thread$/, "private.comments"],
  [/^(remove|look_at|settle)_domain$/, "public.domains"],
  [/^remove_report_recipient$/, "private.report_recipients"],
  [/^(read|undo)_import$|^write_entries$|_import_image$/, "public.imports"],
  [/^resend_delivery$/, "private.webhook_deliveries"],
  [/^(change|remove|rotate|ping)_webhook$|^webhook_deliveries$|^resend_failed$/, "private.webhooks"],
  [/^team_members$/, "public.workspaces"],
  [/member|hand_over/, "public.members"],
  [/^revoke_invite$|^invite_becomes_/, "public.invites"],
];
export const aimOf = (name: string): string => aims.find(([names]) => names.test(name))?.[1] ?? "public.workspaces";

export function call(name: string, row: Row): string {
  const [workspace, id] = [`'${row.workspace}'`, `'${row.id}'`];
  const thread = `'${row.post}', '${row.thread}'`;
  switch (name) {
    case "begin_thread":
      return `public.add_comment(${id}, 'Is this so?')`;
    case "add_comment":
      return `public.add_comment('${row.post}', 'It is.', '${row.thread}')`;
    case "settle_thread":
      return `public.settle_thread(${thread}, true)`;
    case "change_comment":
      return `public.change_comment(${thread}, ${id}, 'Is this really so?')`;
    case "remove_comment":
      return `public.remove_comment(${thread}, ${id})`;
    case "post_threads":
    case "post_versions":
    case "delete_draft":
    case "link_requests":
    case "read_post":
    case "review_standing":
    case "purge_post":
    case "duplicate_post":
    case "revoke_invite":
      return `public.${name}(${id})`;
    case "save_post":
      return `public.save_post(${id}, '{}')`;
    case "archive_post":
      return `public.save_post(${id}, '{"status": "archived"}')`;
    case "autosave_post":
      return `public.save_post(${id}, '{}', autosaved => true)`;
    case "post_version":
    case "restore_revision":
      return `public.${name}(${id}, 1)`;
    case "undo_archive":
      return `public.undo_archive(${id}, (select version from public.posts where id = ${id}))`;
    case "read_template":
    case "delete_template":
      return `public.${name}(${workspace}, ${id})`;
    case "create_template":
      return `public.save_template(${workspace}, 'New', '{"blocks": []}')`;
    case "change_template":
      return `public.save_template(${workspace}, 'Other', '{"blocks": []}', template_id => ${id})`;
    case "save_house_style":
      return `public.save_house_style(${workspace}, 'Be brief.')`;
    case "change_tag":
      return `public.change_tag(${workspace}, 'beta', 'Epsilon')`;
    case "merge_tags":
      return `public.delete_tag(${workspace}, 'beta', 'fix')`;
    case "delete_tag":
      return `public.delete_tag(${workspace}, 'beta')`;
    case "create_post":
      return `public.create_post(${workspace}, 'New', '{"blocks": []}')`;
    case "autosave_new_post":
      return `public.create_post(${workspace}, 'New', '{"blocks": []}', autosaved => true)`;
    case "put_post":
      return `public.put_post(${workspace}, 'v2', '{"title": "New", "content_raw": {"blocks": []}}')`;
    case "post_named":
      return `public.read_post(workspace_id => ${workspace}, external_id => 'v1')`;
    case "create_tag":
      return `public.create_tag(${workspace}, 'Delta')`;
    case "post_analytics":
      return `public.post_analytics(${workspace}, ${id})`;
    case "posts_of":
      return `public.posts_of(${workspace}, array(select id from public.posts))`;
    case "search_posts":
    case "search_public":
      return `public.${name}(${workspace}, 'text')`;
    case "add_subscriber":
      return `public.add_subscriber(${workspace}, gen_random_uuid() || '@reader.example')`;
    case "import_subscribers":
      return `public.import_subscribers(${workspace}, jsonb_build_array(jsonb_build_object('email', gen_random_uuid() || '@reader.example')), 'They said yes.')`;
    case "remove_subscriber":
      return `public.remove_subscriber(${workspace}, ${id})`;
    case "reader_unseen":
    case "erase_reader":
      return `public.${name}(${workspace}, 'user-1')`;
    case "workspace_reports":
      return `public.workspace_reports(${workspace})`;
    case "add_report_recipient":
      return `public.add_report_recipient(${workspace}, gen_random_uuid() || '@named.example')`;
    case "remove_report_recipient":
      return `public.remove_report_recipient(${workspace}, ${id})`;
    case "set_my_report":
      return `public.set_my_report(${workspace}, false)`;
    case "report_numbers":
      return `public.report_numbers(${workspace}, '2026-10-01')`;
    case "report_link":
      return `public.report_link('a token')`;
    case "change_report":
      return `public.change_report('a token', 'stop')`;
    case "begin_import":
      return `public.begin_import(${workspace}, 'github', 'a/b', 1)`;
    case "write_entries":
      return `public.write_entries(${workspace}, ${id}, '[{"external_id": "v9", "fingerprint": "${"b".repeat(64)}", "title": "New"}]')`;
    case "compare_entries":
      return `public.compare_entries(${workspace}, '[{"external_id": "v9", "fingerprint": "${"b".repeat(64)}"}]')`;
    case "read_import":
    case "undo_import":
      return `public.${name}(${workspace}, ${id})`;
    case "kept_import_image":
      return `public.keep_import_image(${workspace}, ${id}, 'https://old.example/a.png')`;
    case "keep_import_image":
      return `public.keep_import_image(${workspace}, ${id}, 'https://old.example/a.png', '{"problem": "It is gone"}')`;
    case "save_backup":
      return `public.save_backup(${workspace}, '{"endpoint": "https://s3.example", "region": "us-east-1", "bucket": "copies", "key_id": "k", "keep_days": 3}')`;
    case "begin_restore":
      return `public.begin_restore(${workspace}, gen_random_uuid(), 'a copy', 'Restored', 'r-' || substr(gen_random_uuid()::text, 1, 13))`;
    case "backup_to_make":
      return `public.backup_to_make(${workspace}, 1)`;
    case "keep_backup":
      return `public.keep_backup(${workspace}, ${workspace})`;
    case "backup_rows":
      return `public.backup_rows(${workspace}, ${workspace}, 'posts')`;
    case "end_backup":
      return `public.end_backup(${workspace}, ${workspace}, '{"problem": "It failed"}')`;
    case "restore_rows":
      return `public.restore_rows(${workspace}, 'tags', '[]')`;
    case "restore_objects":
      return `public.restore_objects(${workspace}, '{}')`;
    case "finish_restore":
      return `public.finish_restore(${workspace}, true)`;
    case "add_domain":
      return `public.add_domain(${workspace}, gen_random_uuid() || '.example', '')`;
    case "remove_domain":
    case "look_at_domain":
      return `public.${name}(${workspace}, ${id})`;
    case "domain_to_check":
      return `public.domain_to_check((select d.id from public.domains d where d.host = ${id}))`;
    case "work_jobs":
      return `public.work_jobs()`;
    case "settle_domain":
      return `public.settle_domain(${id}, (select d.token from public.domains d where d.host = ${id}), 'dns', '{"state": "live", "found": {}, "after": 60}')`;
    case "create_api_key":
      return `public.create_api_key(${workspace}, 'Robot', '{posts:read}', '${"a".repeat(64)}', 'tdk_abcd', 'wxyz')`;
    case "set_review_rule":
      return `public.set_review_rule(${workspace}, 'all')`;
    case "set_workspace_security":
      return `public.set_workspace_security(${workspace}, true)`;
    case "set_workspace_access":
      return `public.set_workspace_access(${workspace}, 'unlisted', false, false)`;
    case "create_webhook":
      return `public.create_webhook(${workspace}, '{"kind": "webhook", "url": "https://hooks.example/", "sealed": "${"x".repeat(40)}", "events": ["post.published"]}')`;
    case "change_webhook":
      return `public.change_webhook(${workspace}, ${id}, '{"name": "Other"}')`;
    case "rotate_webhook":
      return `public.rotate_webhook(${workspace}, ${id}, '${"y".repeat(40)}')`;
    case "remove_webhook":
    case "webhook_deliveries":
    case "ping_webhook":
    case "resend_delivery":
      return `public.${name}(${workspace}, ${id})`;
    case "resend_failed":
      return `public.resend_failed(${workspace}, ${id}, now())`;
    case "webhook_to_send":
      return `public.webhook_to_send(${workspace})`;
    case "settle_webhook":
      return `public.settle_webhook(${workspace}, ${workspace}, '{"outcome": "done"}')`;
    case "og_image_to_draw":
      return `public.og_image_to_draw(${workspace})`;
    case "settle_og_image":
      return `public.settle_og_image(${workspace}, ${workspace}, 'x')`;
    case "change_workspace":
    case "save_widget_settings":
    case "save_appearance":
    case "save_mail_settings":
      return `public.${name}(${workspace}, '{}')`;
    case "invite_admin":
    case "invite_viewer":
      return `public.create_invite(${workspace}, '${name.slice("invite_".length)}')`;
    case "create_invites":
      return `public.create_invites(${workspace}, 'viewer', '{new@acme.example}')`;
    case "invite_becomes_admin":
    case "invite_becomes_viewer":
      return `public.set_invite_role(${workspace}, ${id}, '${name.slice("invite_becomes_".length)}')`;
    case "export_rows":
      return `public.export_rows(${workspace}, 'posts')`;
    case "export_posts":
      return `public.export_posts(${workspace}, 'markdown')`;
    case "export_audit":
      return `public.list_audit(${workspace}, exported => true)`;
    case "change_subdomain":
      return `public.change_subdomain(${workspace}, 'oracle-' || substr(md5(random()::text), 1, 12))`;
    case "set_public_changelog":
      return `public.change_workspace(${workspace}, '{"public_changelog_enabled": true}')`;
    case "request_upgrade":
      return `public.request_upgrade(${workspace}, '{sso}')`;
    case "delete_workspace":
      return `public.delete_workspace(${workspace}, '${row.name}')`;
    case "set_member_role":
      return `public.set_member_role(${workspace}, '${row.person}', 'viewer')`;
    case "remove_member":
    case "hand_over_ownership":
      return `public.${name}(${workspace}, '${row.person}')`;
    default:
      return `public.${name}(${workspace})`;
  }
}

/** Creates pg_temp.attempt: runs a statement as a user and rolls it back; returns the rows affected, or −1 if refused. */
export async function prepareAttempts(tx: TransactionSql): Promise<void> {
  await tx`
    create function pg_temp.attempt(person text, session text, statement text) returns int language plpgsql as $$
    declare
      reached int;
      role text := case when person is null then 'anon' else 'authenticated' end;
    begin
      begin
        perform set_config('role', role, true), set_config('request.jwt.claims', json_build_object('sub', person, 'role', role, 'session_id', session)::text, true),
          set_config('storage.allow_delete_query', 'true', true);
        execute statement;
        get diagnostics reached = row_count;
        raise exception using errcode = 'ZZ000', message = reached::text;
      exception
        when sqlstate 'ZZ000' then return sqlerrm::int;
        when insufficient_privilege then return -1;
        -- What our own functions refuse; and columns no statement may write at all.
        when raise_exception or generated_always then return -1;
      end;
    end $$`;
}

export async function attempt(tx: TransactionSql, { who, session, statement }: Case): Promise<boolean> {
  const other = { "another person's": await somebodyElse(tx, who.id), "without its code": await unverified(tx, who.id) };
  const shown = { live: who.id, ended: randomUUID(), ...other }[session];
  const [row] = await tx`select pg_temp.attempt(${who.id}, ${shown}, ${statement}) as reached`;
  return (row!.reached as number) > 0;
}

async function somebodyElse(tx: TransactionSql, id: string | null): Promise<string | null> {
  const [row] = await tx<{ id: string }[]>`select id from auth.sessions where user_id is distinct from ${id} limit 1`;
  return row?.id ?? null;
}

async function unverified(tx: TransactionSql, id: string | null): Promise<string | null> {
  const [row] = await tx<{ id: string }[]>`select id from auth.sessions where user_id = ${id} and id <> user_id`;
  return row?.id ?? null;
}
