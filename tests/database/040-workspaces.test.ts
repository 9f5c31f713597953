import { describe, expect } from "vitest";
import { inAscii, parseWebsite } from "#contract/rules/website.ts";
import { connect } from "./support/database.ts";
import { outcome, refused } from "./support/refusal.ts";
import { everybody, type Person, type World, test, testEach } from "./support/world.ts";

const sql = connect();

describe("creating a workspace", () => {
  const create = ({ as }: World, values: { name?: string; subdomain?: string; origin?: string; job?: string; key?: string } = {}) => {
    const { name = "Initech", subdomain = "initech", origin = "https://www.initech.com:443/about", job = "PM", key = null } = values;
    return as("stranger", (me) => me`select * from public.create_workspace(${name}, ${subdomain}, ${origin}, ${job}, ${key})`);
  };

  test("makes the caller its owner and gives it the add-on teams; its public changelog is off", async ({ world }) => {
    const [workspace] = await create(world, { name: "  Initech   Inc " });
    expect(workspace).toMatchObject({
      name: "Initech Inc",
      subdomain: "initech",
      role: "owner",
      public_changelog_enabled: false,
      logo_url: null,
    });
    expect([...(await world.tx`select user_id, role from public.members where workspace_id = ${workspace!.id}`)]).toEqual([
      { user_id: world.people.stranger, role: "owner" },
    ]);
    expect([...(await world.tx`select add_on from public.workspace_add_ons where workspace_id = ${workspace!.id}`)]).toEqual([
      { add_on: "teams" },
    ]);
  });

  test("keeps the website and allows the widget on its origin", async ({ world }) => {
    const [workspace] = await create(world);
    expect(workspace).toMatchObject({ origin: "https://www.initech.com:443/about", allowed_origins: ["https://www.initech.com"] });
  });

  test("writes the job title into the caller's profile", async ({ world }) => {
    await create(world, { job: " Head  of Product " });
    const [profile] = await world.tx`select job_title from public.profiles where user_id = ${world.people.stranger}`;
    expect(profile!.job_title).toBe("Head of Product");
  });

  test("returns the specification's sentence for every missing field", async ({ world }) => {
    expect(await refused(create(world, { name: " ", subdomain: "", origin: "", job: "" }))).toEqual({
      code: "validation_failed",
      message: "Please check the highlighted fields.",
      detail: {
        name: "Business name is required",
        subdomain: "Subdomain is required",
        origin: "Website URL is required",
        jobTitle: "Your job title is required",
      },
    });
  });

  test("twice with the same key creates one and returns it again", async ({ world }) => {
    const [first] = await create(world, { key: "k1" });
    const [second] = await create(world, { key: "k1" });
    expect(second).toEqual(first);
    expect(await refused(create(world, { key: "k1", name: "Another" }))).toMatchObject({
      code: "validation_failed",
      detail: { idempotency_key: expect.any(String) },
    });
  });
});

describe("the database accepts the websites that the contract accepts", () => {
  const candidates = [
    "https://example.com",
    "http://example.com",
    "https://example.com:8443/path?q=1#x",
    "HTTPS://EXAMPLE.COM",
    "https://sub.example.co.uk",
    "ftp://example.com",
    "https://localhost",
    "example.com",
    "https://",
    "https://exa mple.com",
    "https://-bad.com",
    "javascript:alert(1)",
    "https://user:pass@example.com",
    "https://1.2.3.4",
    "https://xn--bcher-kva.example",
    "https://bücher.example",
    "https://例え.example/ä?ö#ü",
    "https:\\\\example.com",
    "https://example.com\\a",
    "https://example.com:65535",
    "https://example.com:65536",
    "",
  ];
  test.each(candidates)("%j", async (url) => {
    const [row] = await sql`select private.is_website(${inAscii(url)}) as yes`;
    expect(row!.yes).toBe(parseWebsite(url) !== null);
  });
});

describe("my workspaces", () => {
  test("lists the workspaces I am a member of, with my role, by name", async ({ world: { as } }) => {
    const mine = await as("mixed", (me) => me`select name, role from public.my_workspaces()`);
    expect([...mine]).toEqual([
      { name: "Acme", role: "editor" },
      { name: "Globex", role: "viewer" },
    ]);
    expect(await as("stranger", (me) => me`select * from public.my_workspaces()`)).toHaveLength(0);
  });

  test("the role in a workspace is null for strangers", async ({ world: { as, acme } }) => {
    const roles: unknown[] = [];
    for (const person of everybody) roles.push((await as(person, (me) => me`select public.workspace_role(${acme}) as role`))[0]!.role);
    expect(roles).toEqual(["owner", "admin", "editor", "viewer", "editor", null, null]);
  });
});

describe("changing a workspace", () => {
  const change = (world: World, person: Person, set: Record<string, unknown>) =>
    world.as(person, (me) => me`update public.workspaces set ${me(set)} where id = ${world.acme} returning id`);

  testEach([
    [{ name: " " }, { name: "Business name is required" }],
    [{ name: "x".repeat(121) }, { name: "Please use at most 120 characters" }],
    [{ origin: "javascript:alert(1)" }, { origin: "Please enter a valid URL (e.g., https://example.com)" }],
    [{ allowed_origins: ["https://a.com/path"] }, { allowed_origins: expect.any(String) }],
    [{ allowed_origins: ["*"] }, { allowed_origins: expect.any(String) }],
    [{ allowed_origins: ["null"] }, { allowed_origins: expect.any(String) }],
    [{ allowed_origins: Array(21).fill("https://a.com") }, { allowed_origins: expect.any(String) }],
    [
      { name: "", origin: "x" },
      { name: expect.any(String), origin: expect.any(String) },
    ],
  ])("%j is an error of the field", async (world, set, detail) =>
    expect(await refused(change(world, "owner", set))).toMatchObject({ code: "validation_failed", detail }),
  );

  test("accepts a logo from our storage or an http URL", async ({ world }) => {
    for (const logo_url of ["//evil.example", "javascript:alert(1)"])
      expect(await outcome(change(world, "owner", { logo_url }))).toBe("23514");
  });
});
