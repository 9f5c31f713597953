import { randomUUID } from "node:crypto";
import type { TransactionSql } from "postgres";
import type { Role } from "#contract/kinds.ts";
import { asPerson } from "../as-person.ts";
import { inDays, newPerson, newWorkspace, words } from "../world.ts";
import { knowWorkspaces, type Row, type Standing } from "./model.ts";

const roles: Record<string, (Role | null)[]> = {
  ann: ["owner", "viewer", null],
  bob: [null, "owner", "editor"],
  cleo: ["admin", null, "owner"],
  dan: ["editor", null, "viewer"],
  eve: [null, "admin", null],
  fred: ["viewer", "editor", "admin"],
  gus: [null, null, "viewer"],
  ivy: ["admin", "editor", "admin"],
  jon: ["editor", "admin", "editor"],
  hal: [null, null, null],
};

/** The third workspace requires a second factor, which these don't have. */
const withoutFactor = ["dan", "hal"];

/** The first workspace requires single sign-on, which these didn't use: Ivy has an account at its provider, Jon a session of the second's. */
const withoutProvider = ["ivy", "jon"];

export interface Fixture {
  standings: Standing[];
  rows: Record<string, Row[]>;
  columns: Record<string, string[]>;
  drafts: Record<string, { row: Row; values: Record<string, string> }[]>;
}

const literal = (value: string): string => `'${value.replaceAll("'", "''")}'`;

export async function makeFixture(tx: TransactionSql, tables: string[]): Promise<Fixture> {
  const ids: Record<string, string> = {};
  for (const name of Object.keys(roles)) ids[name] = await newPerson(tx, name);
  const owners = [0, 1, 2].map((index) => ids[Object.keys(roles).find((name) => roles[name]![index] === "owner")!]!);
  const workspaces: string[] = [];
  for (const [index, owner] of owners.entries()) workspaces.push(await newWorkspace(tx, owner, `Ws${index}`));

  const standings: Standing[] = [{ id: null, roles: {} }];
  const everyRole: Record<string, Record<string, Role>> = {};
  for (const [name, perWorkspace] of Object.entries(roles)) {
    const mine: Record<string, Role> = {};
    for (const [index, role] of perWorkspace.entries()) {
      if (role === null) continue;
      mine[workspaces[index]!] = role;
      if (role !== "owner")
        await tx`insert into public.members (workspace_id, user_id, role) values (${workspaces[index]!}, ${ids[name]!}, ${role})`;
    }
    everyRole[ids[name]!] = mine;
    const hidden = [withoutProvider.includes(name) && workspaces[0], withoutFactor.includes(name) && workspaces[2]];
    standings.push({ id: ids[name]!, roles: Object.fromEntries(Object.entries(mine).filter(([id]) => !hidden.includes(id))) });
    if (!withoutFactor.includes(name)) await addFactor(tx, ids[name]!);
  }
  const suspended = workspaces[1]!;
  knowWorkspaces(everyRole, [suspended]);

  for (const [index, workspace] of workspaces.entries()) await fill(tx, workspace, owners[index]!, index === 0);
  await tx`update public.workspaces set suspension = '{}' where id = ${suspended}`;
  await tx`update public.workspaces set require_second_factor = true where id = ${workspaces[2]!}`;
  for (const workspace of [workspaces[0]!, suspended])
    await tx`insert into private.identity_providers (workspace_id, issuer, client_id, secret) values (${workspace}, 'https://login.example', 'us', 'sealed')`;
  for (const [name, id] of Object.entries(ids)) {
    const workspace = name === "jon" ? suspended : workspaces[0]!;
    if (everyRole[id]![workspace] === undefined) continue;
    await tx`insert into private.provider_accounts (workspace_id, user_id, subject) values (${workspace}, ${id}, ${name})`;
    if (name !== "ivy")
      await tx`insert into private.provider_sessions (session_id, workspace_id, user_id) values (${id}, ${workspace}, ${id})`;
  }
  await tx`update public.workspaces set require_single_sign_on = true where id = ${workspaces[0]!}`;
  for (const id of Object.values(ids))
    await tx`insert into storage.objects (bucket_id, name) values ('avatars', ${`${id}/${randomUUID()}.png`})`;
  return {
    standings,
    rows: await rowsOf(tx, workspaces, standings),
    columns: await columnsOf(tx, tables),
    drafts: draftsOf(workspaces, Object.values(ids)),
  };
}

/** Also a session that hasn't given its code; the usual one has. */
async function addFactor(tx: TransactionSql, person: string): Promise<void> {
  await tx`insert into private.factors (id, user_id, name, secret, confirmed_at) values (${randomUUID()}, ${person}, 'App', 'sealed', now())`;
  await tx`insert into auth.sessions (id, user_id) values (${randomUUID()}, ${person})`;
  await tx`insert into private.verified_sessions (session_id, user_id) values (${person}, ${person})`;
}

async function fill(tx: TransactionSql, workspace: string, owner: string, analytics: boolean): Promise<void> {
  await asPerson(tx, owner, async (me) => {
    await me`select public.create_post(${workspace}, 'Draft', ${words("text") as never})`;
    await me`select public.create_post(${workspace}, 'Scheduled', ${words("text") as never}, '{}', ${inDays(3)})`;
    await me`select public.create_post(${workspace}, 'Published', ${words("text") as never}, status => 'published')`;
    await me`select public.save_post((public.create_post(${workspace}, 'Archived', ${words("text") as never})).id, '{"status": "archived"}')`;
    await me`select public.add_comment(id, 'Is this so?') from public.posts where workspace_id = ${workspace} and status = 'draft'`;
    await me`select public.create_tag(${workspace}, 'Beta')`;
    await me`select public.save_template(${workspace}, 'Release', ${words("text") as never})`;
    await me`select public.save_house_style(${workspace}, 'Write to the reader.')`;
    await me`select public.create_invite(${workspace}, 'admin'), public.create_invite(${workspace}, 'viewer')`;
    await me`select public.save_widget_settings(${workspace}, '{}'), public.save_appearance(${workspace})`;
    await me`select public.change_workspace(${workspace}, '{"public_changelog_enabled": true}')`; // or no confirmation email is sent
    await me`select public.request_upgrade(${workspace}, ${[analytics ? "analytics" : "sso"]})`;
    for (const bucket of ["post-images", "logos"])
      await me`insert into storage.objects (bucket_id, name) values (${bucket}, ${`${workspace}/${randomUUID()}.png`})`;
  });
  await tx`update public.posts set external_id = 'v1' where workspace_id = ${workspace} and status = 'draft'`;
  const imported = {
    external_id: "v0",
    fingerprint: "a".repeat(64),
    title: "Imported",
    content_raw: words("text"),
    old_urls: ["https://old.example/v0"],
  };
  await asPerson(
    tx,
    owner,
    (me) => me`select public.write_entries(${workspace}, (public.begin_import(${workspace}, 'github', 'a/b', 5) #>> '{import,id}')::uuid,
      ${me.json([imported] as never)})`,
  );
  await tx`insert into public.subscribers (workspace_id, email) values (${workspace}, ${`${randomUUID()}@reader.example`})`;
  await tx`insert into public.workspace_add_ons (workspace_id, add_on) values (${workspace}, 'reports'), (${workspace}, 'custom-domain'), (${workspace}, 'backup')`;
  await tx`insert into private.backups (workspace_id, endpoint, region, bucket, key_id, sealed_secret, keep_days, next_at)
    values (${workspace}, 'https://s3.example', 'us-east-1', 'copies', 'key', ${"x".repeat(40)}, 30, now() + interval '1 day')`;
  await tx`insert into public.domains (host, shown, workspace_id) select n, n, ${workspace} from (values (${`${randomUUID()}.example`})) as v (n)`;
  await tx`insert into private.report_recipients (workspace_id, email, state) values (${workspace}, ${`${randomUUID()}@named.example`}, 'asked')`;
  const [hook] = await tx`insert into private.webhooks (workspace_id, kind, url, sealed, events)
    values (${workspace}, 'webhook', 'https://hooks.example/', ${"x".repeat(40)}, '{post.published}') returning id`;
  const [event] = await tx`insert into private.webhook_events (workspace_id, kind) values (${workspace}, 'webhook.ping') returning id`;
  await tx`insert into private.webhook_deliveries (event_id, webhook_id, workspace_id, state, ended_at)
    values (${event!.id as string}, ${hook!.id as string}, ${workspace}, 'failed', now())`;
  await tx`insert into private.count_queue (workspace_id, post_id, what, day, source, n)
    select p.workspace_id, case w.what when 'view' then p.id end, w.what, current_date, w.source, 3
    from (select id, workspace_id from public.posts where workspace_id = ${workspace} limit 1) as p,
      (values ('view', 'page'), ('reader', 'page'), ('country', 'DE')) as w (what, source)`;
  await tx`select private.roll_up_counts()`;
}

async function rowsOf(tx: TransactionSql, workspaces: string[], standings: Standing[]): Promise<Fixture["rows"]> {
  const first = workspaces[0];
  const of = async (table: string, key: string[], filter = "true"): Promise<Row[]> => {
    const found = await tx.unsafe(
      `select workspace_id, ${key.map((column) => `${column}::text`).join(", ")} from ${table} where workspace_id = any ($1) and ${filter}`,
      [workspaces],
    );
    return found.map((row) => ({
      workspace: row.workspace_id as string,
      where: key.map((column) => `${column}::text = ${literal(row[column] as string)}`).join(" and "),
      analytics: row.workspace_id === first,
      id: row.id as string | undefined,
    }));
  };
  const drafts = new Set((await tx`select id from public.posts where status = 'draft'`).map((row) => row.id as string));
  const memberRows = await tx`select workspace_id, user_id, role from public.members where workspace_id = any (${workspaces})`;
  const files =
    await tx`select id, bucket_id, split_part(name, '/', 1) as folder from storage.objects where split_part(name, '/', 1) = any (${[...workspaces, ...standings.flatMap(({ id }) => id ?? [])]})`;
  const comments = await tx<{ id: string; workspace: string; post: string; thread: string }[]>`
    select c.id, c.workspace_id as workspace, t.post_id as post, t.id as thread
    from private.comments c join private.comment_threads t on t.id = c.thread_id where c.workspace_id = any (${workspaces})`;
  return {
    "public.profiles": standings.flatMap(({ id }) =>
      id === null ? [] : [{ workspace: null, person: id, where: `user_id = ${literal(id)}` }],
    ),
    "public.workspaces": workspaces.map((id, index) => ({
      workspace: id,
      where: `id = ${literal(id)}`,
      name: `Ws${index}`,
      analytics: id === first,
    })),
    "public.members": memberRows.map((row) => ({
      workspace: row.workspace_id as string,
      person: row.user_id as string,
      isOwnerRow: row.role === "owner",
      where: `workspace_id = ${literal(row.workspace_id as string)} and user_id = ${literal(row.user_id as string)}`,
    })),
    "public.posts": (await of("public.posts", ["id"])).map((row) => ({ ...row, isDraft: drafts.has(row.id!) })),
    "public.post_summaries": await of("public.post_summaries", ["id"]),
    "public.post_details": await of("public.post_details", ["id"]),
    "public.post_revisions": await of("public.post_revisions", ["post_id", "version"]),
    "public.post_slugs": await of("public.post_slugs", ["workspace_id", "slug"]),
    "public.post_redirects": await of("public.post_redirects", ["host", "path", "workspace_id"]),
    "public.imports": await of("public.imports", ["id"]),
    "public.activities": await of("public.activities", ["id"]),
    "public.tags": await of("public.tags", ["workspace_id", "key"]),
    "public.templates": await of("public.templates", ["id"]),
    "public.house_styles": await of("public.house_styles", ["workspace_id"]),
    "public.invites": [
      ...(await of("public.invites", ["id"], "role = 'admin'")).map((row) => ({ ...row, forAdmin: true })),
      ...(await of("public.invites", ["id"], "role <> 'admin'")),
    ],
    "public.widget_settings": await of("public.widget_settings", ["workspace_id"]),
    "public.appearances": await of("public.appearances", ["workspace_id"]),
    "public.subscribers": await of("public.subscribers", ["id"]),
    "public.mail_settings": await of("public.mail_settings", ["workspace_id"]),
    "private.report_recipients": await of("private.report_recipients", ["id"]),
    "private.comments": comments.map(({ id, workspace, post, thread }) => ({ id, workspace, post, thread, where: `id = ${literal(id)}` })),
    "private.webhooks": await of("private.webhooks", ["id"]),
    "private.webhook_deliveries": await of("private.webhook_deliveries", ["id"]),
    "public.workspace_add_ons": await of("public.workspace_add_ons", ["workspace_id", "add_on"]),
    "public.domains": (await of("public.domains", ["host"])).map((row) => ({ ...row, id: row.where.split("'")[1] })),
    "public.upgrade_requests": await of("public.upgrade_requests", ["id"]),
    "public.daily_counts": [
      ...(await of("public.daily_counts", ["post_id", "day"], "post_id is not null")),
      ...(await of("public.daily_counts", ["workspace_id", "what"], "what = 'reader'")),
      ...(await of("public.daily_counts", ["workspace_id", "what"], "what = 'country'")).map((row) => ({ ...row, isCountry: true })),
    ],
    "storage.objects": files.map((row) => ({
      workspace: row.bucket_id === "avatars" ? null : (row.folder as string),
      person: row.folder as string,
      bucket: row.bucket_id as Row["bucket"],
      where: `id = ${literal(row.id as string)}`,
    })),
  };
}

async function columnsOf(tx: TransactionSql, tables: string[]): Promise<Fixture["columns"]> {
  const found =
    await tx`select table_schema || '.' || table_name as name, column_name from information_schema.columns where table_schema || '.' || table_name = any (${tables}) and is_updatable = 'YES'`;
  return Object.fromEntries(
    tables.map((table) => [table, found.filter((row) => row.name === table).map((row) => row.column_name as string)]),
  );
}

function draftsOf(workspaces: string[], people: string[]): Fixture["drafts"] {
  const each = (values: (workspace: string) => Record<string, string>) =>
    workspaces.map((workspace) => ({ row: { workspace, where: "" }, values: { workspace_id: literal(workspace), ...values(workspace) } }));
  const file = (bucket: NonNullable<Row["bucket"]>) => (folder: string) => ({
    row: { workspace: bucket === "avatars" ? null : folder, person: folder, bucket, where: "" },
    values: { bucket_id: literal(bucket), name: `${literal(`${folder}/`)} || gen_random_uuid() || '.png'` },
  });
  return {
    "public.posts": each(() => ({ title: "'New'", content_raw: literal(JSON.stringify(words("text"))), tags: "'{}'" })),
    "public.tags": each(() => ({ label: "'Gamma'", colour: "'red'" })),
    "public.widget_settings": each(() => ({ settings: "'{}'" })),
    "public.appearances": each(() => ({ settings: "'{}'" })),
    "storage.objects": [...workspaces.flatMap((id) => [file("post-images")(id), file("logos")(id)]), ...people.map(file("avatars"))],
    "public.members": each(() => ({ user_id: literal(people.at(-1)!), role: "'viewer'" })),
    "public.invites": each(() => ({ role: "'admin'", token_hash: "sha256('x')", created_by: literal(people[0]!) })),
    "public.templates": each(() => ({ name: "'New'", content_raw: literal(JSON.stringify(words("text"))) })),
    "public.house_styles": each(() => ({ text: "'Shout.'" })),
    "public.subscribers": each(() => ({ email: "gen_random_uuid() || '@reader.example'" })),
    "public.mail_settings": each(() => ({ enabled: "true" })),
    "public.workspace_add_ons": each(() => ({ add_on: "'sso'" })),
    "public.activities": each(() => ({ kind: "'post_created'", title: "'x'" })),
  };
}
