import { beforeAll, describe, expect, test } from "vitest";
import { workspaceEndpoints } from "#contract/workspaces.ts";
import { as } from "./support/client.ts";
import { newPerson, newSubdomain, newTeam, type Person, type Team } from "./support/people.ts";

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
  test("makes the caller its owner and saves the job title", async () => {
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
});

test("reports a subdomain as free, taken or reserved", async () => {
  const check = async (subdomain: string) => (await ada.api.get(`/api/workspaces/subdomain-available?subdomain=${subdomain}`)).body;
  expect(await check(newSubdomain())).toEqual({ available: true, reason: null });
  expect(await check(team.subdomain)).toEqual({ available: false, reason: "subdomain_taken" });
  expect(await check("www")).toEqual({ available: false, reason: "subdomain_reserved" });
  expect(await check("-")).toMatchObject({ code: "validation_failed", fields: { subdomain: expect.any(String) as string } });
});

test("lets only the owner turn the public changelog on and off", async () => {
  const toggle = (isPublic: unknown) => team.owner.api.post("/api/public/changelog/toggle", { isPublic, workspaceId: team.workspaceId });
  expect((await toggle(true)).body).toEqual({ enabled: true });
  expect((await toggle(true)).body).toEqual({ enabled: true });
  expect((await toggle(false)).body).toEqual({ enabled: false });
  expect(await toggle("yes")).toMatchObject({ status: 422, body: { fields: { isPublic: "isPublic must be true or false" } } });
});
