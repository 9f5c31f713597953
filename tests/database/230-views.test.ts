import { describe, expect, test } from "vitest";
import { connect } from "./support/database.ts";
import { forbiddenByGrant, outcome } from "./support/refusal.ts";
import { everybody, inDays, inWorld, type Person, type World } from "./support/world.ts";

const sql = connect();
const browser = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36";

async function openWithPost(world: World) {
  const post = await world.post({ status: "published" });
  await world.as("owner", (me) => me`select public.set_public_changelog(${world.acme}, true)`);
  const [row] = await world.tx`select subdomain::text from public.workspaces where id = ${world.acme}`;
  const subdomain = row!.subdomain as string;
  const read = async (address = "203.0.113.7", agent: string | null = browser, slug = post.slug) =>
    (await world.as("anon", (me) => me`select private.count_view(${subdomain}, ${slug}, ${address}, ${agent}) as counted`))[0]!
      .counted as boolean;
  return { post, subdomain, read };
}
const analytics = ({ as, acme }: World) => as("owner", (me) => me`select public.request_upgrade(${acme}, '{analytics}')`);
const views = async ({ as, acme }: World, person: Person = "viewer") =>
  (await as(person, (me) => me`select views::int from public.post_views(${acme})`)).map((row) => row.views);

describe("a reading counts", () => {
  test(
    "once per reader and day",
    inWorld(sql, async (world) => {
      const { read } = await openWithPost(world);
      await analytics(world);
      expect([await read(), await read(), await read("203.0.113.8"), await read("203.0.113.7", `${browser} Edg/140`)]).toEqual([
        true,
        false,
        true,
        true,
      ]);
      expect(await views(world)).toEqual([3]);
    }),
  );

  test(
    "again on another day, with another salt; yesterday's readers are forgotten",
    inWorld(sql, async (world) => {
      const { read } = await openWithPost(world);
      await world.tx`delete from private.view_salts`;
      await read();
      await world.tx`update private.view_salts set day = day - 1`;
      await world.tx`update private.view_readers set day = day - 1`;
      await world.tx`update public.daily_views set day = day - 1`;
      expect(await read()).toBe(true);
      expect(await world.tx`select from private.view_salts`).toHaveLength(1);
      expect(await world.tx`select from private.view_readers where day < current_date`).toHaveLength(0);
      await analytics(world);
      expect(await views(world)).toEqual([2]);
    }),
  );

  test.each([
    null,
    "",
    "Googlebot/2.1",
    "curl/8.5",
    "Slackbot-LinkExpanding 1.0",
    "facebookexternalhit/1.1",
    "HeadlessChrome/140",
    "Feedly/1.0",
    "python-requests/2.32",
  ])("but not of the machine %j", (agent) =>
    inWorld(sql, async (world) => expect(await (await openWithPost(world)).read("203.0.113.7", agent)).toBe(false))(),
  );

  test(
    "by any of the post's addresses, as one reading",
    inWorld(sql, async (world) => {
      const { read, post } = await openWithPost(world);
      await world.tx`update public.posts set slug = 'another-address' where id = ${post.id}`;
      expect([await read(), await read("203.0.113.7", browser, "another-address")]).toEqual([true, false]);
    }),
  );

  test(
    "of a telephone whose maker's name ends as a machine's would",
    inWorld(sql, async (world) => {
      const agent = "Mozilla/5.0 (Linux; Android 11; CUBOT NOTE 20) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36";
      const { read } = await openWithPost(world);
      expect([await read("203.0.113.7", agent), await read("203.0.113.8", `${agent} Googlebot/2.1`)]).toEqual([true, false]);
    }),
  );

  test(
    "at most a thousand times at once from one network, however many readers it plays",
    inWorld(sql, async (world) => {
      const { read, post, subdomain } = await openWithPost(world);
      const [row] = await world.as(
        "anon",
        (
          me,
        ) => me`select count(*) filter (where private.count_view(${subdomain}, ${post.slug}, '203.0.113.7', ${browser} || n))::int as counted
          from generate_series(1, 1010) as n`,
      );
      expect(row!.counted).toBe(1_000);
      expect([await read(), await read("203.0.113.8")]).toEqual([false, true]);
    }),
  );

  test(
    "and not of what a reader cannot see",
    inWorld(sql, async (world) => {
      const { read, post } = await openWithPost(world);
      const draft = await world.post({ title: "Draft" });
      const waiting = await world.post({ title: "Waiting", publish_at: inDays(1) });
      expect([
        await read("203.0.113.7", browser, draft.slug),
        await read("203.0.113.7", browser, waiting.slug),
        await read("203.0.113.7", browser, "nowhere"),
      ]).toEqual([false, false, false]);
      await world.as("owner", (me) => me`select public.archive_post(${post.id})`);
      expect(await read()).toBe(false);
    }),
  );
});

describe("reading the numbers", () => {
  test.each(everybody)("%s needs the membership and the add-on", (person) =>
    inWorld(sql, async (world) => {
      await (await openWithPost(world)).read();
      const table = () => world.as(person, (me) => me`select views from public.daily_views where workspace_id = ${world.acme}`);
      expect(await table()).toHaveLength(0);
      await analytics(world);
      const member = person !== "rival" && person !== "stranger";
      expect(await table()).toHaveLength(member ? 1 : 0);
      expect(await outcome(views(world, person))).toBe(member ? "allowed" : "not_found");
    })(),
  );

  test(
    "only the last 30 days count",
    inWorld(sql, async (world) => {
      await (await openWithPost(world)).read();
      await analytics(world);
      await world.tx`update public.daily_views set day = day - 30`;
      expect(await views(world)).toEqual([]);
    }),
  );

  test(
    "nobody writes them",
    inWorld(sql, async ({ as }) => {
      expect(await outcome(as("owner", (me) => me`update public.daily_views set views = 1000`))).toBe(forbiddenByGrant);
      expect(await outcome(as("owner", (me) => me`select private.count_view('a', 'b', 'c', 'd')`))).toBe(forbiddenByGrant);
    }),
  );
});
