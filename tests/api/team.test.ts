import { randomUUID } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { teamEndpoints } from "#contract/team.ts";
import { as } from "./support/client.ts";
import { newPerson, newTeam, type Team } from "./support/people.ts";

let team: Team;
beforeEach(async () => {
  team = await newTeam();
});

const at = (rest: string) => `/api/team/${team.workspaceId}${rest}`;
const roles = async () => {
  const { members } = as(teamEndpoints.members, await team.owner.api.get(at("/team")));
  return Object.fromEntries(members.map(({ full_name, role }) => [full_name, role]));
};

test("the account call returns the workspace", async () => {
  const answer = await team.viewer.api.get(`/api/team/workspace/${team.workspaceId}/account`);
  expect(as(teamEndpoints.account, answer)).toEqual({ accountId: team.workspaceId });
});

test("both role calls return the same", async () => {
  for (const role of ["owner", "admin", "editor", "viewer"] as const)
    for (const path of [at("/role"), `/api/team/role/${team.workspaceId}`]) expect((await team[role].api.get(path)).body).toEqual({ role });
});

test("the members are listed with names and addresses, the owner first", async () => {
  const { members } = as(teamEndpoints.members, await team.admin.api.get(at("/team")));
  expect(members.map(({ full_name, role }) => `${full_name}, ${role}`)).toEqual([
    "Olive Owner, owner",
    "Adam Admin, admin",
    "Edda Editor, editor",
    "Vera Viewer, viewer",
  ]);
  expect(members[0]).toMatchObject({ user_id: team.owner.id, email: team.owner.email, avatar_url: null });
});

test("the owner changes roles, but not their own, nor to admin or owner", async () => {
  const setRole = (memberId: string, role: unknown) => team.owner.api.patch(at(`/members/${memberId}/role`), { role });
  expect(as(teamEndpoints.setRole, await setRole(team.editor.id, "viewer")).member).toEqual({ user_id: team.editor.id, role: "viewer" });
  expect(await setRole(team.owner.id, "viewer")).toMatchObject({ status: 409, body: { code: "owner_required" } });
  for (const role of ["owner", "admin", "boss", undefined])
    expect(await setRole(team.editor.id, role)).toMatchObject({
      status: 422,
      body: { fields: { role: "Please choose editor or viewer" } },
    });
  expect((await setRole(randomUUID(), "viewer")).status).toBe(404);
  expect(await roles()).toEqual({ "Olive Owner": "owner", "Adam Admin": "admin", "Edda Editor": "viewer", "Vera Viewer": "viewer" });
});

test("every member can leave, the owner after a transfer to a member", async () => {
  expect((await team.viewer.api.post(at("/leave"))).body).toEqual({ success: true });
  expect(await team.owner.api.post(at("/leave"))).toMatchObject({ status: 409, body: { code: "owner_required" } });
  expect((await team.owner.api.post(at("/owner"), { memberId: (await newPerson()).id })).status).toBe(404);
  expect((await team.owner.api.post(at("/owner"), { memberId: team.editor.id })).body).toEqual({ success: true });
  expect((await team.editor.api.get(at("/role"))).body).toEqual({ role: "owner" });
  expect((await team.owner.api.get(at("/role"))).body).toEqual({ role: "admin" });
  expect((await team.owner.api.post(at("/leave"))).status).toBe(200);
  expect((await team.owner.api.get(at("/role"))).status).toBe(404);
});
