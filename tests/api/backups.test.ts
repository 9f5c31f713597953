import { randomUUID } from "node:crypto";
import { Decrypter } from "age-encryption";
import { unzipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import type { Backup, BackupRun } from "#contract/backups.ts";
import { Bucket } from "../../edge-functions/api/backups/bucket.ts";
import { copyOf } from "../../edge-functions/api/backups/copy.ts";
import { nodeNetwork } from "../support/node-network.ts";
import { type HostileServer, type S3Server, startHostileServer, startS3Server } from "../support/s3-server.ts";
import { pictures } from "./support/images.ts";
import {
  newPerson,
  newPost,
  newSubdomain,
  newTeam,
  newThread,
  newWorkspace,
  paragraph,
  type Person,
  sql,
  type Team,
} from "./support/people.ts";
import { setPublic } from "./support/public.ts";

const stack = inject("stack");
const waiting = { timeout: 30_000, interval: 100 };
const passphrase = "a long passphrase of somebody";
let s3: S3Server;
let team: Team;

beforeAll(async () => {
  s3 = await startS3Server(["copies", "others"]);
  team = await newTeam();
  await withAddOn(team.workspaceId);
});
afterAll(() => s3?.stop());

async function withAddOn(workspaceId: string): Promise<string> {
  await sql`insert into public.workspace_add_ons (workspace_id, add_on) values (${workspaceId}, 'backup')`;
  return `/api/workspaces/${workspaceId}/backup`;
}
async function newPlace(): Promise<{ owner: Person; id: string; path: string }> {
  const owner = await newPerson("Olive Owner");
  const { id } = await newWorkspace(owner);
  return { owner, id, path: await withAddOn(id) };
}
const input = (more: object = {}) => ({
  ...{ endpoint: s3.endpoint, bucket: "copies", key_id: s3.keyId, secret: s3.secret, keep_days: 30 },
  ...more,
});
const bucketOf = (name = "copies") =>
  new Bucket(
    nodeNetwork({}, { asked: [], connected: [] }),
    { endpoint: s3.endpoint, region: "us-east-1", bucket: name, keyId: s3.keyId, secret: s3.secret },
    { toPrivate: true },
  );
async function whole(key: string): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for (let from = 0, total = Infinity; from < total;) {
    const piece = await bucketOf().read(key, from);
    pieces.push(piece.bytes);
    from += piece.bytes.length;
    total = piece.total;
  }
  return new Uint8Array(Buffer.concat(pieces));
}
const jsonOf = (bytes: Uint8Array | undefined) => JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>;

async function copied(owner: Person, at: string): Promise<BackupRun> {
  const { status, body } = await owner.api.post<{ run: BackupRun }>(`${at}/run`);
  expect(status).toBe(200);
  await expect
    .poll(async () => {
      const { runs } = (await owner.api.get<Backup>(at)).body;
      return runs.find(({ id }) => id === body.run.id)?.state;
    }, waiting)
    .not.toBe("running");
  return (await owner.api.get<Backup>(at)).body.runs.find(({ id }) => id === body.run.id)!;
}
const restored = (owner: Person, at: string, key: string, more: object = {}) =>
  owner.api.post<{ workspace_id: string; left_out: number; fields?: Record<string, string> }>(`${at}/restore`, {
    key,
    name: "Restored",
    subdomain: newSubdomain(),
    ...more,
  });

async function comparable(owner: Person, workspaceId: string): Promise<Record<string, unknown>> {
  const { body } = await owner.api.get<Record<string, unknown>>(`/api/workspaces/${workspaceId}/export`);
  const known = new Map<string, string>();
  for (const post of body.posts as { id: string; slug: string }[]) known.set(post.id, `post ${post.slug}`);
  for (const reader of body.subscribers as { id: string; email: string }[]) known.set(reader.id, `reader ${reader.email}`);
  for (const one of body.templates as { id: string; name: string }[]) known.set(one.id, `template ${one.name}`);
  for (const one of body.comment_threads as { id: string; quote: string }[]) known.set(one.id, `thread on ${one.quote}`);
  for (const one of body.comments as { id: string; text: string }[]) known.set(one.id, `comment ${one.text}`);
  for (const one of body.imports as { id: string; name: string }[]) known.set(one.id, `import ${one.name}`);
  const told = [
    "workspace",
    "reader_access",
    "widget_settings",
    "appearance",
    "mail_settings",
    "house_style",
    "posts",
    "post_revisions",
    "post_slugs",
    "post_redirects",
    "imports",
  ];
  told.push(
    "import_entries",
    "tags",
    "former_tags",
    "templates",
    "comment_threads",
    "comments",
    "activities",
    "daily_counts",
    "subscribers",
    "suppressions",
    "files",
  );
  const text = JSON.stringify(Object.fromEntries(told.map((part) => [part, body[part]]))).replaceAll(workspaceId, "workspace");
  const named = [...known].reduce((all, [id, name]) => all.replaceAll(id, name), text);
  const parts = JSON.parse(named) as Record<string, unknown>;
  const without = (row: unknown, ...names: string[]) =>
    Object.fromEntries(Object.entries(row as Record<string, unknown>).filter(([name]) => !names.includes(name)));
  const workspace = without(parts.workspace, "name", "subdomain", "created_at", "updated_at", "public_changelog_enabled");
  const mails = without(parts.mail_settings, "updated_at");
  const look = without(parts.appearance, "updated_at");
  const style = without(parts.house_style, "updated_by");
  const sorted = (rows: unknown) =>
    (rows as Record<string, unknown>[])
      .map((row) => {
        const { created_by: _by, updated_by: _up, author_id: _a, actor_id: _ac, ...kept } = row;
        if ("kind" in kept || "address" in kept) delete kept.id;
        return JSON.stringify(kept, Object.keys(kept).sort());
      })
      .sort();
  const lists = Object.fromEntries(Object.entries(parts).flatMap(([part, rows]) => (Array.isArray(rows) ? [[part, sorted(rows)]] : [])));
  return { ...lists, workspace, mails, look, style, widget: parts.widget_settings };
}

async function fill(workspaceId: string, owner: Person): Promise<void> {
  const image = await owner.api.upload<{ file: { url: string } }>(`/api/workspaces/${workspaceId}/editor/image-upload`, pictures.png);
  const shown = { type: "image", data: { file: image.body.file, caption: "A picture" } };
  const text = (words: string) => ({ ...paragraph(words), blocks: [...paragraph(words).blocks, shown] });
  await sql`insert into public.tags (workspace_id, label, colour) values (${workspaceId}, 'Big News', 'red')`;
  const first = await newPost(owner, workspaceId, {
    title: "First & foremost",
    status: "published",
    tags: ["big-news"],
    blocks: text("One"),
  });
  await owner.api.put(`/api/posts/${first.id}`, { title: "First, again", version: first.version });
  await newPost(owner, workspaceId, { title: "A draft", blocks: text("Two") });
  await newPost(owner, workspaceId, {
    title: "Later",
    blocks: text("Three"),
    publish_at: new Date(Date.now() + 86_400_000).toISOString(),
  });
  const template = { name: "Monthly", title: "What's new", tags: ["big-news"], content_raw: JSON.stringify(text("New:")) };
  expect((await owner.api.post(`/api/workspaces/${workspaceId}/templates`, template)).status).toBe(201);
  expect((await owner.api.put(`/api/workspaces/${workspaceId}/house-style`, { text: "Write to the reader.\nBe brief." })).status).toBe(200);
  const thread = await newThread(owner, first.id, { text: "Is this so?" });
  await owner.api.post(`/api/posts/${first.id}/threads/${thread.id}/comments`, { text: "It is." });
  await owner.api.patch(`/api/posts/${first.id}/threads/${thread.id}`, { resolved: true });
  const gone = await newPost(owner, workspaceId, { title: "Gone", status: "published", blocks: text("Four") });
  await owner.api.send("DELETE", `/api/posts/${gone.id}`);
  await sql`update public.workspaces set allowed_origins = '{https://site.example}' where id = ${workspaceId}`;
  await sql`insert into public.widget_settings (workspace_id, settings) values (${workspaceId}, '{"appearance": {"theme": "dark"}}')
    on conflict (workspace_id) do update set settings = excluded.settings`;
  await sql`insert into public.appearances (workspace_id, settings) values (${workspaceId}, '{"accent": "#0b6b62", "layout": "excerpts"}')
    on conflict (workspace_id) do update set settings = excluded.settings`;
  const favicon = `/storage/v1/object/public/logos/${workspaceId}/${randomUUID()}.png`;
  await sql`update public.appearances set favicon_url = ${favicon} where workspace_id = ${workspaceId}`;
  await sql`insert into private.reader_access (workspace_id, access, emails_content) values (${workspaceId}, 'link', true)`;
  await sql`update public.mail_settings set sender_name = 'The Team', undo_minutes = 17 where workspace_id = ${workspaceId}`;
  for (const status of ["active", "left", "pending"])
    await sql`insert into public.subscribers (workspace_id, email, status, confirmed_at, consent)
      values (${workspaceId}, ${`${status}-${randomUUID()}@reader.example`}, ${status}::public.subscriber_status, now(), '{"text": "Yes"}')`;
  await sql`insert into private.suppressions (address, workspace_id, reason)
    values (sha256(${randomUUID()}::text::bytea), ${workspaceId}, 'complaint')`;
  await sql`insert into public.post_redirects (workspace_id, host, path, post_id) values (${workspaceId}, 'old.example', '/one', ${first.id})`;
  await sql`insert into public.daily_counts (workspace_id, post_id, what, day, source, n)
    values (${workspaceId}, ${first.id}, 'view', '2026-01-02', 'page', 7), (${workspaceId}, null, 'view', '2026-01-02', 'page', 7)`;
  // Otherwise readers added just now could be counted between the backup and the comparison.
  await sql`delete from private.count_queue where workspace_id = ${workspaceId}`;
}

describe("a backup", () => {
  let place: Awaited<ReturnType<typeof newPlace>>;
  beforeAll(async () => {
    place = await newPlace();
    await setPublic(place.id, true);
    await fill(place.id, place.owner);
  });

  test("has everything, with valid checksums, restores equal, and sends nothing", async () => {
    const set = await place.owner.api.put<Backup>(place.path, input());
    expect(set.status).toBe(200);
    expect(set.body.settings).toMatchObject({ bucket: "copies", region: "us-east-1", encrypted: false, keep_days: 30 });
    expect(JSON.stringify(set.body)).not.toContain("sealed");
    const run = await copied(place.owner, place.path);
    expect(run).toMatchObject({ state: "done", problem: null, posts: 4 });
    const files = unzipSync(await whole(run.key!));
    const manifest = jsonOf(files["manifest.json"]) as {
      posts: number;
      images: number;
      missing: string[];
      entries: Record<string, string>;
    };
    expect(manifest).toMatchObject({ posts: 4, missing: [], images: run.images });
    expect(run.images).toBe(1);
    expect(Object.keys(manifest.entries).sort()).toEqual(
      Object.keys(files)
        .filter((name) => name !== "manifest.json")
        .sort(),
    );
    const answer = await restored(place.owner, place.path, run.key!);
    expect([answer.status, answer.body.left_out]).toEqual([201, 0]);
    const id = answer.body.workspace_id;
    expect(await comparable(place.owner, id)).toEqual(await comparable(place.owner, place.id));
    expect(await sql`select id from private.deliveries where workspace_id = ${id}`).toEqual([]);
    expect(await sql`select id from private.events where workspace_id = ${id} and (told_at is null or not quiet)`).toEqual([]);
    const [workspace] = await sql`select public_changelog_enabled as open from public.workspaces where id = ${id}`;
    expect(workspace).toEqual({ open: false });
    const kept = await sql`select add_on from public.workspace_add_ons where workspace_id = ${id}`;
    expect(kept.map(({ add_on }) => String(add_on))).toEqual(["teams"]);
    const [shown] = await sql<{ url: string }[]>`select jsonb_path_query_first(content_raw, '$.blocks[*].data.file.url') #>> '{}' as url
      from public.posts where workspace_id = ${id} and title = 'A draft'`;
    expect(shown!.url).toContain(`/post-images/${id}/`);
    expect((await fetch(stack.url + shown!.url)).status).toBe(200);
  });

  test("with a passphrase can be decrypted by age, and restores with that passphrase only", async () => {
    expect((await place.owner.api.put<Backup>(place.path, input({ passphrase }))).body.settings).toMatchObject({ encrypted: true });
    const run = await copied(place.owner, place.path);
    expect(run.key).toMatch(/\.zip\.age$/);
    const decrypter = new Decrypter();
    decrypter.addPassphrase(passphrase);
    expect(Object.keys(unzipSync(await decrypter.decrypt(await whole(run.key!))))).toContain("workspace.json");
    const wrong = await restored(place.owner, place.path, run.key!, { passphrase: "another one, and wrong" });
    expect([wrong.status, wrong.body.fields]).toEqual([422, { passphrase: "Wrong passphrase for this backup" }]);
    const answer = await restored(place.owner, place.path, run.key!);
    expect(answer.status).toBe(201);
    expect(await comparable(place.owner, answer.body.workspace_id)).toEqual(await comparable(place.owner, place.id));
  });

  test("of a deleted workspace restores through another one of the same owner, with its original names", async () => {
    const lost = await newWorkspace(place.owner);
    await fill(lost.id, place.owner);
    const lostPath = await withAddOn(lost.id);
    await place.owner.api.put(lostPath, input({ bucket: "others" }));
    const run = await copied(place.owner, lostPath);
    const before = await comparable(place.owner, lost.id);
    const ids = await sql`select id from public.posts where workspace_id = ${lost.id} order by id`;
    await sql`delete from public.workspaces where id = ${lost.id}`;
    const other = await newWorkspace(place.owner);
    const otherPath = await withAddOn(other.id);
    await place.owner.api.put(otherPath, input({ bucket: "others" }));
    const { copies } = (await place.owner.api.get<{ copies: { key: string }[] }>(`${otherPath}/copies`)).body;
    expect(copies.map(({ key }) => key)).toEqual([run.key]);
    const answer = await restored(place.owner, otherPath, run.key!);
    expect(answer.status).toBe(201);
    expect(await comparable(place.owner, answer.body.workspace_id)).toEqual(before);
    expect(await sql`select id from public.posts where workspace_id = ${answer.body.workspace_id} order by id`).toEqual(ids);
    const again = await restored(place.owner, otherPath, run.key!);
    expect(again.status).toBe(201);
    expect(await comparable(place.owner, again.body.workspace_id)).toEqual(before);
  });

  test("restored by another owner, or modified, brings no subscribers", async () => {
    await place.owner.api.put(place.path, input({ passphrase: null }));
    const run = await copied(place.owner, place.path);
    const stranger = await newPlace();
    await stranger.owner.api.put(stranger.path, input());
    const answer = await restored(stranger.owner, stranger.path, run.key!);
    expect(answer.status).toBe(201);
    expect(await sql`select id from public.subscribers where workspace_id = ${answer.body.workspace_id}`).toEqual([]);
    expect(await sql`select title from public.posts where workspace_id = ${answer.body.workspace_id}`).toHaveLength(4);
    const damaged = (await whole(run.key!)).slice();
    damaged[Math.floor(damaged.length / 2)]! ^= 1;
    const key = run.key!.replace(/-\d\d-\d\dZ/, "-59-59Z");
    await bucketOf().put(key, damaged);
    const subdomain = newSubdomain();
    const refused = await restored(place.owner, place.path, key, { subdomain });
    expect([refused.status, Object.keys(refused.body.fields ?? {})]).toEqual([422, ["key"]]);
    expect(await sql`select id from public.workspaces where subdomain = ${subdomain}`).toEqual([]);
    expect(await sql`select label from private.released_subdomains where label = ${subdomain}`).toEqual([]);
    await bucketOf().remove(key);
  });

  test("never emails readers who unsubscribed, were erased, complained or bounced since", async () => {
    const some = await newPlace();
    const email = (name: string) => `${name}-${some.id}@since.example`;
    const names = ["bounced", "complained", "erased", "left", "stays"];
    await sql`insert into public.subscribers (workspace_id, email, status, confirmed_at)
      select ${some.id}, a.email, 'active', now() from unnest(${names.map(email)}::text[]) as a (email)`;
    await some.owner.api.put(some.path, input());
    const run = await copied(some.owner, some.path);
    await sql`insert into private.suppressions (address, workspace_id, reason) values
      (private.address_hash(${email("bounced")}), null, 'bounce'), (private.address_hash(${email("complained")}), ${some.id}, 'complaint'),
      (private.address_hash(${email("erased")}), ${some.id}, 'erased')`;
    await sql`delete from public.subscribers where workspace_id = ${some.id} and email = ${email("erased")}`;
    await sql`update public.subscribers set status = 'left', left_at = now() where workspace_id = ${some.id} and email = ${email("left")}`;
    const { workspace_id: id } = (await restored(some.owner, some.path, run.key!)).body;
    const found = await sql<{ name: string; status: string }[]>`select split_part(email::text, '-', 1) as name, status
      from public.subscribers where workspace_id = ${id} order by 1`;
    expect(found.map(({ name, status }) => `${name} ${status}`)).toEqual([
      "bounced suppressed",
      "complained suppressed",
      "left left",
      "stays active",
    ]);
    const [forgotten] = await sql`select private.is_suppressed(${email("erased")}, ${id}) as is`;
    expect(forgotten).toEqual({ is: true });
    expect(await sql`select what from private.count_queue where workspace_id = ${id}`).toEqual([]);
  });

  test("restored twice by a retry makes one workspace, and with a taken subdomain none", async () => {
    const run = await copied(place.owner, place.path);
    const headers = { "idempotency-key": randomUUID() };
    const body = { key: run.key, name: "Once", subdomain: newSubdomain() };
    const [first, second] = [
      await place.owner.api.post<{ workspace_id: string }>(`${place.path}/restore`, body, { headers }),
      await place.owner.api.post<{ workspace_id: string }>(`${place.path}/restore`, body, { headers }),
    ];
    expect([first.status, second.status, second.body.workspace_id]).toEqual([201, 201, first.body.workspace_id]);
    expect((await restored(place.owner, place.path, run.key!, { subdomain: body.subdomain })).status).toBe(409);
  });
});

describe("a forged backup with", () => {
  let place: Awaited<ReturnType<typeof newPlace>>;
  beforeAll(async () => {
    place = await newPlace();
    expect((await place.owner.api.put(place.path, input())).status).toBe(200);
  });
  const [id, at] = [randomUUID(), "2026-11-26T09:00:00Z"];
  const tag = { label: "News", colour: "red", created_at: at };
  const template = {
    id,
    name: "Monthly",
    title: "New",
    tags: [],
    content_raw: paragraph("New"),
    updated_by_name: "x",
    created_at: at,
    updated_at: at,
  };
  const post = {
    ...{ id, title: "Dark mode", slug: "dark", status: "draft", tags: [], content_raw: paragraph("Hello"), version: 1 },
    ...{ created_by_name: "x", author_name: "x", updated_by_name: "x", created_at: at, updated_at: at, content_updated_at: at },
  };
  const slug = { slug: "older", post_id: id, created_at: at };
  const said = (...rows: object[]) => rows.map((row) => JSON.stringify(row)).join(", ");

  async function written(rows: Record<string, string>): Promise<string> {
    const all: Record<string, string> = { workspace: JSON.stringify({ id: randomUUID(), allowed_origins: [] }), ...rows };
    const copy = copyOf(
      {
        workspace: { id, name: "x", subdomain: "x-x" },
        owner: id,
        read: (part) => Promise.resolve({ rows: new TextEncoder().encode(all[part] ?? ""), next: null }),
        picture: () => Promise.resolve(null),
        seal: () => Promise.resolve(""),
        now: new Date(),
      },
      { posts: 0, images: 0 },
    );
    const key = `tidings/${randomUUID()}/by-hand-2026-01-01T00-00-00Z.zip`;
    await bucketOf().write(key, copy);
    return key;
  }

  test("valid parts is restored", async () => {
    const key = await written({ posts: said(post), post_slugs: said(slug), tags: said(tag), templates: said(template) });
    expect((await restored(place.owner, place.path, key)).status).toBe(201);
  });

  test.each<[string, Record<string, string>]>([
    ["two equal tags", { tags: said(tag, tag) }],
    ["one id twice", { templates: said(template, { ...template, name: "Weekly" }) }],
    ["one slug twice", { posts: said(post), post_slugs: said(slug, slug) }],
    ["posts of one slug", { posts: said(post, { ...post, id: randomUUID() }) }],
    ["an invalid date", { tags: said({ ...tag, created_at: "yesterday or so" }) }],
  ])("%s is rejected at its field, and leaves nothing", async (_, rows) => {
    const subdomain = newSubdomain();
    const { status, body } = await restored(place.owner, place.path, await written(rows), { subdomain });
    expect([status, body.fields]).toEqual([422, { key: "The backup has content that can't be restored" }]);
    expect(await sql`select id from public.workspaces where subdomain = ${subdomain}`).toEqual([]);
  });
});

test("backups older than the configured days are deleted, and nothing else in the bucket", async () => {
  const place = await newPlace();
  await place.owner.api.put(place.path, input({ keep_days: 2 }));
  const old = `tidings/${place.id}/old-2020-01-01T00-00-00Z.zip`;
  const others = [`tidings/${place.id}/notes.txt`, `tidings/${randomUUID()}/old-2020-01-01T00-00-00Z.zip`, "something.zip"];
  for (const key of [old, ...others]) await bucketOf().put(key, new Uint8Array([1]));
  const run = await copied(place.owner, place.path);
  const keys = (await bucketOf().list("")).map(({ key }) => key);
  expect(keys).toEqual(expect.arrayContaining([run.key, ...others]));
  expect(keys).not.toContain(old);
});

test("backups run daily at a minute of their own; interrupted ones restart, and fail after three attempts", async () => {
  const place = await newPlace();
  await place.owner.api.put(place.path, input());
  await sql`update private.backups set next_at = now() - interval '1 minute' where workspace_id = ${place.id}`;
  await expect.poll(async () => (await place.owner.api.get<Backup>(place.path)).body.runs[0]?.state, waiting).toBe("done");
  const [row] = await sql`select next_at > now() + interval '23 hours' and next_at < now() + interval '24 hours' as ok
    from private.backups where workspace_id = ${place.id}`;
  expect(row).toEqual({ ok: true });
  await sql.begin(async (tx) => {
    await tx`select private.start_backup(${place.id}, false)`;
    await tx`update private.jobs set attempts = 3 where task = 'backup' and workspace_id = ${place.id}`;
  });
  await expect.poll(async () => (await place.owner.api.get<Backup>(place.path)).body.runs[0], waiting).toMatchObject({ state: "failed" });
  expect((await place.owner.api.get<Backup>(place.path)).body.runs[0]!.problem).toMatch(/broken off three times/);
});

describe("a backup bucket that", () => {
  const error = (code: string) => `<?xml version="1.0"?><Error><Code>${code}</Code><Message>secret words</Message></Error>`;
  let hostile: HostileServer;
  let say: Parameters<typeof startHostileServer>[0] = () => {};
  beforeAll(async () => (hostile = await startHostileServer((request, response, body) => say(request, response, body))));
  afterAll(() => hostile?.stop());
  const answering = (status: number, code: string, headers: Record<string, string> = {}): typeof say => {
    return (_, response) => response.writeHead(status, headers).end(error(code));
  };

  test.each<[string, typeof say, Record<string, string>]>([
    ["is not there", answering(404, "NoSuchBucket"), { bucket: "There's no bucket with this name" }],
    ["refuses", answering(403, "AccessDenied"), { key_id: "This key can't write in the bucket. It needs to list, read, write and delete" }],
    ["doesn't know the key", answering(403, "InvalidAccessKeyId"), { key_id: "The service doesn't know this access key" }],
    ["has another secret", answering(403, "SignatureDoesNotMatch"), { secret: "The secret access key is wrong" }],
    [
      "has another time",
      answering(403, "RequestTimeTooSkewed"),
      { endpoint: "The service's clock differs from ours by more than 15 minutes" },
    ],
    ["is full", answering(507, "InsufficientStorage"), { bucket: "The bucket is full" }],
    ["has reached its quota", answering(403, "QuotaExceeded"), { bucket: "The bucket is full" }],
    ["is busy", answering(503, "SlowDown"), { endpoint: "The service is overloaded" }],
    [
      "is in another region",
      answering(301, "PermanentRedirect", { "x-amz-bucket-region": "eu-west-3", location: "http://127.0.0.1:1/" }),
      { region: "The bucket is in another region: eu-west-3" },
    ],
    [
      "redirects",
      answering(302, "", { location: "http://169.254.169.254/" }),
      { endpoint: expect.stringContaining("redirects to another URL") },
    ],
    ["doesn't speak S3", (_, response) => response.writeHead(200).end("<html>hello"), { endpoint: "This server isn't an S3 service" }],
    ["hangs up", (request) => request.socket.destroy(), { endpoint: expect.any(String) }],
  ])("%s is rejected at its field, without its own error text", async (_, answer, fields) => {
    say = answer;
    const place = await newPlace();
    const reply = await place.owner.api.put<{ fields: Record<string, string> }>(place.path, input({ endpoint: hostile.endpoint }));
    expect([reply.status, reply.body.fields]).toEqual([422, fields]);
    expect(JSON.stringify(reply.body)).not.toContain("secret words");
    expect(await sql`select 1 from private.backups where workspace_id = ${place.id}`).toEqual([]);
  });

  test("fails later is reported once by email, and once when it works again", async () => {
    const place = await newPlace();
    await place.owner.api.put(place.path, input());
    await sql`update private.backups set endpoint = ${hostile.endpoint} where workspace_id = ${place.id}`;
    say = answering(507, "InsufficientStorage");
    const mails = async () =>
      (await sql`select kind from private.deliveries where workspace_id = ${place.id} order by created_at`).map(({ kind }) => String(kind));
    expect(await copied(place.owner, place.path)).toMatchObject({ state: "failed", problem: "The bucket is full", key: null });
    expect(await copied(place.owner, place.path)).toMatchObject({ state: "failed" });
    expect(await mails()).toEqual(["backup_failed"]);
    await sql`update private.backups set endpoint = ${s3.endpoint} where workspace_id = ${place.id}`;
    expect(await copied(place.owner, place.path)).toMatchObject({ state: "done" });
    expect(await mails()).toEqual(["backup_failed", "backup_works"]);
  });

  test("is down briefly is retried twice, and only then reported", async () => {
    const place = await newPlace();
    await place.owner.api.put(place.path, input());
    const fails = (isAway: boolean) =>
      sql`update private.backups set endpoint = ${isAway ? hostile.endpoint : s3.endpoint} where workspace_id = ${place.id}`;
    const beginDaily = () => sql`update private.backups set next_at = now() - interval '1 second' where workspace_id = ${place.id}`;
    const retry = () => sql`update private.jobs set run_at = now() where task = 'backup' and workspace_id = ${place.id}`;
    const run = async () => {
      const [row] = await sql`select r.state, j.attempts, j.run_at > now() and j.locked_by is null as waits, r.problem
        from private.backup_runs r left join private.jobs j on j.id = r.id
        where r.workspace_id = ${place.id} order by r.started_at desc limit 1`;
      return row;
    };
    const mails = () => sql`select kind from private.deliveries where workspace_id = ${place.id}`;
    say = answering(503, "SlowDown");
    await fails(true);
    await beginDaily();
    await expect.poll(run, waiting).toMatchObject({ state: "running", attempts: 1, waits: true });
    await fails(false);
    await retry();
    await expect.poll(run, waiting).toMatchObject({ state: "done" });
    await fails(true);
    await beginDaily();
    for (const attempts of [1, 2]) {
      await expect.poll(run, waiting).toMatchObject({ state: "running", attempts, waits: true });
      expect(await mails()).toEqual([]);
      await retry();
    }
    const problem = "The service is overloaded";
    await expect.poll(run, waiting).toMatchObject({ state: "failed", problem });
    expect([...(await mails())]).toEqual([{ kind: "backup_failed" }]);
    expect(await copied(place.owner, place.path)).toMatchObject({ state: "failed", problem });
  });

  test("times out doesn't delay other backups", async () => {
    const [slow, other] = [await newPlace(), await newPlace()];
    for (const place of [slow, other]) await place.owner.api.put(place.path, input());
    await sql`update private.backups set endpoint = ${hostile.endpoint} where workspace_id = ${slow.id}`;
    let asked = 0;
    let letGo = (): void => {};
    const held = new Promise<void>((resolve) => (letGo = resolve));
    say = (...request) => {
      asked += 1;
      void held.then(() => answering(507, "InsufficientStorage")(...request));
    };
    const { run } = (await slow.owner.api.post<{ run: BackupRun }>(`${slow.path}/run`)).body;
    await expect.poll(() => asked, waiting).toBeGreaterThan(0);
    const stateOf = async () => (await slow.owner.api.get<Backup>(slow.path)).body.runs.find(({ id }) => id === run.id)?.state;
    expect(await copied(other.owner, other.path)).toMatchObject({ state: "done" });
    expect(await stateOf()).toBe("running");
    letGo();
    await expect.poll(stateOf, waiting).toBe("failed");
  });

  test("a stored secret is only sent to the service that it was entered for", async () => {
    const place = await newPlace();
    await place.owner.api.put(place.path, input());
    const before = hostile.requests.length;
    const { secret: _, ...rest } = input({ endpoint: hostile.endpoint });
    const reply = await place.owner.api.put<{ fields: object }>(place.path, rest);
    expect([reply.status, reply.body.fields]).toEqual([422, { secret: "Please enter the secret access key again" }]);
    expect(hostile.requests.length).toBe(before);
    const { secret: __, ...same } = input({ keep_days: 7 });
    expect((await place.owner.api.put<Backup>(place.path, same)).body.settings).toMatchObject({ keep_days: 7 });
  });
});

test("concurrent backup requests run once; disabling stops backups and keeps existing ones", async () => {
  const place = await newPlace();
  await place.owner.api.put(place.path, input());
  const answers = await Promise.all(Array.from({ length: 8 }, () => place.owner.api.post<{ run: BackupRun }>(`${place.path}/run`)));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
  await expect
    .poll(async () => (await place.owner.api.get<Backup>(place.path)).body.runs.every(({ state }) => state === "done"), waiting)
    .toBe(true);
  const { runs } = (await place.owner.api.get<Backup>(place.path)).body;
  expect((await place.owner.api.send("DELETE", place.path)).status).toBe(200);
  expect((await place.owner.api.get<Backup>(place.path)).body).toEqual({ settings: null, runs });
  expect((await bucketOf().list(`tidings/${place.id}/`)).length).toBe(runs.length);
});
