import { beforeEach, describe, expect, inject, test } from "vitest";
import { profileEndpoints } from "#contract/profile.ts";
import { as, Client } from "./support/client.ts";
import { newPerson, password, type Person, signToken } from "./support/people.ts";

const { url } = inject("stack");
const phone = "Mozilla/5.0 (Linux; Android 16) Chrome/140.0 Mobile";
const desk = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0";

let ada: Person;
beforeEach(async () => {
  ada = await newPerson();
});

async function signIn(browser: string, person = ada): Promise<Client> {
  const client = new Client(url);
  const answer = await client.post("/api/auth/login", { email: person.email, password }, { headers: { "user-agent": browser } });
  expect(answer.status).toBe(200);
  return client;
}
const sessionsOf = async (client: Client) => as(profileEndpoints.sessions, await client.get("/api/profiles/me/sessions")).sessions;

/** The browser's session as if its token had just ended, so that the next call needs a renewal. */
function expire(browser: Client): void {
  const cookie = browser.cookies.get("tc-auth")!;
  const session = JSON.parse(Buffer.from(cookie.slice("base64-".length), "base64url").toString()) as Record<string, unknown>;
  const claims = JSON.parse(Buffer.from(String(session.access_token).split(".")[1]!, "base64url").toString()) as Record<string, unknown>;
  const ended = { ...session, access_token: signToken({ ...claims, exp: Math.floor(Date.now() / 1_000) - 60 }) };
  browser.cookies.set("tc-auth", `base64-${Buffer.from(JSON.stringify(ended)).toString("base64url")}`);
}
const stillIn = async (browser: Client) => {
  expire(browser);
  return (await browser.get("/api/profiles/me")).status === 200;
};

describe("a person's sessions", () => {
  test("name the browsers they began in, this one first", async () => {
    await signIn(phone);
    const here = await signIn(desk);
    const sessions = await sessionsOf(here);
    expect(sessions.map(({ user_agent, current }) => [user_agent, current])).toEqual([
      [desk, true],
      [phone, false],
    ]);
  });

  test("name the browser that renewed them last", async () => {
    const here = await signIn(desk);
    expire(here);
    await here.get("/api/profiles/me", { headers: { "user-agent": phone } });
    expect((await sessionsOf(here)).map(({ user_agent }) => user_agent)).toEqual([phone]);
  });

  test("end one by one: what was ended is not renewed, the others are", async () => {
    const [lost, kept, here] = [await signIn(phone), await signIn(phone), await signIn(desk)];
    const one = (await sessionsOf(lost)).find(({ current }) => current)!;
    expect((await here.delete(`/api/profiles/me/sessions/${one.id}`)).body).toEqual({ success: true });
    expect(await stillIn(lost)).toBe(false);
    expect(await stillIn(kept)).toBe(true);
    expect(await stillIn(here)).toBe(true);
    expect((await here.delete(`/api/profiles/me/sessions/${one.id}`)).status).toBe(404);
  });

  test("end all at once but for this one", async () => {
    const [lost, here] = [await signIn(phone), await signIn(desk)];
    const other = await newPerson("Bob Bystander");
    const bobs = await signIn(phone, other);
    expect((await here.delete("/api/profiles/me/sessions")).body).toEqual({ success: true });
    expect(await stillIn(lost)).toBe(false);
    expect(await stillIn(here)).toBe(true);
    expect(await stillIn(bobs)).toBe(true);
    expect(await sessionsOf(here)).toHaveLength(1);
  });

  test("are nobody else's to see or to end", async () => {
    const mine = await signIn(desk);
    const [session] = await sessionsOf(mine);
    const other = await signIn(phone, await newPerson("Eve"));
    expect((await sessionsOf(other)).map(({ id }) => id)).not.toContain(session!.id);
    expect((await other.delete(`/api/profiles/me/sessions/${session!.id}`)).status).toBe(404);
    expect(await stillIn(mine)).toBe(true);
  });
});
