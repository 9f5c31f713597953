import { expect, inject, test } from "vitest";
import { profileEndpoints } from "#contract/profile.ts";
import { as, Client } from "./support/client.ts";
import { newKey, newTeam, signedInBrowser } from "./support/people.ts";

const { url } = inject("stack");
const address = (since: string) => `/api/profiles/me/access?since=${encodeURIComponent(since)}`;
const longAgo = "2026-01-01T00:00:00Z";

test("a person sees what acts for them and ends it in one step: the key is refused, a colleague's goes on", async () => {
  const team = await newTeam();
  const [mine, other] = [await newKey(team.owner, team.workspaceId), await newKey(team.admin, team.workspaceId)];
  const browser = await signedInBrowser(team.owner);
  const { access } = as(profileEndpoints.access, await browser.get(address(longAgo)));
  expect(access.map(({ kind, workspace_id }) => [kind, workspace_id])).toEqual([["api_key", team.workspaceId]]);
  const call = async (secret: string) => (await new Client(url, secret).get("/api/v1/key")).status;
  expect([await call(mine.secret), await call(other.secret)]).toEqual([200, 200]);
  expect((await browser.delete(address(longAgo))).body).toEqual({ success: true, ended: 1 });
  expect([await call(mine.secret), await call(other.secret)]).toEqual([401, 200]);
  expect((await browser.get(address(longAgo))).body).toEqual({ access: [] });
});

test("a moment that is none is refused, and so is who is not signed in any more", async () => {
  const { owner } = await newTeam();
  const browser = await signedInBrowser(owner);
  expect((await browser.get(address("yesterday"))).status).toBe(422);
  expect((await browser.delete("/api/profiles/me/access")).status).toBe(422);
  const kept = new Client(url);
  for (const [name, value] of browser.cookies) kept.cookies.set(name, value);
  await browser.post("/api/auth/logout");
  expect((await kept.get(address(longAgo))).status).toBe(401);
  expect((await kept.delete(address(longAgo))).status).toBe(401);
});
