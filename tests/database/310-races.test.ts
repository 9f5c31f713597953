import { describe, expect, test } from "vitest";
import { committedAs, type Place, withWorkspace } from "./support/committed.ts";
import { pageView } from "./support/reading.ts";
import { connect } from "./support/database.ts";
import { outcome } from "./support/refusal.ts";
import { inDays, words } from "./support/world.ts";

const sql = connect(20);
const content = words("text") as never;

async function tally(count: number, call: (index: number) => PromiseLike<unknown>): Promise<Record<string, number>> {
  const outcomes = await Promise.all(Array.from({ length: count }, (_, index) => outcome(call(index))));
  return outcomes.reduce<Record<string, number>>((sum, name) => ({ ...sum, [name]: (sum[name] ?? 0) + 1 }), {});
}
const newPost = async (person: string, workspace: string, title = "Race") =>
  committedAs(
    sql,
    person,
    async (tx) => (await tx`select id from public.create_post(${workspace}, ${title}, ${content})`)[0]!.id as string,
  );

describe("at the same time", () => {
  test("200 saves of one version have one winner", () =>
    withWorkspace(sql, 0, async ({ owner, workspace }) => {
      const post = await newPost(owner, workspace);
      const save = (index: number) =>
        committedAs(sql, owner, (tx) => tx`select public.save_post(${post}, ${{ title: `Save ${index}` } as never}, 1)`);
      expect(await tally(200, save)).toEqual({ allowed: 1, version_conflict: 199 });
      expect(await sql`select from public.post_revisions where post_id = ${post}`).toHaveLength(2);
    }));

  test("200 saves without a version all count, one version each", () =>
    withWorkspace(sql, 0, async ({ owner, workspace }) => {
      const post = await newPost(owner, workspace);
      await tally(200, (index) =>
        committedAs(sql, owner, (tx) => tx`select public.save_post(${post}, ${{ title: `Save ${index}` } as never})`),
      );
      const versions = await sql`select version from public.post_revisions where post_id = ${post} order by 1`;
      expect(versions.map((row) => row.version)).toEqual(Array.from({ length: 201 }, (_, index) => index + 1));
    }));

  test("100 people accept one invitation, one becomes a member", () =>
    withWorkspace(sql, 100, async ({ owner, workspace, people }) => {
      const token = await committedAs(
        sql,
        owner,
        async (tx) => (await tx`select token from public.create_invite(${workspace}, 'editor')`)[0]!.token as string,
      );
      expect(await tally(100, (index) => committedAs(sql, people[index]!, (tx) => tx`select public.accept_invite(${token})`))).toEqual({
        allowed: 1,
        invalid_invitation: 99,
      });
      expect(await sql`select from public.members where workspace_id = ${workspace}`).toHaveLength(2);
    }));

  test("100 invitations of two addresses, in either order, create one each, and all their links open it", () =>
    withWorkspace(sql, 0, async ({ owner, workspace }) => {
      const links: string[] = [];
      const outcomes = await tally(100, (index) =>
        committedAs(sql, owner, async (tx) => {
          const emails = index % 2 ? "{ada@example.com,ole@example.com}" : "{ole@example.com,ada@example.com}";
          const made = await tx`select id || ' ' || token as link from public.create_invites(${workspace}, 'viewer', ${emails})`;
          links.push(...made.map(({ link }) => link as string));
        }),
      );
      expect(outcomes).toEqual({ allowed: 100 });
      const ids = new Set(links.map((link) => link.split(" ")[0]));
      expect(ids.size).toBe(2);
      for (const link of links.slice(0, 20)) expect(await sql`select from public.read_invite(${link.split(" ")[1]!})`).toHaveLength(1);
      expect(await sql`select from public.invites where workspace_id = ${workspace}`).toHaveLength(2);
    }));

  test("an invitation accepted while its role changes grants the old or the new one", () =>
    withWorkspace(sql, 30, async ({ owner, workspace, people }) => {
      for (const person of people) {
        const [made] = await committedAs(sql, owner, (tx) => tx`select id, token from public.create_invite(${workspace}, 'viewer')`);
        const joining = outcome(committedAs(sql, person, (tx) => tx`select public.accept_invite(${made!.token as string})`));
        const changing = outcome(
          committedAs(sql, owner, (tx) => tx`select public.set_invite_role(${workspace}, ${made!.id as string}, 'admin')`),
        );
        const [joined, changed] = await Promise.all([joining, changing]);
        const [role] = await sql`
          select m.role as given, i.role as said from public.members m, public.invites i
          where m.workspace_id = ${workspace} and m.user_id = ${person} and i.id = ${made!.id as string}`;
        expect(joined).toBe("allowed");
        expect([role!.given, role!.said]).toEqual(changed === "allowed" ? ["admin", "admin"] : ["viewer", "viewer"]);
      }
    }));

  test("one person accepts an invitation 100 times and is a member once", () =>
    withWorkspace(sql, 1, async ({ owner, workspace, people }) => {
      const token = await committedAs(
        sql,
        owner,
        async (tx) => (await tx`select token from public.create_invite(${workspace}, 'editor')`)[0]!.token as string,
      );
      expect(await tally(100, () => committedAs(sql, people[0]!, (tx) => tx`select public.accept_invite(${token})`))).toEqual({
        allowed: 100,
      });
      expect(await sql`select from public.members where workspace_id = ${workspace}`).toHaveLength(2);
    }));

  const losses: [string, string, (place: Place) => PromiseLike<unknown>][] = [
    [
      "is removed",
      "editor",
      ({ owner, workspace, people }) => committedAs(sql, owner, (tx) => tx`select public.remove_member(${workspace}, ${people[0]!})`),
    ],
    [
      "is removed by hand",
      "viewer",
      ({ workspace, people }) => sql`delete from public.members where workspace_id = ${workspace} and user_id = ${people[0]!}`,
    ],
    [
      "is demoted",
      "editor",
      ({ owner, workspace, people }) =>
        committedAs(sql, owner, (tx) => tx`select public.set_member_role(${workspace}, ${people[0]!}, 'editor')`),
    ],
  ];
  test.each(losses)("an invitation made while its maker %s opens nothing", (_, role, lose) =>
    withWorkspace(sql, 2, async (place) => {
      const { workspace, people } = place;
      await sql`insert into public.members values (${workspace}, ${people[0]!}, 'admin')`;
      let losing: PromiseLike<unknown> | undefined;
      const token = await committedAs(sql, people[0]!, async (tx) => {
        const [made] = await tx`select token from public.create_invite(${workspace}, ${role})`;
        losing = Promise.resolve(lose(place));
        await new Promise((resolve) => setTimeout(resolve, 300)); // must not finish before the invitation does
        return made!.token as string;
      });
      await losing;
      const [row] = await sql`select revoked_at from public.invites where workspace_id = ${workspace}`;
      expect(row!.revoked_at).not.toBeNull();
      expect(await outcome(committedAs(sql, people[1]!, (tx) => tx`select public.accept_invite(${token})`))).toBe("invalid_invitation");
    }),
  );

  test("an invitation for an admin made during a transfer of the workspace opens nothing", () =>
    withWorkspace(sql, 2, async ({ owner, workspace, people }) => {
      await sql`insert into public.members values (${workspace}, ${people[0]!}, 'admin')`;
      let handing: PromiseLike<unknown> | undefined;
      const token = await committedAs(sql, owner, async (tx) => {
        const [made] = await tx`select token from public.create_invite(${workspace}, 'admin')`;
        handing = committedAs(sql, owner, (own) => own`select public.hand_over_ownership(${workspace}, ${people[0]!})`);
        await new Promise((resolve) => setTimeout(resolve, 300));
        return made!.token as string;
      });
      await handing;
      expect(await outcome(committedAs(sql, people[1]!, (tx) => tx`select public.accept_invite(${token})`))).toBe("invalid_invitation");
    }));

  test("an admin who keeps inviting while being removed leaves no open invitation", () =>
    withWorkspace(sql, 1, async ({ owner, workspace, people }) => {
      await sql`insert into public.members values (${workspace}, ${people[0]!}, 'admin')`;
      let invited = 0;
      const inviteUntilRefused = async (): Promise<string> => {
        const made = await outcome(committedAs(sql, people[0]!, (tx) => tx`select public.create_invite(${workspace}, 'editor')`));
        return made === "allowed" ? (invited++, inviteUntilRefused()) : made;
      };
      const ends = Promise.all(Array.from({ length: 8 }, inviteUntilRefused));
      await expect.poll(() => invited, { interval: 10, timeout: 20_000 }).toBeGreaterThan(20);
      await committedAs(sql, owner, (tx) => tx`select public.remove_member(${workspace}, ${people[0]!})`);
      expect(await ends).toEqual(Array(8).fill("not_found"));
      const rows =
        await sql`select revoked_at is null as open, count(*)::int as count from public.invites where workspace_id = ${workspace} group by 1`;
      expect([...rows]).toEqual([{ open: false, count: expect.any(Number) }]);
    }));

  test("workspaces deleted during invitations cause no deadlock", () =>
    withWorkspace(sql, 0, async ({ owner, workspace }) => {
      const invites = tally(60, () => committedAs(sql, owner, (tx) => tx`select public.create_invite(${workspace}, 'editor')`));
      const gone = outcome(committedAs(sql, owner, (tx) => tx`select public.delete_workspace(${workspace}, 'Race')`));
      expect(await gone).toBe("allowed");
      expect(["allowed", "not_found"]).toEqual(expect.arrayContaining(Object.keys(await invites)));
    }));

  test("200 posts with one title get 200 slugs, without a gap", () =>
    withWorkspace(sql, 0, async ({ owner, workspace }) => {
      expect(await tally(200, () => newPost(owner, workspace, "Same title"))).toEqual({ allowed: 200 });
      const slugs = (await sql`select slug from public.posts where workspace_id = ${workspace}`).map((row) => row.slug as string);
      expect(new Set(slugs)).toEqual(new Set(["same-title", ...Array.from({ length: 199 }, (_, index) => `same-title-${index + 2}`)]));
    }));

  test("titles with the same slug don't collide", () =>
    withWorkspace(sql, 0, async ({ owner, workspace }) => {
      const titles = ["Release", "Release 2", "Release!", "release-2", "Release 2 2"];
      expect(await tally(100, (index) => newPost(owner, workspace, titles[index % titles.length]))).toEqual({ allowed: 100 });
    }));

  test("two transfers have one winner, and there is always exactly one owner", () =>
    withWorkspace(sql, 2, async ({ owner, workspace, people }) => {
      await sql`insert into public.members (workspace_id, user_id, role) select ${workspace}, id, 'viewer' from unnest(${people}::uuid[]) as id`;
      for (let round = 0; round < 20; round += 1) {
        const [holder] = await sql`select user_id from public.members where workspace_id = ${workspace} and role = 'owner'`;
        const heirs = [owner, ...people].filter((person) => person !== holder!.user_id);
        const result = await tally(2, (index) =>
          committedAs(sql, holder!.user_id as string, (tx) => tx`select public.hand_over_ownership(${workspace}, ${heirs[index]!})`),
        );
        expect(result).toEqual({ allowed: 1, forbidden: 1 });
      }
      expect(await sql`select from public.members where workspace_id = ${workspace} and role = 'owner'`).toHaveLength(1);
    }));

  test("two publishers share 300 due posts: each is published once", () =>
    withWorkspace(sql, 0, async ({ owner, workspace }) => {
      await sql.begin(async (tx) => {
        await tx`select set_config('request.jwt.claims', ${JSON.stringify({ sub: owner })}, true)`;
        await tx`insert into public.posts (workspace_id, title, content_raw, publish_at, slug) select ${workspace}, 'Due ' || n, ${content}, ${inDays(1)}, '' from generate_series(1, 300) as n`;
        await tx`set local session_replication_role = replica`;
        await tx`update public.posts set publish_at = date_trunc('milliseconds', now() - interval '1 hour') where workspace_id = ${workspace}`;
      });
      const publish = async () => {
        // Locked rows are skipped, so a run that finds nothing may only be early.
        for (let left = 1; left > 0;) {
          await sql`select private.publish_due_posts(50)`;
          const [row] =
            await sql`select count(*)::int as left from public.posts where workspace_id = ${workspace} and status = 'scheduled'`;
          left = row!.left as number;
        }
      };
      await Promise.all([publish(), publish()]); // the stack's own ticker may be the third
      const [posts] =
        await sql`select count(*)::int as all, count(*) filter (where status = 'published' and version = 2)::int as done from public.posts where workspace_id = ${workspace}`;
      const [lines] =
        await sql`select count(*)::int as all, count(distinct post_id)::int as posts from public.activities where workspace_id = ${workspace} and kind = 'post_published'`;
      expect([posts, lines]).toEqual([
        { all: 300, done: 300 },
        { all: 300, posts: 300 },
      ]);
    }));

  test("a key used 100 times creates one post and returns one answer", () =>
    withWorkspace(sql, 0, async ({ owner, workspace }) => {
      const answers = await Promise.all(
        Array.from({ length: 100 }, () =>
          committedAs(sql, owner, async (tx) =>
            JSON.stringify((await tx`select * from public.create_post(${workspace}, 'Once', ${content}, idempotency_key => 'race')`)[0]),
          ),
        ),
      );
      expect(new Set(answers).size).toBe(1);
      expect(await sql`select from public.posts where workspace_id = ${workspace}`).toHaveLength(1);
    }));

  test("50 people request one subdomain, and one gets it", () =>
    withWorkspace(sql, 50, async ({ workspace, people }) => {
      const label = `race-${workspace.slice(0, 8)}-x`;
      const create = (index: number) =>
        committedAs(sql, people[index]!, (tx) => tx`select public.create_workspace('Mine', ${label}, 'https://example.com', 'PM')`);
      expect(await tally(50, create)).toEqual({ allowed: 1, subdomain_taken: 49 });
      await sql`delete from public.workspaces where subdomain = ${label}`;
    }));

  test("a subdomain can't be taken while its workspace changes it", () =>
    withWorkspace(sql, 50, async ({ owner, workspace, subdomain, people }) => {
      const change = committedAs(sql, owner, async (tx) => {
        const changed = await tx`select public.change_subdomain(${workspace}, ${`${subdomain.slice(0, 40)}-new`})`;
        await tx`select pg_sleep(0.3)`;
        return changed;
      });
      const take = (index: number) =>
        committedAs(sql, people[index]!, (tx) => tx`select public.create_workspace('Mine', ${subdomain}, 'https://example.com', 'PM')`);
      expect(await tally(50, take)).toEqual({ subdomain_taken: 50 });
      expect(await outcome(change)).toBe("allowed");
    }));

  test("a bucket of 50 lets 50 of 400 calls through", async () => {
    const key = crypto.randomUUID();
    const waits = await Promise.all(
      Array.from(
        { length: 400 },
        async () => (await sql`select public.take_token('race', ${key}, 50, '1 day') as wait`)[0]!.wait as number,
      ),
    );
    expect(waits.filter((wait) => wait === 0)).toHaveLength(50);
  });

  test("one reader counts once, 100 readers 100 times", () =>
    withWorkspace(sql, 0, async ({ owner, workspace, subdomain }) => {
      await committedAs(
        sql,
        owner,
        (tx) =>
          tx`select public.change_workspace(${workspace}, '{"public_changelog_enabled": true}'), public.create_post(${workspace}, 'Read', ${content}, status => 'published')`,
      );
      const view = (address: string) =>
        sql`select private.count_events(${pageView(subdomain, "read", address, "Mozilla/5.0 Safari")}::text::jsonb)`;
      await tally(100, () => view("203.0.113.1"));
      await tally(100, (index) => view(`198.51.100.${index}`));
      await Promise.all(Array.from({ length: 8 }, () => sql`select private.roll_up_counts()`));
      await sql`select private.roll_up_counts()`;
      const sums =
        await sql`select what, post_id is null as of_all, sum(n)::int as n from public.daily_counts where workspace_id = ${workspace}
        group by 1, 2 order by 1, 2`;
      expect(sums.map(({ what, of_all, n }) => [what, of_all, n])).toEqual([
        ["reader", true, 101],
        ["view", false, 101],
        ["view", true, 101],
      ]);
    }));
});
