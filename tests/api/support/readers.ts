import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { caughtMails, type CaughtMail } from "./mails.ts";
import { type Person, sql } from "./people.ts";
import { openWorkspace, sendForm } from "./public.ts";

const waiting = { timeout: 20_000, interval: 200 };

export const newAddress = (): string => `${randomUUID()}@reader.example`;

export async function mailTo(address: string, count = 1): Promise<CaughtMail> {
  await expect.poll(async () => (await caughtMails(address)).length, waiting).toBeGreaterThanOrEqual(count);
  return (await caughtMails(address))[0]!;
}

const ownPath = ({ links }: Pick<CaughtMail, "links">): string => new URL(links.find((link) => link.includes("/subscription/"))!).pathname;

export async function askToBeTold(subdomain: string, email: string, more: [string, string][] = []): Promise<string> {
  expect(await sendForm(subdomain, "/releases/subscribe", [["email", email], ...more])).toMatchObject({
    status: 303,
    headers: { location: "/releases/subscribe.html?asked=1" },
  });
  return ownPath(await mailTo(email));
}

export async function newReader(subdomain: string, more: [string, string][] = []): Promise<{ email: string; path: string }> {
  const email = newAddress();
  const path = await askToBeTold(subdomain, email, more);
  expect((await sendForm(subdomain, path, [["action", "confirm"]])).status).toBe(303);
  return { email, path };
}

export async function mailingWorkspace(owner: Person): Promise<{ id: string; subdomain: string }> {
  const workspace = await openWorkspace(owner);
  await sql`update public.mail_settings set undo_minutes = 0 where workspace_id = ${workspace.id}`;
  return workspace;
}
