import { describe, expect } from "vitest";
import { refused } from "./support/refusal.ts";
import { type PostRow, words, type World, test } from "./support/world.ts";

type Saved = PostRow & { summary: string | null; excerpt: string };
const save = async ({ as }: World, post: { id: string }, patch: object) =>
  (await as("editor", (me) => me<Saved[]>`select * from public.save_post(${post.id}, ${patch as never})`))[0]!;

describe("a post's summary", () => {
  test("is trimmed to one line, null when blank, and kept by a save without it", async ({ world }) => {
    const post = await world.post({ content_raw: words("The text.") });
    expect(await save(world, post, { summary: "  In\n short. " })).toMatchObject({
      version: 2,
      summary: "In short.",
      excerpt: "In short.",
    });
    expect(await save(world, post, { title: "Other" })).toMatchObject({ version: 3, summary: "In short." });
    expect(await save(world, post, { summary: "In short." })).toMatchObject({ version: 3 });
    expect(await save(world, post, { summary: " " })).toMatchObject({ version: 4, summary: null, excerpt: "The text." });
  });

  test("has at most 300 characters", async ({ world }) => {
    const post = await world.post();
    expect((await save(world, post, { summary: "x".repeat(300) })).summary).toHaveLength(300);
    const fault = { code: "validation_failed", detail: { summary: "The summary can have at most 300 characters" } };
    expect(await refused(save(world, post, { summary: "x".repeat(301) }))).toMatchObject(fault);
  });

  test("is part of a version and restored with it; an archived post keeps its own", async ({ world }) => {
    const post = await world.post();
    await save(world, post, { summary: "First." });
    await save(world, post, { summary: "Second." });
    const kept = await world.tx`select summary from public.post_revisions where post_id = ${post.id} order by version`;
    expect(kept.map((row) => row.summary as string | null)).toEqual([null, "First.", "Second."]);
    const [restored] = await world.as("editor", (me) => me<Saved[]>`select * from public.restore_revision(${post.id}, 2)`);
    expect(restored).toMatchObject({ version: 4, summary: "First." });
    await save(world, post, { status: "archived" });
    expect(await refused(save(world, post, { summary: "Third." }))).toMatchObject({ code: "archived_post_locked" });
  });

  test("replaces the excerpt in lists and for readers, and invalidates readers' caches", async ({ world }) => {
    const post = await world.post({ status: "published", content_raw: words("The text.") });
    await world.tx`update public.workspaces set public_changelog_enabled = true where id = ${world.acme}`;
    const shown = async () => {
      const [row] = await world.tx`
          select v.excerpt, v.updated_at from private.visible_posts v where v.id = ${post.id}`;
      const [page] = await world.as("viewer", (me) => me`select public.list_posts(${world.acme}) #>> '{posts,0,excerpt}' as excerpt`);
      return { public: row!.excerpt as string, listed: page!.excerpt as string, at: row!.updated_at as Date };
    };
    const before = await shown();
    expect(before).toMatchObject({ public: "The text.", listed: "The text." });
    await save(world, post, { summary: "In short." });
    const after = await shown();
    expect(after).toMatchObject({ public: "In short.", listed: "In short." });
    expect(after.at.getTime()).toBeGreaterThan(before.at.getTime());
  });
});
