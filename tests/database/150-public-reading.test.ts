import { describe, expect } from "vitest";
import { inDays, type PostRow, words, type World, test } from "./support/world.ts";

async function open(world: World): Promise<string> {
  await world.as("owner", (me) => me`select public.change_workspace(${world.acme}, '{"public_changelog_enabled": true}')`);
  return (await world.tx`select subdomain::text from public.workspaces where id = ${world.acme}`)[0]!.subdomain as string;
}
async function timePasses({ tx }: World, post: PostRow, seconds: number): Promise<void> {
  await tx`set local session_replication_role = replica`;
  await tx`update public.posts set publish_at = date_trunc('milliseconds', now() + make_interval(secs => ${seconds})) where id = ${post.id}`;
  await tx`set local session_replication_role = origin`;
}
const titles = async ({ as }: World, subdomain: string) =>
  (await as("anon", (me) => me`select title from private.list_releases(${subdomain}, 1, 100)`)).map((row) => row.title);
const release = async ({ as }: World, subdomain: string, slug: string) =>
  (await as("anon", (me) => me`select * from private.get_release(${subdomain}, ${slug})`))[0];

const everything = async ({ as }: World, subdomain: string, slug: string) => ({
  workspace: [...(await as("anon", (me) => me`select * from private.find_workspace(${subdomain})`))].map(
    ({ version_tag: _, ...rest }) => rest,
  ),
  list: [...(await as("anon", (me) => me`select * from private.list_releases(${subdomain})`))].map(({ version: _, ...rest }) => rest),
  one: [...(await as("anon", (me) => me`select * from private.get_release(${subdomain}, ${slug})`))].map(({ version: _, ...rest }) => rest),
  sitemap: [...(await as("anon", (me) => me`select * from private.release_addresses(${subdomain})`))],
});
const nothing = { list: [], one: [], sitemap: [] };

describe("public reads", () => {
  test("return nothing for a closed changelog, to any user", async ({ world }) => {
    const { slug } = await world.post({ status: "published" });
    const [row] = await world.tx`select subdomain::text from public.workspaces where id = ${world.acme}`;
    expect(await everything(world, row!.subdomain, slug)).toEqual({ workspace: [], ...nothing });
    expect(await everything(world, "no-such-workspace", slug)).toEqual({ workspace: [], ...nothing });
  });

  test("return published posts, and scheduled ones once due; no draft, archived or foreign post", async ({ world }) => {
    const subdomain = await open(world);
    await world.post({ title: "Draft" });
    await world.post({ title: "Published", status: "published" });
    await world.post({ title: "Tomorrow", publish_at: inDays(1) });
    await timePasses(world, await world.post({ title: "Due", publish_at: inDays(1) }), -1);
    await timePasses(world, await world.post({ title: "In a second", publish_at: inDays(1) }), 1);
    const gone = await world.post({ title: "Archived", status: "published" });
    await world.as("owner", (me) => me`select public.save_post(${gone.id}, '{"status": "archived"}')`);
    await world.post({ title: "Globex", workspace_id: world.globex, status: "published" });
    expect(await titles(world, subdomain)).toEqual(["Published", "Due"]);
  });

  test("return the same before and after the publisher has run", async ({ world }) => {
    const subdomain = await open(world);
    const post = await world.post({ publish_at: inDays(1) });
    await timePasses(world, post, 0);
    const before = await everything(world, subdomain, post.slug);
    expect(before.list).toHaveLength(1);
    await world.tx`select private.publish_due_posts(1000)`;
    expect((await world.tx`select status from public.posts where id = ${post.id}`)[0]!.status).toBe("published");
    expect(await everything(world, subdomain, post.slug)).toEqual(before);
  });

  test("hide a post that was published and scheduled again until its new time, and keep its date", async ({ world }) => {
    const subdomain = await open(world);
    const post = await world.post({ status: "published" });
    for (const patch of [{ status: "archived" }, { status: "draft" }, { publish_at: inDays(1) }])
      await world.as("owner", (me) => me`select public.save_post(${post.id}, ${patch as never})`);
    expect(await titles(world, subdomain)).toEqual([]);
    await timePasses(world, post, -1);
    expect(await release(world, subdomain, post.slug)).toMatchObject({ published_at: post.published_at });
  });
});

describe("a public lookup", () => {
  test("finds a release by its slug, by an older one with a redirect, in any case", async ({ world }) => {
    const subdomain = await open(world);
    const post = await world.post({ status: "published" });
    await world.as("owner", (me) => me`select public.save_post(${post.id}, '{"slug": "darkness"}')`);
    expect(await release(world, subdomain, "darkness")).toMatchObject({
      title: "Dark mode",
      moved_to: null,
      content_raw: words("It is dark."),
    });
    expect(await release(world, subdomain, "Dark-Mode")).toMatchObject({ slug: "darkness", moved_to: "darkness" });
    expect(await release(world, subdomain, "nowhere")).toBeUndefined();
  });
});

describe("the ETag's version", () => {
  const tag = async ({ as }: World, subdomain: string) => {
    const [row] = await as(
      "anon",
      (me) => me`select private.public_version(${subdomain}) as tag, (select version_tag from private.find_workspace(${subdomain}))`,
    );
    expect(row!.version_tag).toBe(row!.tag);
    return row!.tag as string;
  };

  test("changes with everything a reader can see, and with nothing else", async ({ world }) => {
    const subdomain = await open(world);
    const post = await world.post({ status: "published" });
    const purged = await world.post({ title: "Purged", status: "published" });
    const waiting = await world.post({ title: "Waiting", publish_at: inDays(1) });
    const as = (change: (me: World["tx"]) => PromiseLike<unknown>) => () => world.as("owner", async (me) => change(me));
    const steps: [string, () => Promise<unknown>, boolean][] = [
      ["nothing", async () => {}, false],
      ["a draft", () => world.post({ title: "Draft" }), false],
      ["an edit", as((me) => me`select public.save_post(${post.id}, '{"title": "Brighter"}')`), true],
      ["a post's time", () => timePasses(world, waiting, -1), true],
      [
        "the widget's settings",
        as((me) => me`select public.save_widget_settings(${world.acme}, '{"appearance": {"theme": "dark"}}')`),
        true,
      ],
      ["the look", as((me) => me`select public.save_appearance(${world.acme}, '{"theme": "dark"}')`), true],
      ["a new post", () => world.post({ title: "New", status: "published" }), true],
      ["another workspace's post", () => world.post({ title: "Theirs", workspace_id: world.globex, status: "published" }), false],
      ["a withdrawal", as((me) => me`select public.save_post(${post.id}, '{"status": "archived"}')`), true],
      ["an edit of a draft", as((me) => me`select public.save_post(${post.id}, '{"status": "draft"}')`), false],
      ["the name", as((me) => me`update public.workspaces set name = 'Acme 2' where id = ${world.acme}`), true],
      ["a purge", as((me) => me`select public.purge_post(${purged.id})`), true],
    ];
    for (const [what, step, changes] of steps) {
      const before = await tag(world, subdomain);
      await step();
      expect([what, (await tag(world, subdomain)) !== before]).toEqual([what, changes]);
    }
  });
});

test("is missing for a closed changelog, as for an unknown one", async ({ world }) => {
  const subdomain = await open(world);
  await world.as("owner", (me) => me`select public.change_workspace(${world.acme}, '{"public_changelog_enabled": false}')`);
  const versions = await world.as(
    "anon",
    (me) => me`select private.public_version(${subdomain}) as closed, private.public_version('nobody') as none`,
  );
  expect({ ...versions[0] }).toEqual({ closed: null, none: null });
});
