import { randomUUID } from "node:crypto";
import { describe, expect, inject, test } from "vitest";
import { newPerson, newTeam, signToken, sql } from "./support/people.ts";

const { url, publishableKey, secretKey } = inject("stack");

async function call(authorization: string | null, { apikey = publishableKey, name = "my_workspaces" } = {}) {
  const answer = await fetch(`${url}/rest/v1/rpc/${name}`, {
    method: "POST",
    headers: { "content-type": "application/json", apikey, ...(authorization !== null && { authorization }) },
    body: "{}",
  });
  return { status: answer.status, body: (await answer.json()) as { code?: string; id?: string }[] & { code?: string } };
}

const now = () => Math.floor(Date.now() / 1_000);
const unsigned = (claims: object) =>
  `${[{ alg: "none", typ: "JWT" }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".")}.x`;

describe("the token of a call past /api", () => {
  test("identifies the user, who sees their own data", async () => {
    const [one, other] = [await newTeam(), await newTeam()];
    const seen = async (token: string) => (await call(`Bearer ${token}`)).body.map(({ id }) => id);
    expect(await seen(one.owner.token)).toEqual([one.workspaceId]);
    expect(await seen(other.owner.token)).toEqual([other.workspaceId]);
  });

  test.each<[string, (sub: string) => string]>([
    ["signed with another secret", (sub) => signToken({ sub }, { secret: "somebody-elses-secret-that-is-long-enough" })],
    ["not signed", (sub) => unsigned({ sub, role: "authenticated", exp: now() + 3_600 })],
    ["of another algorithm", (sub) => signToken({ sub }, { header: { alg: "HS512", typ: "JWT" } })],
    ["that has expired", (sub) => signToken({ sub, exp: now() - 60 })],
    ["of the future", (sub) => signToken({ sub, iat: now() + 3_600 })],
    ["that is three words", () => "a.b.c"],
  ])("is refused when it is one %s", async (_, tokenOf) => {
    const { owner } = await newTeam();
    const { status, body } = await call(`Bearer ${tokenOf(owner.id)}`);
    expect([status, body.code]).toEqual([401, expect.stringMatching(/^PGRST30[13]$/)]);
  });

  test.each<[string, (person: { id: string; token: string }) => Promise<string>]>([
    ["whose session has ended", async ({ id, token }) => (await sql`delete from auth.sessions where user_id = ${id}`, token)],
    ["whose account is gone", async ({ id, token }) => (await sql`delete from auth.users where id = ${id}`, token)],
    ["of an unknown session", async ({ id }) => signToken({ sub: id, session_id: randomUUID() })],
    ["of an unknown user", async () => signToken({ sub: "00000000-0000-0000-0000-000000000000" })],
  ])("has no rights when it is one %s", async (_, tokenOf) => {
    const person = await newPerson();
    const { status, body } = await call(`Bearer ${await tokenOf(person)}`);
    expect([status, body]).toEqual([400, expect.objectContaining({ hint: "unauthenticated" })]);
  });

  test("has no rights without a user", async () => {
    const { owner } = await newTeam();
    expect(await call(`Bearer ${signToken({ sub: undefined, session_id: owner.id })}`)).toEqual({ status: 200, body: [] });
  });

  test.each([
    ["no token at all", null],
    ["the publishable key in its place", `Bearer ${publishableKey}`],
    ["a string with a key's prefix", "Bearer sb_a.b.c"],
  ])("%s is anon, without the right to call", async (_, authorization) => {
    const { status } = await call(authorization);
    expect(status).toBe(401);
  });

  test("a server's key can call server functions, and a user's token beside it acts as the user", async () => {
    const { owner } = await newTeam();
    expect((await call(`Bearer ${secretKey}`, { apikey: secretKey, name: "work_jobs" })).status).toBe(200);
    expect((await call(`Bearer ${owner.token}`, { apikey: secretKey, name: "work_jobs" })).status).toBe(403);
    expect((await call(`Bearer ${owner.token}`, { name: "work_jobs" })).status).toBe(403);
  });
});
