import { beforeEach, describe, expect, inject, test } from "vitest";
import { profileEndpoints } from "#contract/profile.ts";
import { as, Client } from "./support/client.ts";
import { caughtMails } from "./support/mails.ts";
import { newPerson, password, type Person, signToken, sql } from "./support/people.ts";
import { keepSession, sessionOf } from "./support/session-cookie.ts";

const { url } = inject("stack");
const phone = "Mozilla/5.0 (Linux; Android 16) Chrome/140.0 Mobile";
const desk = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0";

let ada: Person;
beforeEach(async () => {
  ada = await newPerson();
  await sql`delete from auth.sessions where user_id = ${ada.id}`;
});

async function signIn(browser: string, person = ada): Promise<Client> {
  const client = new Client(url);
  const answer = await client.post("/api/auth/login", { email: person.email, password }, { headers: { "user-agent": browser } });
  expect(answer.status).toBe(200);
  return client;
}
const sessionsOf = async (client: Client) => as(profileEndpoints.sessions, await client.get("/api/profiles/me/sessions")).sessions;

function expire(browser: Client): void {
  const session = sessionOf(browser);
  const claims = JSON.parse(Buffer.from(session.access_token.split(".")[1]!, "base64url").toString()) as Record<string, unknown>;
  keepSession(browser, { ...session, access_token: signToken({ ...claims, exp: Math.floor(Date.now() / 1_000) - 60 }) });
}
const stillIn = async (browser: Client) => {
  expire(browser);
  return (await browser.get("/api/profiles/me")).status === 200;
};

describe("a user's sessions", () => {
  test("show the browsers they started in, the current one first", async () => {
    await signIn(phone);
    const here = await signIn(desk);
    const sessions = await sessionsOf(here);
    expect(sessions.map(({ user_agent, current }) => [user_agent, current])).toEqual([
      [desk, true],
      [phone, false],
    ]);
  });

  test("end one by one: an ended one can't be refreshed, others can", async () => {
    const [lost, kept, here] = [await signIn(phone), await signIn(phone), await signIn(desk)];
    const one = (await sessionsOf(lost)).find(({ current }) => current)!;
    expect((await here.delete(`/api/profiles/me/sessions/${one.id}`)).body).toEqual({ success: true });
    expect(await stillIn(lost)).toBe(false);
    expect(await stillIn(kept)).toBe(true);
    expect(await stillIn(here)).toBe(true);
    expect((await here.delete(`/api/profiles/me/sessions/${one.id}`)).status).toBe(404);
  });

  const isIn = async (browser: Client) => (await browser.get("/api/workspaces")).status === 200;

  test("end all at once except the current one", async () => {
    const [lost, here] = [await signIn(phone), await signIn(desk)];
    await here.delete("/api/profiles/me/sessions");
    expect([await isIn(lost), await isIn(here)]).toEqual([false, true]);
  });

  test("have no rights after signing out, even with a kept cookie", async () => {
    const browser = await signIn(desk);
    const kept = new Client(url);
    for (const [name, value] of browser.cookies) kept.cookies.set(name, value);
    expect(await isIn(kept)).toBe(true);
    await browser.post("/api/auth/logout");
    expect(await isIn(kept)).toBe(false);
  });

  test("have no rights after the password was reset by email", async () => {
    const lost = await signIn(phone);
    await new Client(url).post("/api/auth/reset", { email: ada.email });
    const [mailed] = await caughtMails(ada.email);
    const owner = new Client(url);
    const link = new URL(mailed!.links[0]!);
    const verified = await owner.post("/api/auth/verify", { token_hash: link.searchParams.get("token_hash"), type: "recovery" });
    expect(verified.status).toBe(200);
    const changed = await owner.put("/api/profiles/me/password", { password: "another horse battery" });
    expect(changed.status).toBe(200);
    expect(owner.lastCookies).toContainEqual(expect.stringMatching(/^tc-reset=; Max-Age=0; Path=\/api\/profiles; HttpOnly; SameSite=Lax$/));
    expect((await owner.put("/api/profiles/me/password", { password: "a third horse battery" })).status).toBe(422);
    expect([await isIn(lost), await isIn(owner)]).toEqual([false, true]);
  });
});
