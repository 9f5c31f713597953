import * as fc from "fast-check";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { apiKeyScopes } from "#contract/api-key-scopes.ts";
import type { Database } from "../../edge-functions/_shared/clients.ts";
import type { Env } from "../../edge-functions/_shared/env.ts";
import { createKeyCalls, type KeyCalls } from "../../edge-functions/_shared/key-calls.ts";
import { newKey, newPerson, paragraph, type Person, sql } from "./support/people.ts";
import { newPost, openWorkspace } from "./support/public.ts";
import { whatReadersGet } from "./support/public-responses.ts";

const { ownerUrl } = inject("stack");
let owner: Person;
let acme: { id: string; subdomain: string };
let posts: { id: string; slug: string }[];
let keys: KeyCalls;
let db: Database;

const everythingElse = apiKeyScopes.filter((scope) => scope !== "posts:publish" && scope !== "access:write");
const tags = ["shown", "soon", "quiet", "bare", "fix", "gone", "fresh"];

beforeAll(async () => {
  owner = await newPerson("Ada Lovelace");
  acme = await openWorkspace(owner);
  const api = owner.api;
  for (const label of ["Shown", "Soon", "Quiet", "Gone"]) await api.post(`/api/workspaces/${acme.id}/tags`, { label, colour: "green" });
  posts = [
    await newPost(owner, acme.id, { title: "Live", tags: ["shown", "bare"] }),
    await newPost(owner, acme.id, { title: "Live too", tags: ["fix"], publishedAt: "2026-02-01T00:00:00Z" }),
    await newPost(owner, acme.id, { title: "Later", tags: ["soon"], state: "scheduled for later" }),
    await newPost(owner, acme.id, { title: "Due", tags: ["shown"], state: "scheduled, its time has come" }),
    await newPost(owner, acme.id, { title: "Draft", tags: ["quiet"], state: "draft" }),
    await newPost(owner, acme.id, { title: "Was live", tags: ["gone"], state: "archived" }),
  ];
  await sql`update public.posts set slug = 'moved' where id = ${posts[1]!.id}`;
  await sql`update public.posts set summary = 'In short', external_id = 'live' where id = ${posts[1]!.id}`;
  await api.post(`/api/workspaces/${acme.id}/tags/merge`, { key: "gone", into: "shown" });
  await sql`select private.publish_due_posts()`; // or the clock publishes between two comparisons
  keys = createKeyCalls({ databaseUrl: ownerUrl, rateLimitScale: 1_000 } as Env);
  const { secret } = await newKey(owner, acme.id, { scopes: everythingElse });
  db = keys.databaseOf((await keys.admit(secret))!);
});
afterAll(() => keys.end());

const whatTheyGet = (): Promise<string[]> => {
  const slugs = posts.map(({ slug }) => slug);
  return whatReadersGet(acme.subdomain, { pages: [...slugs, "moved", "another", "new"], copiesOf: [slugs[0]!, slugs[5]!], tags });
};

interface Move {
  name: string;
  args: Record<string, unknown>;
}

const anyPost = fc.nat({ max: 5 }).map((place) => posts[place]!.id);
const anyTag = fc.constantFrom(...tags);
const anyTime = fc.constantFrom("2026-01-01T00:00:00Z", "2999-01-01T00:00:00Z", new Date(Date.now() + 500).toISOString(), null);
const someTags = fc.uniqueArray(anyTag, { maxLength: 3 });
const anyStatus = fc.constantFrom("draft", "scheduled", "published", "archived");
const anyPatch = fc.record(
  {
    title: fc.constantFrom("Other", "Live", "Moved"),
    summary: fc.constantFrom("Shorter", null),
    content_raw: fc.constantFrom(paragraph("Other words."), paragraph("Words <b>again</b>")),
    tags: someTags,
    status: anyStatus,
    publish_at: anyTime,
    published_at: anyTime.filter((time) => time !== null),
    slug: fc.constantFrom("another", "moved", "live"),
    cover_image: fc.constantFrom("none", null),
    details: fc.constantFrom({ pinned_until: "2999-01-01T00:00:00Z" }, { expires_at: "2026-01-01T00:00:00Z" }, { version: "1.0.0" }, null),
  },
  { requiredKeys: [] },
);
const wholePost = fc
  .tuple(anyPatch, fc.constantFrom("New", "Live"))
  .map(([patch, title]) => ({ title, content_raw: paragraph("New words."), ...patch }));
const version = fc.integer({ min: 1, max: 4 });
const ofWorkspace = <Args extends object>(args: fc.Arbitrary<Args>) => args.map((given) => ({ workspace_id: acme.id, ...given }));

const moves: Record<string, () => fc.Arbitrary<object>> = {
  create_post: () =>
    ofWorkspace(
      fc.record({
        title: fc.constantFrom("New", "Live"),
        content_raw: fc.constant(paragraph("New words.")),
        tags: someTags,
        status: anyStatus,
        publish_at: anyTime,
        notify: fc.boolean(),
      }),
    ),
  put_post: () => ofWorkspace(fc.record({ external_id: fc.constantFrom("v1", "live"), post: wholePost })),
  save_post: () => fc.record({ post_id: anyPost, patch: anyPatch }),
  link_requests: () => fc.record({ post_id: anyPost, added: fc.constant(["https://github.com/acme/app/issues/12"]) }),
  delete_draft: () => fc.record({ post_id: anyPost.filter((id) => id !== posts[4]!.id) }), // a later test reads the draft
  undo_archive: () => fc.record({ post_id: anyPost, expected_version: version }),
  restore_revision: () => fc.record({ post_id: anyPost, version }),
  ask_review: () => fc.record({ post_id: anyPost, version, publish_at: anyTime, note: fc.constantFrom(null, "Please read") }),
  propose_change: () =>
    fc.record({
      post_id: anyPost,
      version,
      content: wholePost.map((post) => ({ tags: [], ...post })),
      note: fc.constantFrom(null, "Please"),
    }),
  create_tag: () =>
    ofWorkspace(fc.record({ label: fc.constantFrom("Shown", "Bare", "Fresh", "Gone", "Quiet"), colour: fc.constantFrom("red", "gray") })),
  change_tag: () =>
    ofWorkspace(fc.record({ key: anyTag, label: fc.constantFrom("Shown", "Fresh", "Seen", null), colour: fc.constantFrom("red", null) })),
  delete_tag: () => ofWorkspace(fc.record({ key: anyTag, into_key: fc.option(anyTag) })),
  settle_tags: () => ofWorkspace(fc.constant({})),
  import_subscribers: () =>
    ofWorkspace(fc.constant({ readers: [{ email: "reader@reader.example", tags: ["shown"] }], declared: "They said yes." })),
};
const anyMove: fc.Arbitrary<Move> = fc
  .constantFrom(...Object.keys(moves))
  .chain((name) => fc.record({ name: fc.constant(name), args: moves[name]!() as fc.Arbitrary<Record<string, unknown>> }));

test("the moves include every call such a key can write by, except those that can't affect readers", async () => {
  const rows = await sql<{ call: string }[]>`
    select k.call from private.key_calls k join pg_proc p on p.proname = k.call and p.pronamespace = 'public'::regnamespace
    where p.provolatile = 'v' and k.scopes is not null order by 1`;
  const beyondReaders = [
    "add_subscriber",
    "remove_subscriber",
    "create_webhook",
    "change_webhook",
    "remove_webhook",
    "rotate_webhook",
    "ping_webhook",
  ];
  beyondReaders.push("withdraw_proposal"); // of its own proposals, which readers don't see
  beyondReaders.push("resend_delivery", "resend_failed");
  beyondReaders.push("set_workspace_access"); // needs access:write
  beyondReaders.push("erase_reader"); // posts count as new again
  beyondReaders.push("subscribers_after", "export_posts"); // only their audit entry is a write
  expect(rows.map(({ call }) => call).filter((call) => !(call in moves) && !beyondReaders.includes(call))).toEqual([]);
});

test("200 sequences of calls by a key without posts:publish change no byte for readers", async () => {
  const before = await whatTheyGet();
  expect(before.filter((line) => / 200 /.test(line.slice(0, 80))).length).toBeGreaterThan(15);
  const outcomes = new Map<string, number>();
  const seed = Number(process.env.ORACLE_SEED ?? 2026);
  for (const [place, sequence] of fc.sample(fc.array(anyMove, { minLength: 1, maxLength: 8 }), { numRuns: 200, seed }).entries()) {
    for (const { name, args } of sequence) {
      const { error } = await db.rpc(name as "save_post", args as never);
      const outcome = error === null ? "done" : error.hint || error.code;
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
    expect([place, sequence, await whatTheyGet()]).toEqual([place, sequence, before]);
  }
  expect(outcomes.get("done")).toBeGreaterThan(100);
  expect(outcomes.get("scope_missing")).toBeGreaterThan(100);
  const known = [
    "done",
    "scope_missing",
    "validation_failed",
    "version_conflict",
    "not_found",
    "archived_post_locked",
    "published_post_locked",
    "slug_taken",
  ];
  expect([...outcomes.keys()].filter((outcome) => !known.includes(outcome))).toEqual([]);
});

test("a key with posts:publish does change bytes for readers, so the comparison works", async () => {
  const before = await whatTheyGet();
  const { secret } = await newKey(owner, acme.id);
  const strong = keys.databaseOf((await keys.admit(secret))!);
  const { error } = await strong.rpc("save_post", { post_id: posts[0]!.id, patch: { title: "Renamed" } });
  expect(error).toBeNull();
  expect(await whatTheyGet()).not.toEqual(before);
});

test("a key calls functions by name with their arguments, and nothing else", async () => {
  expect(() => db.from("posts")).toThrow("functions");
  expect(() => db.storage).toThrow("functions");
  expect(await db.rpc("nothing_of_that_name" as "read_post", {} as never)).toMatchObject({ data: null, error: { code: "PGRST202" } });
  expect(await db.rpc("read_post", { post: posts[0]!.id } as never)).toMatchObject({ data: null, error: { code: "PGRST202" } });
  expect(await db.rpc("change_workspace", { workspace_id: acme.id, changes: { public_changelog_enabled: false } })).toMatchObject({
    data: null,
    error: { hint: "forbidden" },
  });
  expect(await db.rpc("read_post", { post_id: "none" })).toMatchObject({ data: null, error: { code: "22P02" } });
});

test("a key gets the same answers as PostgREST gives a user", async () => {
  const draft = posts[4]!.id;
  const as = async (name: string, args: object): Promise<unknown> => {
    const answer = await fetch(`${inject("stack").url}/rest/v1/rpc/${name}`, {
      method: "POST",
      headers: { apikey: inject("stack").publishableKey, authorization: `Bearer ${owner.token}`, "content-type": "application/json" },
      body: JSON.stringify(args),
    });
    const text = await answer.text();
    return text === "" ? null : (JSON.parse(text) as unknown);
  };
  const calls: [string, object][] = [
    ["read_post", { post_id: draft }],
    ["posts_of", { workspace_id: acme.id, ids: [draft, posts[0]!.id] }],
    ["posts_of", { workspace_id: acme.id, ids: [] }],
    ["list_posts", { workspace_id: acme.id, status: "all", page: 1, page_size: 5 }],
    ["list_tags", { workspace_id: acme.id }],
    ["settle_tags", { workspace_id: acme.id }],
    ["create_tag", { workspace_id: acme.id, label: "Fix" }],
    ["search_posts", { workspace_id: acme.id, term: "äöü 'quoted' \"twice\" \\ $1" }],
    ["remove_subscriber", { workspace_id: acme.id, subscriber: acme.id }],
  ];
  for (const [name, args] of calls) {
    const { data, error } = await db.rpc(name as "read_post", args as never);
    const person = await as(name, args);
    if (error === null) expect([name, data]).toEqual([name, person]);
    else expect([name, error]).toMatchObject([name, { hint: (person as { hint: string }).hint, code: (person as { code: string }).code }]);
  }
});
