import { describe, expect, test } from "vitest";
import { committedAs, type Place, withWorkspace } from "./support/committed.ts";
import { connect } from "./support/database.ts";
import { outcome } from "./support/refusal.ts";
import { words } from "./support/world.ts";

const sql = connect(12);

const version = async ({ subdomain }: Place) =>
  (await committedAs(sql, null, (tx) => tx`select private.public_version(${subdomain}) as tag`))[0]!.tag as string;
const titles = async ({ subdomain }: Place) =>
  (await committedAs(sql, null, (tx) => tx`select title from private.list_releases(${subdomain}, 1, 100)`)).map(
    (row) => row.title as string,
  );

const withReleases = (count: number, play: (place: Place, posts: string[]) => Promise<void>) =>
  withWorkspace(sql, 0, async (place) => {
    const posts = await committedAs(sql, place.owner, async (tx) => {
      await tx`select public.change_workspace(${place.workspace}, '{"public_changelog_enabled": true}')`;
      const ids: string[] = [];
      for (let n = 1; n <= count; n += 1) {
        const [post] =
          await tx`select id from public.create_post(${place.workspace}, ${`Post ${n}`}, ${words("text") as never}, status => 'published')`;
        ids.push(post!.id as string);
      }
      return ids;
    });
    await play(place, posts);
  });

describe("the public version", () => {
  test("stays old until the commit, so a reader with the new one gets the new content", () =>
    withReleases(1, async (place, [post]) => {
      const before = await version(place);
      await committedAs(sql, place.owner, async (tx) => {
        await tx`select public.save_post(${post!}, '{"title": "Changed"}')`;
        expect([await version(place), await titles(place)]).toEqual([before, ["Post 1"]]);
      });
      expect([(await version(place)) === before, await titles(place)]).toEqual([false, ["Changed"]]);
    }));

  test("counts each of many concurrent changes", () =>
    withReleases(8, async (place, posts) => {
      const numberOf = (tag: string) => Number(tag.split("/")[1]);
      const before = numberOf(await version(place));
      await Promise.all(
        posts.flatMap((post) =>
          Array.from({ length: 5 }, (_, n) =>
            committedAs(sql, place.owner, (tx) => tx`select public.save_post(${post}, ${{ title: `Edit ${n}` } as never})`),
          ),
        ),
      );
      expect(numberOf(await version(place))).toBe(before + 40);
    }));

  test("changes by writes that skip other triggers, such as repairs", () =>
    withReleases(1, async (place, [post]) => {
      const before = await version(place);
      await sql.begin(async (tx) => {
        await tx`set local session_replication_role = replica`;
        await tx`update public.posts set title = 'Repaired' where id = ${post!}`;
      });
      expect([(await version(place)) === before, await titles(place)]).toEqual([false, ["Repaired"]]);
    }));

  test("causes no deadlock between concurrent writers of several workspaces", () =>
    withReleases(20, (one, ones) =>
      withReleases(20, async (two, twos) => {
        // Each writer has its own posts in both workspaces, in either order; only the versions are shared.
        const rename = (n: number) => {
          const pair = n % 2 === 0 ? [ones[n]!, twos[n]!] : [twos[n]!, ones[n]!];
          return sql`update public.posts p set title = p.title || ', again' from unnest(${pair}::uuid[]) as wanted (id) where p.id = wanted.id`;
        };
        for (let round = 0; round < 5; round += 1) {
          const outcomes = await Promise.all(ones.map((_, n) => outcome(rename(n))));
          expect(new Set(outcomes)).toEqual(new Set(["allowed"]));
        }
        const all = (await Promise.all([titles(one), titles(two)])).flat();
        expect(all.filter((title) => title.endsWith(", again".repeat(5)))).toHaveLength(40);
      }),
    ));

  test("is deleted with its workspace", () =>
    withReleases(1, async ({ workspace }) => {
      const rows = () => sql`select from private.public_versions where id = ${workspace}`;
      expect(await rows()).toHaveLength(1);
      await sql`delete from public.workspaces where id = ${workspace}`;
      expect(await rows()).toHaveLength(0);
    }));
});
