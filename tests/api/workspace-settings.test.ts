import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { profileEndpoints } from "#contract/profile.ts";
import { tagEndpoints } from "#contract/tag-endpoints.ts";
import { widgetEndpoints } from "#contract/widget-endpoints.ts";
import { workspaceEndpoints } from "#contract/workspaces.ts";
import { as } from "./support/client.ts";
import { newTeam, type Team } from "./support/people.ts";

let team: Team;

describe("the widget's settings", () => {
  beforeEach(async () => {
    team = await newTeam();
  });
  const path = () => `/api/widget-settings/${team.workspaceId}`;
  const read = async () => as(widgetEndpoints.read, await team.viewer.api.get(path())).settings;
  const save = (body: unknown) => team.admin.api.post(path(), body);

  test("are {} until they are saved", async () => {
    expect(await read()).toEqual({});
  });

  test("can be sent as plain groups", async () => {
    expect(as(widgetEndpoints.save, await save({ behaviour: { delay: 5_000 } })).settings).toEqual({ behaviour: { delay: 5_000 } });
  });
});

describe("a workspace", () => {
  beforeEach(async () => {
    team = await newTeam();
  });
  const path = () => `/api/workspaces/${team.workspaceId}`;
  const change = (body: unknown) => team.admin.api.patch<{ workspace: unknown }>(path(), body);

  test("is renamed, and gets another website and widget origins; absent fields stay", async () => {
    const { workspace } = as(workspaceEndpoints.update, await change({ name: "  Acme  Inc " }));
    expect(workspace).toMatchObject({
      name: "Acme Inc",
      origin: "https://acme.example",
      allowed_origins: ["https://acme.example"],
      role: "admin",
    });
    const origins = ["https://shop.acme.example", "http://localhost:5173", "https://shop.acme.example"];
    expect((await change({ allowed_origins: origins, origin: "https://new.acme.example/path" })).body.workspace).toMatchObject({
      name: "Acme Inc",
      origin: "https://new.acme.example/path",
      allowed_origins: origins.slice(0, 2),
    });
  });

  test("is deleted by typing its name, for everyone", async () => {
    const remove = (name: unknown) => team.owner.api.send("DELETE", path(), { body: { name } });
    for (const name of ["acme", "", undefined, "Acm"])
      expect(await remove(name)).toMatchObject({ status: 422, body: { fields: { name: "Please type the workspace's name" } } });
    expect((await remove("Acme")).body).toEqual({ success: true });
    for (const person of [team.owner, team.viewer]) {
      expect((await person.api.get(`/api/team/role/${team.workspaceId}`)).status).toBe(404);
      expect((await person.api.get("/api/workspaces")).body).toEqual({ workspaces: [] });
    }
    const again = { name: "Acme", subdomain: team.subdomain, origin: "https://acme.example", jobTitle: "Engineer" };
    expect((await team.owner.api.post("/api/workspaces/create", again)).body.code).toBe("subdomain_taken");
  });
});

describe("tags", () => {
  beforeAll(async () => {
    team = await newTeam();
  });
  const path = () => `/api/workspaces/${team.workspaceId}/tags`;
  const list = async () => as(tagEndpoints.list, await team.viewer.api.get(path())).tags;

  test("are the four defaults, then its own", async () => {
    const { tag } = as(tagEndpoints.create, await team.editor.api.post(path(), { label: " Big  News ", colour: "red" }));
    expect(tag).toEqual({ key: "big-news", label: "Big News", colour: "red" });
    expect((await list()).map(({ key }) => key)).toEqual(["feature", "improvement", "fix", "docs", "big-news"]);
  });
});

describe("one's profile", () => {
  test("has a name and a job title that can be changed, and nothing else", async () => {
    const { owner } = await newTeam();
    const forged = { user_id: "x", email: "other@example.com", avatar_url: "https://evil.example" };
    const { profile } = as(profileEndpoints.update, await owner.api.patch("/api/profiles/me", { fullName: " Olive  Oil ", ...forged }));
    expect(profile).toMatchObject({
      user_id: owner.id,
      full_name: "Olive Oil",
      job_title: "Engineer",
      email: owner.email,
      avatar_url: null,
    });
    const answer = await owner.api.patch("/api/profiles/me", { jobTitle: "Founder" });
    expect(answer.body.profile).toMatchObject({ full_name: "Olive Oil", job_title: "Founder" });
    const without = await owner.api.patch("/api/profiles/me", { jobTitle: null });
    expect(without.body.profile).toMatchObject({ full_name: "Olive Oil", job_title: null });
    for (const body of [{}, { fullName: "" }, { jobTitle: 7 }, { jobTitle: " " }, { fullName: "x".repeat(121) }])
      expect((await owner.api.patch("/api/profiles/me", body)).status).toBe(422);
  });
});
