import { beforeAll, describe, expect, test } from "vitest";
import { workspaceEndpoints } from "#contract/workspaces.ts";
import { as } from "./support/client.ts";
import { newPerson, newPost, newSubdomain, newTeam, newWorkspace, type Person, sql, type Team } from "./support/people.ts";

let ada: Person;
let team: Team;
beforeAll(async () => {
  [ada, team] = await Promise.all([newPerson(), newTeam()]);
});

const create = (fields: Record<string, unknown> = {}) =>
  ada.api.post("/api/workspaces/create", {
    name: "Acme",
    subdomain: newSubdomain(),
    origin: "https://acme.example",
    jobTitle: "Engineer",
    ...fields,
  });

describe("creating a workspace", () => {
  test("makes the caller its owner and keeps the job title", async () => {
    const subdomain = newSubdomain();
    const { workspace } = as(
      workspaceEndpoints.create,
      await create({ subdomain: ` ${subdomain.toUpperCase()} `, origin: "https://acme.example/home" }),
    );
    expect(workspace).toMatchObject({
      name: "Acme",
      subdomain,
      origin: "https://acme.example/home",
      allowed_origins: ["https://acme.example"],
      logo_url: null,
      public_changelog_enabled: false,
      role: "owner",
    });
    expect((await ada.api.get(`/api/team/role/${workspace.id}`)).body).toEqual({ role: "owner" });
    expect((await ada.api.get("/api/profiles/me")).body).toMatchObject({ profile: { job_title: "Engineer" } });
  });

  test.each([
    [{ name: " " }, { name: "Business name is required" }],
    [{ name: undefined }, { name: "Business name is required" }],
    [{ name: "x".repeat(121) }, { name: "Please use at most 120 characters" }],
    [{ subdomain: "" }, { subdomain: "Subdomain is required" }],
    [{ subdomain: "ab" }, { subdomain: "Please use 3 to 63 letters, digits and hyphens, beginning and ending with a letter or digit" }],
    [{ subdomain: "-abc" }, { subdomain: expect.stringContaining("Please use 3 to 63") as string }],
    [{ subdomain: "a.b.c" }, { subdomain: expect.stringContaining("Please use 3 to 63") as string }],
    [{ subdomain: "x".repeat(64) }, { subdomain: expect.stringContaining("Please use 3 to 63") as string }],
    [{ origin: "" }, { origin: "Website URL is required" }],
    [{ origin: "acme" }, { origin: "Please enter a valid URL (e.g., https://example.com)" }],
    [{ origin: "ftp://acme.example" }, { origin: "Please enter a valid URL (e.g., https://example.com)" }],
    [{ origin: "javascript:alert(1)" }, { origin: "Please enter a valid URL (e.g., https://example.com)" }],
    [{ origin: "https://localhost" }, { origin: "Please enter a valid URL (e.g., https://example.com)" }],
    [{ jobTitle: "" }, { jobTitle: "Your job title is required" }],
  ])("with %j is refused at the field", async (fields, expected) => {
    expect(await create(fields)).toMatchObject({ status: 422, body: { code: "validation_failed", fields: expected } });
  });

  test.each([
    ["https://Bücher.example", "https://xn--bcher-kva.example"],
    ["https://例え.example/", "https://xn--r8jz45g.example/"],
    ["https://bücher.example:8443/über?q=ä#ö", "https://xn--bcher-kva.example:8443/%C3%BCber?q=%C3%A4#%C3%B6"],
  ])("keeps the website %s as browsers send it", async (typed, kept) => {
    const { workspace } = as(workspaceEndpoints.create, await create({ origin: typed }));
    expect(workspace).toMatchObject({ origin: kept, allowed_origins: [new URL(kept).origin] });
    const changed = await ada.api.patch(`/api/workspaces/${workspace.id}`, { allowed_origins: ["https://straße.example"] });
    expect(changed.body).toMatchObject({ workspace: { allowed_origins: ["https://xn--strae-oqa.example"] } });
  });
});

test("a subdomain is free, taken or reserved", async () => {
  const check = async (subdomain: string) => (await ada.api.get(`/api/workspaces/subdomain-available?subdomain=${subdomain}`)).body;
  expect(await check(newSubdomain())).toEqual({ available: true, reason: null });
  expect(await check(team.subdomain)).toEqual({ available: false, reason: "subdomain_taken" });
  expect(await check("www")).toEqual({ available: false, reason: "subdomain_reserved" });
  expect(await check("-")).toMatchObject({ code: "validation_failed", fields: { subdomain: expect.any(String) as string } });
});

test("people see their own workspaces, by name, with their role", async () => {
  const person = await newPerson();
  expect((await person.api.get("/api/workspaces")).body).toEqual({ workspaces: [] });
  for (const name of ["Zoo", "acme", "Beta"])
    await person.api.post("/api/workspaces/create", { name, subdomain: newSubdomain(), origin: "https://a.example", jobTitle: "x" });
  await sql`insert into public.members (workspace_id, user_id, role) values (${team.workspaceId}, ${person.id}, 'viewer')`;
  const { workspaces } = as(workspaceEndpoints.list, await person.api.get("/api/workspaces"));
  expect(workspaces.map(({ name, role }) => [name, role])).toEqual(
    [
      ["Acme", "viewer"],
      ["acme", "owner"],
      ["Beta", "owner"],
      ["Zoo", "owner"],
    ].sort((a, b) => a[0]!.toLowerCase().localeCompare(b[0]!.toLowerCase())),
  );
});

test("the dashboard has posts, counts and what happened", async () => {
  const workspace = await newWorkspace(ada);
  const dashboard = async () => as(workspaceEndpoints.dashboard, await ada.api.get(`/api/dashboard/${workspace.id}/all`));
  expect(await dashboard()).toMatchObject({
    recentPosts: [],
    upcomingPosts: [],
    count: 0,
    memberCount: 1,
    public_changelog_enabled: false,
  });
  const draft = await newPost(ada, workspace.id, { title: "Draft" });
  await newPost(ada, workspace.id, { title: "Soon", publish_at: new Date(Date.now() + 3_600_000).toISOString() });
  const gone = await newPost(ada, workspace.id, { title: "Gone" });
  await ada.api.delete(`/api/posts/${gone.id}`);
  const shown = await dashboard();
  expect(shown.recentPosts.map(({ title }) => title).sort()).toEqual(["Draft", "Soon"]);
  expect(shown.upcomingPosts.map(({ title }) => title)).toEqual(["Soon"]);
  expect(shown.count).toBe(2);
  expect(shown.recentActivities.find(({ post_id }) => post_id === draft.id)).toMatchObject({
    kind: "post_created",
    actor_name: "Ada Lovelace",
    title: "Draft",
  });
});

test("the public changelog is the owner's to turn on and off", async () => {
  const toggle = (isPublic: unknown) => team.owner.api.post("/api/public/changelog/toggle", { isPublic, workspaceId: team.workspaceId });
  expect((await toggle(true)).body).toEqual({ enabled: true });
  expect((await toggle(true)).body).toEqual({ enabled: true });
  expect((await toggle(false)).body).toEqual({ enabled: false });
  expect(await toggle("yes")).toMatchObject({ status: 422, body: { fields: { isPublic: "isPublic must be true or false" } } });
});
