import { describe, expect } from "vitest";
import { refused } from "./support/refusal.ts";
import { inDays, type PostRow, testEach, words, type World, test } from "./support/world.ts";

type Saved = PostRow & { details: Record<string, unknown> | null };
const save = async ({ as }: Pick<World, "as">, post: { id: string }, details: unknown) =>
  (await as("editor", (me) => me<Saved[]>`select * from public.save_post(${post.id}, ${{ details } as never})`))[0]!;
const iso = (days: number) => new Date(inDays(days)).toISOString();

describe("a post's details", () => {
  test("are merged field by field, cleaned, and null without any", async ({ world }) => {
    const post = await world.post();
    const button = { text: " Try\n it ", url: "https://acme.example/try", evil: "<script>" };
    const saved = await save(world, post, { version: "1.12.0", breaking: true, button, unknown: 1, security: false });
    expect(saved).toMatchObject({ version: 2 });
    expect(saved.details).toEqual({ version: "1.12.0", breaking: true, button: { text: "Try it", url: "https://acme.example/try" } });
    expect((await save(world, post, { component: "Server", breaking: false })).details).toEqual({
      ...{ version: "1.12.0", component: "Server", button: { text: "Try it", url: "https://acme.example/try" } },
    });
    expect((await save(world, post, { version: "1.12.0" })).version).toBe(3);
    expect((await save(world, post, { version: null, component: null, button: null })).details).toBeNull();
    expect(await save(world, post, null)).toMatchObject({ version: 4, details: null });
  });

  testEach([
    { version: "latest" },
    { version: "1.2.3.4.5" },
    { version: `1.${"9".repeat(80)}` },
    { button: { text: "Go", url: "javascript:alert(1)" } },
    { button: { text: "Go", url: "data:text/html,x" } },
    { button: { text: "Go", url: "https://a b" } },
    { button: { text: " ", url: "https://acme.example" } },
    { button: "https://acme.example" },
    { breaking: "yes", security: 1, component: " " },
    { pinned_until: "infinity" },
    { placement: { surface: "popup" } },
    { placement: { surface: "spotlight", selector: " " } },
    { placement: "modal" },
  ])("leave out %j, also if written past the API", async ({ post, as }, details) => {
    expect((await save({ as }, await post(), details)).details).toBeNull();
  });

  testEach(["everyone", ["internal"], 1])(
    "refuse the audience %j, which would show the post to everyone",
    async ({ post, as }, audience) => {
      const refusal = { code: "validation_failed", detail: { audience: "This audience isn't valid" } };
      expect(await refused(save({ as }, await post(), { audience }))).toMatchObject(refusal);
    },
  );

  testEach(["tomorrow-ish", "2026-02-30T00:00:00Z"])("refuse the time %s", async ({ post, as }, pinned_until) => {
    await expect(save({ as }, await post(), { pinned_until })).rejects.toThrow(/date|timestamp/);
  });

  test("refuse a pin that outlives the post, also against the stored date", async ({ world }) => {
    const post = await world.post();
    const refusal = { code: "validation_failed", detail: { pinned_until: "Please choose a time before the post expires" } };
    expect(await refused(save(world, post, { pinned_until: iso(2), expires_at: iso(1) }))).toMatchObject(refusal);
    await save(world, post, { expires_at: iso(1) });
    expect(await refused(save(world, post, { pinned_until: iso(2) }))).toMatchObject(refusal);
  });

  testEach<{ placement: object; cleaned: object }>([
    { placement: { surface: "toast", selector: "#x", push: true, again: 0.2 }, cleaned: { surface: "toast", push: false, again: 1 } },
    { placement: { surface: "banner-top", push: true, again: 9_999 }, cleaned: { surface: "banner-top", push: true, again: 365 } },
    {
      placement: { surface: "inline", selector: " #news\n", again: "session" },
      cleaned: { surface: "inline", selector: "#news", push: false, again: "session" },
    },
    {
      placement: { surface: "modal", again: "daily", until: "2026-12-01T00:00:00+01:00" },
      cleaned: { surface: "modal", push: false, again: "never", until: "2026-11-30T23:00:00.000Z" },
    },
  ])("clean %j", async ({ post, as }, { placement, cleaned }) => {
    expect((await save({ as }, await post(), { placement })).details).toEqual({ placement: cleaned });
  });

  test("refuse a placement that ends before it starts", async ({ world }) => {
    const placement = { surface: "modal", from: iso(2), until: iso(1) };
    expect(await refused(save(world, await world.post(), { placement }))).toMatchObject({
      detail: { "placement.until": "Please choose a time after the start" },
    });
  });

  test("belong to a version, and are restored with it", async ({ world }) => {
    const post = await world.post();
    await save(world, post, { version: "1.0.0", security: true });
    await save(world, post, { version: "1.1.0", component: "Server" });
    const [restored] = await world.as("editor", (me) => me<Saved[]>`select * from public.restore_revision(${post.id}, 2)`);
    expect(restored).toMatchObject({ version: 4, details: { version: "1.0.0", security: true } });
    expect(restored!.details).not.toHaveProperty("component");
  });

  test("of a proposal are merged into the post's", async ({ world }) => {
    const post = await world.post({ status: "published", content_raw: words("Words.") });
    await save(world, post, { version: "1.0.0", security: true });
    const content = { title: "Title", tags: [], content_raw: words("Words."), details: { version: "1.0.1" } };
    const [row] = await world.as("editor", (me) => me`select public.propose_change(${post.id}, 2, ${content as never}) as made`);
    expect((row!.made as { details: object }).details).toEqual({ version: "1.0.1", security: true });
    const id = (row!.made as { id: string }).id;
    await world.as("owner", (me) => me`select public.decide_proposal(${post.id}, ${id}, 'approve')`);
    expect(await world.tx`select details from public.posts where id = ${post.id}`).toEqual([
      { details: { version: "1.0.1", security: true } },
    ]);
  });
});

describe("readers", () => {
  const titles = async ({ as, tx, acme }: World, top: string | null, page = 1, size = 10) => {
    const [row] = await tx`select subdomain from public.workspaces where id = ${acme}`;
    const list = (me: typeof tx) =>
      me<{ title: string }[]>`select title from private.list_releases(${row!.subdomain as string}, ${page}, ${size}, null, null, ${top})`;
    return ((await as("anon", list as never)) as { title: string }[]).map(({ title }) => title);
  };
  const publish = async (world: World, title: string, day: number, details: object | null = null) => {
    const post = await world.post({
      title,
      status: "published",
      content_raw: words("Words."),
      ...({ published_at: inDays(day) } as object),
    });
    if (details) await save(world, post, details);
    return post;
  };
  const filled = async (world: World) => {
    await world.tx`update public.workspaces set public_changelog_enabled = true where id = ${world.acme}`;
    await publish(world, "old pin", -9, { pinned_until: iso(1) });
    await publish(world, "older pin", -10, { pinned_until: iso(5), expires_at: iso(6) });
    await publish(world, "past pin", -8, { pinned_until: iso(-1) });
    await publish(world, "expired", -2, { expires_at: iso(-1) });
    await publish(world, "plain", -3);
  };

  test("find pinned posts first on the page, and no expired ones in the widget", async ({ world }) => {
    await filled(world);
    expect(await titles(world, null)).toEqual(["expired", "plain", "past pin", "old pin", "older pin"]);
    expect(await titles(world, "page")).toEqual(["old pin", "older pin", "expired", "plain", "past pin"]);
    expect(await titles(world, "widget")).toEqual(["old pin", "older pin", "plain", "past pin"]);
    expect(await titles(world, "widget", 1, 1)).toEqual(["old pin"]);
  });

  test("find placed posts until they end, newest first", async ({ world }) => {
    await filled(world);
    const placed = (until: string | null) => ({ placement: { surface: "toast", until } });
    await publish(world, "old banner", -20, placed(null));
    await publish(world, "banner", -5, placed(iso(1)));
    await publish(world, "ended", -4, placed(iso(-1)));
    await publish(world, "expired too", -4, { ...placed(null), expires_at: iso(-1) });
    const rows = await world.tx`
      select r.title from public.workspaces w, private.placed_releases(w.subdomain::text) with ordinality as r where w.id = ${world.acme}`;
    expect(rows.map(({ title }) => title as string)).toEqual(["banner", "old banner"]);
  });

  testEach([1, 2, 3, 5])("find each post once on pages of %i", async ({ ...world }, size) => {
    await filled(world);
    const pages = await Promise.all([1, 2, 3, 4, 5].map((page) => titles(world, "page", page, size)));
    expect(pages.flat()).toEqual(["old pin", "older pin", "expired", "plain", "past pin"]);
  });

  test("get another page once a pin or a post has ended, without a write", async ({ world }) => {
    await filled(world);
    const version = async () => {
      const [row] =
        await world.tx`select private.public_version(w.subdomain::text) as tag from public.workspaces w where w.id = ${world.acme}`;
      return row!.tag as string;
    };
    const before = await version();
    // As time would: without a trigger.
    await world.tx`set local session_replication_role = replica`;
    await world.tx`update public.posts set details = jsonb_build_object('pinned_until', private.iso_time(now() - interval '1 second')) where title = 'old pin'`;
    const unpinned = await version();
    await world.tx`update public.posts set details = jsonb_build_object('expires_at', private.iso_time(now() - interval '1 second')) where title = 'older pin'`;
    await world.tx`set local session_replication_role = origin`;
    expect(new Set([before, unpinned, await version()]).size).toBe(3);
  });
});

describe("a post for some readers", () => {
  const pro = { attribute: "plan", eq: "pro" };

  test("is unpublished for subscribers, webhooks and images until it is for everyone", async ({ world }) => {
    const { tx, acme } = world;
    await tx`update public.workspaces set public_changelog_enabled = true where id = ${acme}`;
    await tx`insert into private.webhooks (workspace_id, kind, url, sealed, events, tags)
      values (${acme}, 'webhook', 'https://hook.example', ${"x".repeat(60)}, '{post.published,post.updated,post.unpublished,post.scheduled}', null)`;
    const post = await world.post({
      title: "Later",
      publish_at: inDays(1),
      content_raw: words("Words."),
      ...({ details: { audience: pro } } as object),
    });
    const said = async () => ({
      events: (await tx`select kind from private.events where post_id = ${post.id}`).length,
      webhooks: (await tx`select kind from private.webhook_events where post_id = ${post.id} order by happened_at, id`).map(
        ({ kind }) => kind as string,
      ),
      images: (await tx`select id from private.link_pictures where post_id = ${post.id}`).length,
      visible: (await tx`select id from private.visible_posts where id = ${post.id}`).length,
      published: (await tx`select id from private.published_posts where id = ${post.id}`).length,
    });
    const change = (patch: object) => world.as("owner", (me) => me`select public.save_post(${post.id}, ${patch as never})`);
    const nothing = { events: 0, webhooks: [], images: 0, visible: 0, published: 0 };
    expect(await said()).toEqual(nothing);
    await change({ status: "published" });
    expect(await said()).toEqual({ ...nothing, published: 1 });
    await change({ details: { audience: "internal" } });
    expect(await said()).toEqual({ ...nothing, published: 1 });
    await change({ details: { audience: null } });
    const out = await said();
    expect(out).toEqual({
      events: 1,
      webhooks: [expect.stringMatching(/^post\.(published|updated)$/)],
      images: 1,
      visible: 1,
      published: 1,
    });
    await tx`update private.webhook_deliveries set attempt = 1, state = 'done', ended_at = now()`;
    await change({ details: { audience: pro } });
    expect(await said()).toEqual({ ...nothing, webhooks: [...out.webhooks, "post.unpublished"], published: 1 });
  });
});
