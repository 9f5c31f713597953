import { beforeAll, expect, inject, test } from "vitest";
import { workspaceExport } from "#contract/workspace-export.ts";
import { Client } from "./support/client.ts";
import { newInvite, newPerson, newPost, newTeam, signedInBrowser, type Team } from "./support/people.ts";

let team: Team;
let path: string;
beforeAll(async () => {
  team = await newTeam();
  path = `/api/workspaces/${team.workspaceId}/export`;
  await newPost(team.editor, team.workspaceId, { title: "Öffentlich", status: "published" });
});

test("the owner gets everything of the workspace as a file, by token and by cookie", async () => {
  const { token } = await newInvite(team.owner, team.workspaceId);
  for (const owner of [team.owner.api, await signedInBrowser(team.owner)]) {
    const answer = await owner.get(path);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("application/json");
    const today = new Date().toISOString().slice(0, 10);
    expect(answer.headers.get("content-disposition")).toBe(`attachment; filename="tidings-${team.subdomain}-${today}.json"`);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const data = workspaceExport.parse(answer.body);
    expect(data.workspace).toMatchObject({ id: team.workspaceId, subdomain: team.subdomain });
    expect(data.posts.map(({ title }) => title)).toEqual(["Öffentlich"]);
    expect(data.members).toHaveLength(4);
    expect(JSON.stringify(data)).not.toMatch(new RegExp(`token|hash|${token}`));
  }
});

test("nobody else gets a byte of it", async () => {
  const people = { admin: team.admin, editor: team.editor, viewer: team.viewer };
  for (const [role, { api }] of Object.entries(people)) {
    const { status, headers, body } = await api.get(path);
    expect([role, status, body.code, headers.get("content-disposition")]).toEqual([role, 403, "forbidden", null]);
  }
  const stranger = await (await newPerson()).api.get(path);
  expect([stranger.status, stranger.body.code]).toEqual([404, "not_found"]);
  const nobody = await new Client(inject("stack").url).get(path);
  expect([nobody.status, nobody.body.code]).toEqual([401, "unauthenticated"]);
});
