import { expect } from "vitest";
import { inDays, type PostRow, type World, test } from "./support/world.ts";

async function due(world: World, title: string, ago: string): Promise<PostRow> {
  const post = await world.post({ title, publish_at: inDays(1) });
  await world.tx`set local session_replication_role = replica`;
  const [row] = await world.tx<
    PostRow[]
  >`update public.posts set publish_at = date_trunc('second', now() - ${ago}::interval) where id = ${post.id} returning *`;
  await world.tx`set local session_replication_role = origin`;
  return row!;
}
const publish = async ({ tx }: World, batch = 1_000) => (await tx`select private.publish_due_posts(${batch}) as count`)[0]!.count as number;
const row = async ({ tx }: World, post: PostRow) => (await tx<PostRow[]>`select * from public.posts where id = ${post.id}`)[0]!;

test("the publisher publishes due posts with their due time as the date, one version up, without an author", async ({ world }) => {
  const post = await due(world, "Due", "1 hour");
  await publish(world);
  expect(await row(world, post)).toMatchObject({
    status: "published",
    published_at: post.publish_at,
    version: 2,
    updated_by: null,
    updated_by_name: "Scheduled publishing",
  });
});

test("the publisher logs one activity per post, and a second run finds nothing", async ({ world }) => {
  const post = await due(world, "Due", "1 hour");
  expect(await publish(world)).toBeGreaterThanOrEqual(1);
  await publish(world);
  const lines = await world.tx`select kind, actor_name from public.activities where post_id = ${post.id} and kind = 'post_published'`;
  expect([...lines]).toEqual([{ kind: "post_published", actor_name: null }]);
});

test("the publisher leaves future posts, drafts and archived ones alone", async ({ world }) => {
  const posts = [await world.post({ title: "Tomorrow", publish_at: inDays(1) }), await world.post({ title: "Draft" })];
  const archived = await due(world, "Archived", "1 hour");
  await world.as("owner", (me) => me`select public.save_post(${archived.id}, '{"status": "archived"}')`);
  await publish(world);
  expect([(await row(world, posts[0]!)).status, (await row(world, posts[1]!)).status, (await row(world, archived)).status]).toEqual([
    "scheduled",
    "draft",
    "archived",
  ]);
});

test("the publisher takes the longest due first, a batch at a time", async ({ world }) => {
  const [late, later] = [await due(world, "Late", "10 years"), await due(world, "Later", "9 years")];
  expect(await publish(world, 1)).toBe(1);
  expect([(await row(world, late)).status, (await row(world, later)).status]).toEqual(["published", "scheduled"]);
});
