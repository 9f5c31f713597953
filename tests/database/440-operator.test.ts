import { describe, expect } from "vitest";
import { operatorOverview } from "#contract/operator.ts";
import { version } from "#contract/version.ts";
import { forbiddenByGrant, outcome } from "./support/refusal.ts";
import { everybody, type Person, type World, test, testEach } from "./support/world.ts";

const overview = ({ as }: World, person: Person | "anon") =>
  as(person, async (me) => (await me`select public.operator_overview() as said`)[0]!.said as object);

describe("the operator's overview", () => {
  testEach(everybody)("isn't there for anyone else, whatever their role in a workspace: %s", async (world, person) => {
    expect(await outcome(overview(world, person))).toBe("not_found");
  });

  test("isn't there without a session", async ({ world }) => {
    expect(await outcome(overview(world, "anon"))).toBe(forbiddenByGrant);
  });

  test("counts members, posts, files and what waits or fails, and says nothing of a post", async ({ world }) => {
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
  });
});

describe("an add-on that the operator grants", () => {
  const grant = (world: World, person: Person | "anon", addOn: string | null, workspace = world.acme) =>
    outcome(
      world.tx.savepoint(() =>
        world.as(person, (me) => me`select public.operator_grant_add_on(${workspace}, ${addOn})`),
      ) as Promise<unknown>,
    );
  const has = async ({ tx, acme }: World) =>
    (await tx`select add_on from public.workspace_add_ons where workspace_id = ${acme} order by 1`).map((row) => row.add_on as string);

  test("is the workspace's, settles what was asked for, and is in the log once", async ({ world }) => {
    const { tx, people, acme } = world;
    await tx`insert into private.operators (user_id) values (${people.stranger})`;
    await tx`update private.installation set grants_upgrades = false`;
    await world.as("owner", (me) => me`select public.request_upgrade(${acme}, ${["analytics"]})`);
    const workspace = async () =>
      operatorOverview.parse({ version, ...(await overview(world, "stranger")) }).workspaces.newest.find(({ id }) => id === acme);
    expect(await workspace()).toMatchObject({ add_ons: ["teams"], requested: ["analytics"] });
    expect([await grant(world, "stranger", "analytics"), await grant(world, "stranger", "analytics")]).toEqual(["allowed", "allowed"]);
    expect(await workspace()).toMatchObject({ add_ons: ["analytics", "teams"], requested: [] });
    expect(await tx`select from public.upgrade_requests where workspace_id = ${acme} and granted_at is null`).toEqual([]);
    const { log } = operatorOverview.parse({ version, ...(await overview(world, "stranger")) });
    expect(log.filter(({ workspace_name }) => workspace_name === "Acme")).toMatchObject([
      { operator_name: "stranger", kind: "add_on_granted", details: { add_on: "analytics" } },
    ]);
  });

  test("must exist, and so must the workspace", async ({ world }) => {
    await world.tx`insert into private.operators (user_id) values (${world.people.stranger})`;
    expect([await grant(world, "stranger", "sso"), await grant(world, "stranger", null)]).toEqual([
      "validation_failed",
      "validation_failed",
    ]);
    expect(await grant(world, "stranger", "analytics", world.people.owner)).toBe("not_found");
    expect(await has(world)).toEqual(["teams"]);
  });

  testEach([...everybody, "anon" as const])("is nobody else's to give: %s", async (world, person) => {
    expect(await grant(world, person, "analytics")).toBe(person === "anon" ? forbiddenByGrant : "not_found");
    expect(await has(world)).toEqual(["teams"]);
  });
});
