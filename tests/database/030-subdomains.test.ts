import { describe, expect } from "vitest";
import { subdomain } from "#contract/workspaces.ts";
import { outcome, refused } from "./support/refusal.ts";
import { type World, test, testEach } from "./support/world.ts";

const status = async ({ as }: World, label: string) =>
  (await as("stranger", (me) => me`select public.subdomain_status(${label}) as status`))[0]!.status as string;
const create = ({ as }: World, label: string) =>
  as("stranger", (me) => me`select * from public.create_workspace('New', ${label}, 'https://new.example.com', 'PM')`);

test("the database reserves the names of product decision 17", async ({ world }) => {
  for (const label of "www app api admin mail auth static assets widget status docs blog help support dev test".split(" "))
    expect([label, await status(world, label)]).toEqual([label, "subdomain_reserved"]);
});

describe("the database accepts the subdomains that the contract accepts", () => {
  const candidates = [
    "abc",
    "a-c",
    "a1",
    "ab",
    "",
    "-ab",
    "ab-",
    "a".repeat(63),
    "a".repeat(64),
    "under_score",
    "dot.dot",
    "ümlaut",
    "a--b",
    "123",
    "ABC",
    " abc ",
    "a b",
    "a\nb",
    "xn--abc",
    "XN--abc",
    "xn-abc",
    "axn--abc",
  ];
  testEach(candidates)("%j", async (world, label) => {
    expect((await status(world, label)) !== "invalid").toBe(subdomain.safeParse(label).success);
  });
});

test("a workspace can't take a reserved name, in any case", async ({ world }) => {
  expect(await status(world, "Admin")).toBe("subdomain_reserved");
  expect(await outcome(create(world, "ADMIN"))).toBe("subdomain_reserved");
});

test("a workspace can't take a used name, in any case", async ({ world }) => {
  await create(world, "first-come");
  expect(await status(world, "FIRST-come")).toBe("subdomain_taken");
  expect(await outcome(create(world, "First-Come"))).toBe("subdomain_taken");
});

testEach(["xn--pple-43d", "XN--abc", "xn--a"])("%s is reserved, as it can be displayed with other letters", async (world, label) => {
  expect(await refused(create(world, label))).toMatchObject({
    code: "validation_failed",
    detail: { subdomain: expect.stringContaining("3 to 63") },
  });
});

test("a malformed subdomain is an error of the field", async ({ world }) => {
  expect(await refused(create(world, "a_b"))).toMatchObject({
    code: "validation_failed",
    detail: { subdomain: expect.stringContaining("3 to 63") },
  });
});

describe("a released subdomain", () => {
  const released = async (world: World, release: (workspace: string) => PromiseLike<unknown>) => {
    const [workspace] = await create(world, "once-mine");
    await release(workspace!.id as string);
    return status(world, "once-mine");
  };

  test("is blocked after deletion", async ({ world }) => {
    expect(await released(world, (id) => world.tx`delete from public.workspaces where id = ${id}`)).toBe("subdomain_taken");
    expect(await outcome(create(world, "once-mine"))).toBe("subdomain_taken");
  });

  test("is blocked after a change", async ({ world }) => {
    expect(await released(world, (id) => world.tx`update public.workspaces set subdomain = 'now-this' where id = ${id}`)).toBe(
      "subdomain_taken",
    );
  });

  test("redirects to the new one after a change, and only its workspace can take it back", async ({ world }) => {
    const { acme, tx } = world;
    const change = (who: "owner" | "admin", label: string) =>
      world.as(who, (me) => me`select public.change_subdomain(${acme}, ${label}) as now`).then(([row]) => row!.now as string);
    const [{ first }] = (await tx`select subdomain::text as first from public.workspaces where id = ${acme}`) as unknown as [
      { first: string },
    ];
    const version = async (label: string) => (await tx`select private.public_version(${label}) as tag`)[0]!.tag as string | null;
    expect(await outcome(change("admin", "second-name"))).toBe("forbidden");
    expect(await change("owner", " Second-Name ")).toBe("second-name");
    expect([await version(first), await outcome(create(world, first))]).toEqual(["moved/second-name", "subdomain_taken"]);
    expect(await change("owner", first)).toBe(first);
    expect(await version("second-name")).toBe(`moved/${first}`);
    await create(world, "somebody-elses");
    for (const [label, code] of [
      ["www", "subdomain_reserved"],
      ["a_b", "validation_failed"],
      ["somebody-elses", "subdomain_taken"],
    ] as const)
      expect([label, await outcome(change("owner", label))]).toEqual([label, code]);
    await tx`update private.released_subdomains set released_at = now() - interval '31 days'`;
    expect([await version("second-name"), await status(world, "second-name")]).toEqual([null, "free"]);
  });

  test("can be changed three times in 30 days", async ({ world }) => {
    const change = (label: string) => world.as("owner", (me) => me`select public.change_subdomain(${world.acme}, ${label})`);
    for (const label of ["one-name", "two-names", "three-names", "two-names"]) expect(await outcome(change(label))).toBe("allowed");
    expect(await outcome(change("four-names"))).toBe("validation_failed");
  });

  testEach([
    [29, "subdomain_taken"],
    [31, "free"],
  ])("%i days ago makes it %s", async (world, days, expected) => {
    await released(world, (id) => world.tx`delete from public.workspaces where id = ${id}`);
    await world.tx`update private.released_subdomains set released_at = now() - make_interval(days => ${days}) where label = 'once-mine'`;
    expect(await status(world, "once-mine")).toBe(expected);
  });
});

test("can't be read by anyone", async ({ world: { as } }) => {
  expect(await outcome(as("owner", (me) => me`select * from private.released_subdomains`))).toBe("42501");
  expect(await outcome(as("anon", (me) => me`select public.subdomain_status('abc')`))).toBe("42501");
});
