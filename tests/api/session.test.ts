import { decodeJwt } from "jose";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { Client } from "./support/client.ts";
import { newPerson, type Person, signedInBrowser, sql } from "./support/people.ts";
import { age, cookieNames, keepSession, sessionCookieOf, sessionOf } from "./support/session-cookie.ts";

const { url } = inject("stack");
let ada: Person;

beforeAll(async () => {
  ada = await newPerson();
});

describe("the session cookie", () => {
  test("is set by a sign-in, for all paths, SameSite=Lax, and persistent", async () => {
    const browser = await signedInBrowser(ada);
    expect(cookieNames(browser)).toEqual(["tc-auth"]);
    for (const [name, value] of browser.cookies)
      expect(browser.lastCookies).toContain(`${name}=${value}; Max-Age=34560000; Path=/; SameSite=Lax`);
    expect(sessionCookieOf(browser)).toMatch(/^base64-[\w-]+$/);
    expect((await browser.get("/api/profiles/me")).status).toBe(200);
  });

  test("ends with the browser without 'Remember me', also after a refresh", async () => {
    const browser = await signedInBrowser(ada, { remember: false });
    expect(browser.lastCookies.join("\n")).not.toMatch(/max-age|expires/i);
    age(browser);
    expect((await browser.get("/api/profiles/me")).status).toBe(200);
    expect(browser.lastCookies.join("\n")).toMatch(/^tc-auth(\.\d)?=base64-/m);
    expect(browser.lastCookies.join("\n")).not.toMatch(/max-age|expires/i);
  });
});

describe("a session near its end", () => {
  test("is refreshed during a request, and the browser gets the new one", async () => {
    const browser = await signedInBrowser(ada);
    age(browser);
    const before = sessionCookieOf(browser);
    expect((await browser.get("/api/profiles/me")).status).toBe(200);
    const after = sessionOf(browser);
    expect(sessionCookieOf(browser)).not.toBe(before);
    expect(Number(after.expires_at) - Date.now() / 1_000).toBeGreaterThan(3_000);
  });

  test("is refreshed once for concurrent requests", async () => {
    const browser = await signedInBrowser(ada);
    age(browser);
    const tokens = () => sql`select count(*)::int as count from auth.refresh_tokens where user_id::text = ${ada.id}`;
    const [before] = await tokens();
    const same = sessionOf(browser);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => {
        const tab = new Client(url);
        keepSession(tab, same);
        return tab.get("/api/profiles/me").then((answer) => ({ status: answer.status, cookie: sessionCookieOf(tab) }));
      }),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(new Set(answers.map(({ cookie }) => cookie)).size).toBe(1);
    const [after] = await tokens();
    expect(after!.count - before!.count).toBe(1);
  });

  test("works after its token expired, until its refresh token is gone too", async () => {
    const browser = await signedInBrowser(ada);
    age(browser, -60);
    expect((await browser.get("/api/profiles/me")).status).toBe(200);
    const [session] = await sql`select id from auth.sessions where user_id = ${ada.id} order by created_at desc limit 1`;
    await sql`delete from auth.sessions where id = ${session!.id}`;
    age(browser, -60);
    const answer = await browser.get("/api/profiles/me");
    expect([answer.status, answer.body.code]).toEqual([401, "unauthenticated"]);
    expect(answer.headers.getSetCookie()).toEqual([]);
  });
});

describe("signing out", () => {
  const renewed = (refreshToken: unknown) =>
    fetch(`${url}/auth/v1/token?grant_type=refresh_token`, {
      method: "POST",
      headers: { apikey: inject("stack").publishableKey, "content-type": "application/json" },
      body: JSON.stringify({ refresh_token: refreshToken }),
    });
  const sessionIdOf = (browser: Client) => String(decodeJwt(sessionOf(browser).access_token).session_id);

  test("ends the session in the browser and at the auth service", async () => {
    const browser = await signedInBrowser(ada, { remember: false });
    const refreshToken = sessionOf(browser).refresh_token;
    expect((await browser.post("/api/auth/logout")).body).toEqual({ success: true });
    expect([...browser.cookies.keys()]).toEqual([]);
    expect((await renewed(refreshToken)).status).toBe(400);
  });

  test("works without a session", async () => {
    expect((await new Client(url).post("/api/auth/logout")).status).toBe(200);
  });

  test("ends a session with an expired token, so that a kept cookie is useless", async () => {
    const browser = await signedInBrowser(ada);
    const kept = new Client(url);
    keepSession(kept, sessionOf(browser));
    age(browser, -60);
    const rows = async () => (await sql`select from auth.sessions where id = ${sessionIdOf(kept)}`).length;
    expect(await rows()).toBe(1);
    expect((await browser.post("/api/auth/logout")).body).toEqual({ success: true });
    expect(cookieNames(browser)).toEqual([]);
    expect(await rows()).toBe(0);
    expect((await renewed(sessionOf(kept).refresh_token)).status).toBe(400);
    expect((await kept.get("/api/profiles/me")).status).toBe(401);
    age(kept, -60);
    expect((await kept.get("/api/profiles/me")).status).toBe(401);
  });

  test.each([20, -60])("works for a session ended elsewhere, with a token that ends in %i s", async (seconds) => {
    const browser = await signedInBrowser(ada);
    await sql`delete from auth.sessions where id = ${sessionIdOf(browser)}`;
    age(browser, seconds);
    expect((await browser.post("/api/auth/logout")).body).toEqual({ success: true });
    expect(cookieNames(browser)).toEqual([]);
  });

  test("with an expired bearer token answers that it ended nothing", async () => {
    const browser = await signedInBrowser(ada);
    const id = sessionIdOf(browser);
    age(browser, -60);
    const headers = { authorization: `Bearer ${sessionOf(browser).access_token}` };
    expect((await new Client(url).post("/api/auth/logout", undefined, { headers })).body.code).toBe("unauthenticated");
    expect(await sql`select from auth.sessions where id = ${id}`).toHaveLength(1);
  });

  test("is refused for another site", async () => {
    const browser = await signedInBrowser(ada);
    expect((await browser.post("/api/auth/logout", undefined, { headers: { origin: "https://evil.example" } })).status).toBe(403);
    expect((await browser.get("/api/profiles/me")).status).toBe(200);
  });
});
