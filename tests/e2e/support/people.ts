import type { Role } from "#contract/limits.ts";
import { confirmationLink, newPerson, type Person } from "./journey.ts";
import { expect, type Page } from "./test.ts";

/** Posts as the page's own session would. */
async function post<Answer>(page: Page, path: string, data: object, status = 201): Promise<Answer> {
  const origin = new URL((await page.request.get("/api/config")).url()).origin;
  const answer = await page.request.post(path, { headers: { origin }, data });
  expect(answer.status(), `${path}: ${await answer.text()}`).toBe(status);
  return (await answer.json()) as Answer;
}

/** Somebody with a confirmed address and a session in this page, made through the API: for tests that are about what comes after. */
export async function enter(page: Page, who: string | Person): Promise<Person> {
  const person = typeof who === "string" ? newPerson(who) : who;
  const { fullName, email, password } = person;
  await post(page, "/api/auth/signup", { fullName, email, password, companyName: person.company });
  const link = new URL(await confirmationLink(page, email));
  await post(page, "/api/auth/verify", { token_hash: link.searchParams.get("token_hash"), type: "signup" }, 200);
  return person;
}

/** A workspace of the page's person; answers its id. */
export async function found(page: Page, name: string, subdomain = `in-${crypto.randomUUID().slice(0, 13)}`): Promise<string> {
  const input = { name, subdomain, origin: "https://acme.example.com", jobTitle: "Editor" };
  return (await post<{ workspace: { id: string } }>(page, "/api/workspaces/create", input)).workspace.id;
}

/** Somebody with a session in this page and a workspace, as sign-up, mail and onboarding would leave them. */
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

/** An invitation's link, as its maker would hand it on. */
export async function invite(page: Page, workspaceId: string, terms: Terms = {}): Promise<string> {
  const { invite } = await post<{ invite: { url: string } }>(page, `/api/team/${workspaceId}/invites`, { role: "editor", ...terms });
  return invite.url;
}
