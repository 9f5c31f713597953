import { randomUUID } from "node:crypto";
import postgres from "postgres";
import type { Role } from "#contract/kinds.ts";
import { sessionCookie } from "#contract/session-cookies.ts";
import { makeAccount, makeSession } from "../../support/account.ts";
import { signToken } from "../../support/token.ts";
import { newPerson, type Person } from "./journey.ts";
import { expect, type Page, workerStack } from "./test.ts";

async function post<Answer>(page: Page, path: string, data: object): Promise<Answer> {
  const answer = await page.request.post(path, { headers: { origin: workerStack().publicUrl }, data });
  expect(answer.status(), `${path}: ${await answer.text()}`).toBe(201);
  return (await answer.json()) as Answer;
}

export async function enter(page: Page, who: string | Person): Promise<Person> {
  const person = typeof who === "string" ? newPerson(who) : who;
  const { publicUrl, dbUrl, jwtSecret } = workerStack();
  const [id, session] = [randomUUID(), randomUUID()];
  const sql = postgres(dbUrl, { max: 1, onnotice: () => {} });
  await makeAccount(sql, id, { ...person, companyName: person.company });
  const refreshToken = await makeSession(sql, id, session, await page.evaluate(() => navigator.userAgent));
  await sql.end();
  const data = { full_name: person.fullName, company_name: person.company };
  const user = {
    id,
    aud: "authenticated",
    role: "authenticated",
    email: person.email,
    app_metadata: { provider: "email" },
    user_metadata: data,
  };
  const now = Math.floor(Date.now() / 1_000);
  const stored = {
    access_token: signToken({ jwtSecret }, { sub: id, email: person.email, session_id: session }),
    refresh_token: refreshToken,
    token_type: "bearer",
    expires_in: 3_600,
    expires_at: now + 3_600,
    user,
  };
  const value = `base64-${Buffer.from(JSON.stringify(stored)).toString("base64url")}`;
  const secure = publicUrl.startsWith("https:");
  await page.context().addCookies([{ name: sessionCookie, value, url: publicUrl, sameSite: "Lax", secure, expires: now + 400 * 86_400 }]);
  return person;
}

export async function found(page: Page, name: string, subdomain = `in-${crypto.randomUUID().slice(0, 13)}`): Promise<string> {
  const input = { name, subdomain, origin: "https://acme.example.com", jobTitle: "Editor" };
  return (await post<{ workspace: { id: string } }>(page, "/api/workspaces/create", input)).workspace.id;
}

export async function newWorkspace(page: Page, name: string, subdomain: string): Promise<{ person: Person; workspaceId: string }> {
  const person = await enter(page, name);
  return { person, workspaceId: await found(page, `${name}'s company`, subdomain) };
}

export const dashboardOf = (workspaceId: string): RegExp => new RegExp(`/workspace/${workspaceId}/dashboard$`);

interface Terms {
  role?: Role;
  email?: string;
  expires_at?: string;
}

export async function invite(page: Page, workspaceId: string, terms: Terms = {}): Promise<string> {
  const { invite } = await post<{ invite: { url: string } }>(page, `/api/team/${workspaceId}/invites`, { role: "editor", ...terms });
  return invite.url;
}
