import { randomUUID } from "node:crypto";
import { describe, expect } from "vitest";
import { exportedLists, exportedObjects, workspaceExport } from "#contract/workspace-export.ts";
import { refused } from "./support/refusal.ts";
import { pageView } from "./support/reading.ts";
import { type Person, words, type World, test, testEach } from "./support/world.ts";

/** Not exported: transient state, keys that open nothing elsewhere, and the audit log with its own file. */
const passing = [
  "audit_log",
  "credential_changes",
  "email_domains", // proven again, as own domains are
  "identity_providers",
  "own_joins",
  "provider_accounts",
  "provider_sessions",
  "api_keys",
  "assistant_codes",
  "released_subdomains",
  "request_keys",
  "tag_moves",
  "events",
  "deliveries",
  "mail_events",
  "webhook_events",
  "webhook_deliveries",
  "widget_sightings",
  "jobs",
  "link_pictures",
  "operator_log", // the installation's, not the workspace's
  "backup_runs",
  "restores",
  "taken_ids",
  "post_counts",
  "workspace_counts",
  "name_days",
  "reader_marks",
  "count_queue",
];

async function fill(world: World): Promise<void> {
  await world.post({ status: "published", tags: ["fix"] });
  const draft = await world.post();
  await world.as("owner", async (me) => {
    await me`select public.save_widget_settings(${world.acme}, '{"appearance": {"theme": "dark"}}'), public.save_appearance(${world.acme}, '{"locale": "de"}')`;
    await me`select public.create_tag(${world.acme}, 'Beta')`;
    await me`select public.create_tag(${world.acme}, 'Gamma'), public.delete_tag(${world.acme}, 'gamma')`;
    await me`select public.save_template(${world.acme}, 'Release', ${words("New: ") as never})`;
    await me`select public.set_workspace_access(${world.acme}, 'password', false, false, 'open sesame')`;
    await me`select public.save_house_style(${world.acme}, 'Write to the reader.')`;
    await me`select public.add_comment(id, 'Is this so?') from public.posts where workspace_id = ${world.acme}`;
    const webhook = {
      kind: "webhook",
      url: "https://hooks.example/catch/a-secret-in-it",
      sealed: "x".repeat(40),
      events: ["post.published"],
    };
    await me`select public.create_webhook(${world.acme}, ${webhook as never})`;
    await me`select public.set_review_rule(${world.acme}, 'editors')`;
    await me`select public.create_invite(${world.acme}, 'viewer')`;
    await me`select public.request_upgrade(${world.acme}, '{analytics}')`;
    await me`select public.change_workspace(${world.acme}, '{"public_changelog_enabled": true}')`;
    await me`insert into storage.objects (bucket_id, name) values ('logos', ${`${world.acme}/${randomUUID()}.png`})`;
  });
  await world.as("editor", async (me) => {
    const change = { title: "Better", tags: [], content_raw: words("Of a colleague.") };
    await me`select public.propose_change(id, version, ${change as never}) from public.posts where workspace_id = ${world.acme} and status = 'published'`;
    await me`select public.ask_review(${draft.id}, 1)`;
  });
  await world.as(
    "admin",
    (me) =>
      me`select public.decide_review(${draft.id}, (public.review_standing(${draft.id}) #>> '{reviews,0,id}')::uuid, 1, 'refuse', 'Say why.')`,
  );
  await world.tx`insert into private.backups (workspace_id, endpoint, region, bucket, key_id, sealed_secret, sealed_passphrase, keep_days, next_at)
    values (${world.acme}, 'https://s3.example.com', 'eu', 'copies', 'AKIA', ${"x".repeat(40)}, ${"x".repeat(40)}, 30, now())`;
  await world.tx`insert into public.domains (host, workspace_id, shown) values (${`${randomUUID()}.example.com`}, ${world.acme}, 'news.example.com')`;
  await world.tx`insert into public.subscribers (workspace_id, email) values (${world.acme}, 'reader@example.com')`;
  await world.tx`insert into private.report_recipients (workspace_id, email, state) values (${world.acme}, 'chief@example.com', 'asked')`;
  await world.tx`insert into private.suppressions (workspace_id, address, reason) values (${world.acme}, private.address_hash('gone@example.com'), 'erased')`;
  const [begun] = await world.as(
    "owner",
    (me) => me`select public.begin_import(${world.acme}, 'changelog', 'CHANGELOG.md', 1) #>> '{import,id}' as id`,
  );
  const entry = {
    external_id: "changelog:1.0.0",
    fingerprint: "0".repeat(64),
    title: "First",
    content_raw: words("It began."),
    old_urls: ["https://old.example.com/first"],
  };
  await world.as("owner", (me) => me`select public.write_entries(${world.acme}, ${begun!.id}, ${me.json([entry] as never)})`);
  const [row] =
    await world.tx`select w.subdomain::text, p.slug from public.workspaces w join public.posts p on p.workspace_id = w.id where w.id = ${world.acme} and p.status = 'published'`;
  await world.tx`select private.count_events(${pageView(row!.subdomain as string, row!.slug as string, "203.0.113.7", "Mozilla/5.0 Safari")}::text::jsonb)`;
  await world.tx`select private.roll_up_counts()`;
}

const tables = async ({ tx }: World) =>
  (
    await tx`select format('%I.%I', c.table_schema, c.table_name) as name
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.column_name = 'workspace_id' and table_schema in ('public', 'private') and t.table_type = 'BASE TABLE' order by 1`
  ).map((row) => row.name as string);
const rowsIn = async ({ tx, acme }: World, table: string) =>
  (await tx.unsafe(`select count(*)::int as count from ${table} where workspace_id = $1`, [acme]))[0]!.count as number;

describe("the export", () => {
  const documentOf = async ({ tx, acme }: World, enough = 4_194_304) => {
    const pieces = await tx`select piece from private.export_document(${acme}, ${enough}) as d (piece)`;
    return { pieces: pieces.length, data: JSON.parse(pieces.map(({ piece }) => piece as string).join("\n")) as Record<string, any> };
  };

  test("contains rows of every table that belongs to a workspace, and no secret", async ({ world }) => {
    await fill(world);
    const { data } = await documentOf(world);
    const names: Record<string, string> = {
      workspace_add_ons: "add_ons",
      appearances: "appearance",
      house_styles: "house_style",
      backups: "backup",
    };
    for (const table of await tables(world)) {
      const name = table.replace(/^\w+\./, "");
      if (passing.includes(name)) continue;
      expect([table, await rowsIn(world, table)]).not.toEqual([table, 0]);
      expect([name, Object.keys(data[names[name] ?? name] ?? {}).length]).not.toEqual([name, 0]);
    }
    expect(workspaceExport.safeParse(data).error).toBeUndefined();
    expect(Object.keys(data).toSorted()).toEqual(["exported_at", "format", ...exportedLists, ...exportedObjects].toSorted());
    expect(data.workspace).toMatchObject({ id: world.acme, name: "Acme" });
    expect(data.files).toHaveLength(1);
    expect(data.proposals).toMatchObject([{ state: "waiting", title: "Better", content_raw: words("Of a colleague.") }]);
    expect(data.reviews).toMatchObject([{ state: "refused", decision_note: "Say why." }]);
    expect(data.webhooks).toMatchObject([{ url: "https://hooks.example/…n-it" }]); // a URL can be a secret
    expect(JSON.stringify(data)).not.toMatch(/token_hash|password_hash|sealed|x{40}/);
    expect(JSON.stringify(data)).not.toContain("Globex");
  });

  test("is the same in small pages, each row once and in order", async ({ world }) => {
    const { as, acme, tx } = world;
    await fill(world);
    for (let index = 0; index < 3; index++) {
      const { id } = await world.post({ title: `Post ${index}` });
      await as("editor", (me) => me`select public.save_post(${id}, '{"tags": ["fix"]}'), public.save_post(${id}, '{"title": "Other"}')`);
      await as("owner", (me) => me`select public.create_tag(${acme}, ${`Tag ${index}`}), public.create_invite(${acme}, 'viewer')`);
      await as("owner", (me) => me`select public.request_upgrade(${acme}, '{sso,backup}')`);
      await as("owner", (me) => me`select public.delete_tag(${acme}, ${`tag-${index}`})`);
      await tx`insert into public.subscribers (workspace_id, email) values (${acme}, ${`reader${index}@example.com`})`;
      await tx`insert into private.proposals (workspace_id, post_id, base_version, title, tags, content_raw, proposed_by)
          values (${acme}, ${id}, 1, 'Other', '{}', '{"blocks": [{"data": {"text": "Other"}}]}', ${randomUUID()})`;
      await tx`insert into public.daily_counts (post_id, workspace_id, what, day, source, n)
          select p.id, ${acme}, w.what, '2026-01-01'::date + n, s.source, 1 from generate_series(1, 3) as n, (values (${id}::uuid), (null)) as p (id),
            (values ('view'), ('link_click')) as w (what), (values ('page'), ('widget')) as s (source)
          on conflict do nothing`;
      await as("owner", (me) => me`insert into storage.objects (bucket_id, name) values ('post-images', ${`${acme}/${randomUUID()}.png`})`);
    }
    const whole = await documentOf(world);
    const paged = await documentOf(world, 1);
    expect(paged.data).toEqual(whole.data);
    expect(paged.pieces).toBeGreaterThan(whole.pieces + 30);
    for (const list of exportedLists) expect([list, whole.data[list].length]).not.toEqual([list, 0]);
    const rows = await tx`select p.id from public.posts p where workspace_id = ${acme} order by created_at, id`;
    expect(whole.data.posts.map(({ id }: { id: string }) => id)).toEqual(rows.map(({ id }) => id as string));
    const versions =
      await tx`select to_jsonb(r) as row from public.post_revisions r where workspace_id = ${acme} order by post_id, version`;
    expect(whole.data.post_revisions).toEqual(versions.map(({ row }) => row));
    const counts = await tx`select to_jsonb(d) as row from public.daily_counts d where workspace_id = ${acme}
        order by post_id nulls first, what, day, source`;
    expect(whole.data.daily_counts).toEqual(counts.map(({ row }) => row));
    expect(counts.length).toBeGreaterThan(45);
  });

  test("of an unknown workspace is empty", async ({ world: { tx } }) =>
    expect(await tx`select private.export_document(${randomUUID()})`).toHaveLength(0));
});

describe("deleting a workspace", () => {
  const remove = ({ as, acme }: World, person: Person, name = "Acme") =>
    as(person, (me) => me`select public.delete_workspace(${acme}, ${name})`);

  testEach(["acme", "", "Globex"])("requires its name, and %j isn't it", async (world, name) =>
    expect(await refused(remove(world, "owner", name))).toMatchObject({
      code: "validation_failed",
      detail: { name: expect.any(String) },
    }),
  );

  test("deletes all its rows and no others, and queues its files", async ({ world }) => {
    await fill(world);
    await world.post({ workspace_id: world.globex });
    await remove(world, "owner");
    await world.tx`set constraints all immediate`;
    await world.tx`select private.roll_up_counts()`; // queued counts are discarded then
    for (const table of await tables(world)) expect([table, await rowsIn(world, table)]).toEqual([table, 0]);
    expect(await world.tx`select from public.posts where workspace_id = ${world.globex}`).toHaveLength(1);
    expect(await world.tx`select from private.discarded_files where bucket = 'logos' and path like ${`${world.acme}/%`}`).toHaveLength(1);
    const told = await world.tx`select from realtime.messages where topic = ${`workspace:${world.acme}`} and event = 'post-removed'`;
    expect(told).toHaveLength(0);
  });
});
