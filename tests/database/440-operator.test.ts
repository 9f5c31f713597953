import { describe, expect, test } from "vitest";
import { operatorOverview } from "#contract/operator.ts";
import { version } from "#contract/version.ts";
import { connect } from "./support/database.ts";
import { forbiddenByGrant, outcome } from "./support/refusal.ts";
import { everybody, inWorld, type Person, type World } from "./support/world.ts";

const sql = connect();

const overview = ({ as }: World, person: Person | "anon") =>
  as(person, async (me) => (await me`select public.operator_overview() as said`)[0]!.said as object);

describe("the operator's overview", () => {
  test.each(everybody)("isn't there for anyone else, whatever their role in a workspace: %s", (person) =>
    inWorld(sql, async (world) => {
      expect(await outcome(overview(world, person))).toBe("not_found");
    })(),
  );

  test(
    "isn't there without a session",
    inWorld(sql, async (world) => {
      expect(await outcome(overview(world, "anon"))).toBe(forbiddenByGrant);
    }),
  );

  test(
    "counts members, posts, files and what waits or fails, and says nothing of a post",
    inWorld(sql, async (world) => {
      const { tx, people, acme, post } = world;
      await tx`insert into private.operators (user_id) values (${people.stranger})`;
      await post({ title: "Secret plan" });
      await tx`insert into storage.objects (bucket_id, name, metadata) values ('post-images', ${`${acme}/a.png`}, '{"size": 1500}')`;
      await tx`insert into private.deliveries (workspace_id, channel, kind, target_id, due_at, state, ended_at) values
        (${acme}, 'mail', 'digest', ${people.owner}, now(), 'done', now()), (${acme}, 'mail', 'digest', ${people.owner}, now(), 'failed', now()),
        (${acme}, 'mail', 'digest', ${people.owner}, now(), 'waiting', null)`;
      const said = operatorOverview.parse({ version, ...(await overview(world, "stranger")) });
      const [owner] = await tx`select email from auth.users where id = ${people.owner}`;
      expect(said.workspaces.newest.find(({ id }) => id === acme)).toMatchObject({
        ...{ name: "Acme", owner_email: owner!.email as string, members: 5, posts: 1, file_bytes: 1500 },
      });
      expect(said.people.newest.find(({ id }) => id === people.stranger)).toMatchObject({
        is_operator: true,
        is_confirmed: true,
        workspaces: 0,
      });
      expect(said.people.newest.find(({ id }) => id === people.mixed)).toMatchObject({ is_operator: false, workspaces: 2 });
      expect(said.email.sent).toBeGreaterThanOrEqual(1);
      const emails = said.jobs.find(({ kind }) => kind === "emails")!;
      expect([emails.waiting >= 1, emails.failed >= 1, emails.oldest_at !== null]).toEqual([true, true, true]);
      expect(JSON.stringify(said)).not.toContain("Secret plan");
    }),
  );
});
