import { expect } from "vitest";
import { inDays, inWorld, type PostRow, words, type World, test } from "./support/world.ts";

const withReleases = (play: (world: World, subdomain: string, posts: PostRow[]) => Promise<void>) => () =>
  inWorld(async (world) => {
    await world.as(
      "owner",
      (me) =>
        me`select public.change_workspace(${world.acme}, '{"public_changelog_enabled": true}'), public.create_tag(${world.acme}, 'Beta', 'red')`,
    );
    const posts: PostRow[] = [];
    const dates = ["2026-01-31T23:59:59Z", "2026-02-01T00:00:00Z", "2026-02-28T12:00:00Z", "2026-04-15T12:00:00Z"];
    for (const [index, date] of dates.entries()) {
      const post = await world.post({
        title: `Release ${index + 1}`,
        status: "published",
        tags: index === 0 ? ["beta"] : ["fix"],
        content_raw: words(index === 1 ? "Dark mode in the café" : "text"),
      });
      await world.tx`set local session_replication_role = replica`;
      await world.tx`update public.posts set published_at = ${date} where id = ${post.id}`;
      await world.tx`set local session_replication_role = origin`;
      posts.push(post);
    }
    await world.post({ title: "Secret draft", tags: ["secret"], content_raw: words("dark") });
    await world.post({ title: "Waiting", publish_at: inDays(2), content_raw: words("dark") });
    const [row] = await world.tx`select subdomain::text from public.workspaces where id = ${world.acme}`;
    await play(world, row!.subdomain as string, posts);
  });

test(
  "a recoloured tag changes the ETag's version",
  withReleases(async ({ as, acme }, subdomain) => {
    const tag = async () =>
      (await as("anon", (me) => me`select version_tag from private.find_workspace(${subdomain})`))[0]!.version_tag as string;
    const before = await tag();
    await as("editor", (me) => me`select public.change_tag(${acme}, 'beta', colour => 'green')`);
    expect(await tag()).not.toBe(before);
  }),
);

test(
  "a link to a tag that was renamed twice finds the same posts",
  withReleases(async ({ as, acme, tx }, subdomain) => {
    const found = async (tag: string) =>
      (await as("anon", (me) => me`select title from private.list_releases(${subdomain}, 1, 10, ${tag})`)).map(
        (row) => row.title as string,
      );
    expect(await found("beta")).toEqual(["Release 1"]);
    await as("editor", (me) => me`select public.change_tag(${acme}, 'beta', 'Preview')`);
    await as("editor", (me) => me`select public.change_tag(${acme}, 'preview', 'Early')`);
    const [row] = await tx`select tags from public.posts where workspace_id = ${acme} and title = 'Release 1'`;
    expect(row!.tags).toEqual(["early"]);
    for (const tag of ["beta", "preview", "early"]) expect([tag, await found(tag)]).toEqual([tag, ["Release 1"]]);
    expect(await found("nothing")).toEqual([]);
  }),
);
