import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { type RunningStack, startStack } from "../support/stack.ts";
import { password } from "../api/support/people.ts";

/** `npm run dev:supabase` in front of a stack with GoTrue, like `supabase start`. */
const project = inject("stack");
let dev: RunningStack;

beforeAll(async () => {
  const { url, ownerUrl, publishableKey, secretKey, jwtSecret } = project;
  const settings = {
    SUPABASE_URL: url,
    SUPABASE_DB_URL: ownerUrl,
    SUPABASE_PUBLISHABLE_KEY: publishableKey,
    SUPABASE_SECRET_KEY: secretKey,
  };
  dev = await startStack({ args: ["dev:supabase"], env: { ...settings, JWT_SECRET: jwtSecret, TIDINGS_AUTH: "" } });
}, 120_000);
afterAll(() => dev.stop());

async function send<Answer>(path: string, body: object, token?: string): Promise<Answer> {
  const headers = { "content-type": "application/json", origin: dev.publicUrl, ...(token && { authorization: `Bearer ${token}` }) };
  const answer = await fetch(dev.url + path, {
    method: "POST",
    headers: { apikey: project.publishableKey, ...headers },
    body: JSON.stringify(body),
  });
  expect([path, answer.status]).toEqual([path, expect.toBeOneOf([200, 201])]);
  return (await answer.json()) as Answer;
}

test("a person signs up, confirms the address, and publishes a post that a reader sees", async () => {
  const email = `${randomUUID()}@example.com`;
  await send("/api/auth/signup", { email, password, fullName: "Dev Eloper" });
  const mails = (await (await fetch(`${project.url}/dev/mail.json`)).json()) as { to: string; links: string[] }[];
  const link = mails.find(({ to }) => to === email)?.links.find((each) => each.includes("token_hash="));
  const spent = { type: "signup", token_hash: new URL(link!).searchParams.get("token_hash") };
  const { access_token: token } = await send<{ access_token: string }>("/auth/v1/verify", spent);
  const subdomain = `d${randomUUID().slice(0, 8)}`;
  const company = { name: "Dev", subdomain, origin: "https://dev.example", jobTitle: "Developer" };
  const { workspace } = await send<{ workspace: { id: string } }>("/api/workspaces/create", company, token);
  const on = await fetch(`${dev.url}/rest/v1/rpc/change_workspace`, {
    method: "POST",
    headers: { apikey: project.publishableKey, authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ workspace_id: workspace.id, changes: { public_changelog_enabled: true } }),
  });
  expect(on.ok, await on.text()).toBe(true);
  const blocks = [{ type: "paragraph", data: { text: "Written on a local Supabase." } }];
  const input = { title: "Hello", blocks, workspace_id: workspace.id, status: "published" };
  const { post } = await send<{ post: { slug: string } }>("/api/posts", input, token);
  const page = await fetch(`${dev.url}/releases/${post.slug}?workspace=${subdomain}`);
  expect([page.status, (await page.text()).includes("Written on a local Supabase.")]).toEqual([200, true]);
});
