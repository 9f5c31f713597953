import { randomUUID } from "node:crypto";
import postgres from "postgres";
import { inject } from "vitest";
import type { z } from "zod";
import { type ApiKeyScope, apiKeyScopes } from "#contract/api-key-scopes.ts";
import type { ApiKey } from "#contract/api-keys.ts";
import type { Thread } from "#contract/comments.ts";
import type { Role } from "#contract/kinds.ts";
import type { PreviewLink, previewLinkInput } from "#contract/preview-links.ts";
import { makeAccount } from "../../support/account.ts";
import { signToken as signTokenOf } from "../../support/token.ts";
import { Client } from "./client.ts";

const stack = inject("stack");

export const sql = postgres(stack.dbUrl, { max: 2, onnotice: () => {} });

export const password = "correct horse battery";

export interface Person {
  id: string;
  email: string;
  fullName: string;
  token: string;
  api: Client;
}

export async function newPerson(fullName = "Ada Lovelace"): Promise<Person> {
  const id = randomUUID();
  const email = `${id}@example.com`;
  await makeAccount(sql, id, { email, fullName, password });
  await sql`insert into auth.sessions (id, user_id, created_at, updated_at) values (${id}, ${id}, now(), now())`;
  const token = signToken({ sub: id, email });
  return { id, email, fullName, token, api: new Client(stack.url, token) };
}

export function signToken(
  claims: Record<string, unknown>,
  { secret = stack.jwtSecret, header }: { secret?: string; header?: object } = {},
): string {
  return signTokenOf({ jwtSecret: secret }, claims, header);
}

export async function signedInBrowser(person: Pick<Person, "email">, options: { remember?: boolean } = {}): Promise<Client> {
  const browser = new Client(stack.url);
  const answer = await browser.post("/api/auth/login", { email: person.email, password, ...options });
  if (answer.status !== 200) throw new Error(`sign-in failed: ${JSON.stringify(answer.body)}`);
  return browser;
}

export interface Team {
  workspaceId: string;
  subdomain: string;
  owner: Person;
  admin: Person;
  editor: Person;
  viewer: Person;
}

export const newSubdomain = () => `team-${randomUUID().slice(0, 13)}`;

export async function newWorkspace(owner: Person, subdomain = newSubdomain()): Promise<{ id: string; subdomain: string }> {
  const body = { name: "Acme", subdomain, origin: "https://acme.example", jobTitle: "Engineer" };
  const answer = await owner.api.post<{ workspace: { id: string } }>("/api/workspaces/create", body);
  if (answer.status !== 201) throw new Error(`no workspace: ${JSON.stringify(answer.body)}`);
  return { id: answer.body.workspace.id, subdomain };
}

export async function newTeam(): Promise<Team> {
  const [owner, admin, editor, viewer] = await Promise.all(["Olive Owner", "Adam Admin", "Edda Editor", "Vera Viewer"].map(newPerson));
  const { id, subdomain } = await newWorkspace(owner!);
  const members: [Person, Role][] = [
    [admin!, "admin"],
    [editor!, "editor"],
    [viewer!, "viewer"],
  ];
  for (const [person, role] of members)
    await sql`insert into public.members (workspace_id, user_id, role) values (${id}, ${person.id}, ${role})`;
  return { workspaceId: id, subdomain, owner: owner!, admin: admin!, editor: editor!, viewer: viewer! };
}

export async function newInvite(
  person: Person,
  workspaceId: string,
  fields: Record<string, unknown> = {},
): Promise<{ id: string; token: string; url: string; role: string; email: string | null; expires_at: string }> {
  const path = `/api/team/${workspaceId}/invites`;
  const answer = await person.api.post<{ invite: Awaited<ReturnType<typeof newInvite>> }>(path, { role: "viewer", ...fields });
  if (answer.status !== 201) throw new Error(`no invitation: ${JSON.stringify(answer.body)}`);
  return answer.body.invite;
}

export const paragraph = (text: string) => ({ time: 0, blocks: [{ type: "paragraph", data: { text } }], version: "2.28.2" });

export interface ShownPost {
  id: string;
  title: string;
  status: string;
  version: number;
  slug: string;
  content_raw: string;
  content_md: string;
  tags: string[];
  publish_at: string | null;
  published_at: string | null;
}

export async function newPost(person: Person, workspaceId: string, fields: Record<string, unknown> = {}): Promise<ShownPost> {
  const body = { title: "Hello", blocks: paragraph("First words."), workspace_id: workspaceId, ...fields };
  const answer = await person.api.post<{ post: ShownPost }>("/api/posts", body);
  if (answer.status !== 201) throw new Error(`no post: ${JSON.stringify(answer.body)}`);
  return answer.body.post;
}

export async function newThread(person: Person, postId: string, fields: Record<string, unknown> = {}) {
  const answer = await person.api.post<{ thread: Thread }>(`/api/posts/${postId}/threads`, { text: "Is this so?", ...fields });
  if (answer.status !== 201) throw new Error(`no thread: ${JSON.stringify(answer.body)}`);
  return answer.body.thread;
}

export async function newSubscriber(workspaceId: string, email = `${randomUUID()}@reader.example`): Promise<string> {
  await sql`update public.workspaces set public_changelog_enabled = true where id = ${workspaceId}`;
  const [row] = await sql<{ id: string }[]>`
    insert into public.subscribers (workspace_id, email, status, confirmed_at) values (${workspaceId}, ${email}, 'active', now()) returning id`;
  return row!.id;
}

export async function newReview(team: Team, postId: string): Promise<{ reviewId: string; livePostId: string; proposalId: string }> {
  const { id: livePostId } = await newPost(team.owner, team.workspaceId, { status: "published", title: "Live", notify: false });
  const asked = await team.editor.api.post<{ review: { id: string } }>(`/api/posts/${postId}/reviews`, { version: 1 });
  const change = { version: 1, title: "Changed", tags: [], content_raw: JSON.stringify(paragraph("Other words.")) };
  const proposed = await team.editor.api.post<{ proposal: { id: string } }>(`/api/posts/${livePostId}/proposals`, change);
  if (asked.status !== 201 || proposed.status !== 201) throw new Error(`no review: ${JSON.stringify([asked.body, proposed.body])}`);
  return { reviewId: asked.body.review.id, livePostId, proposalId: proposed.body.proposal.id };
}

export async function newReportRecipient(workspaceId: string, email = `${randomUUID()}@named.example`): Promise<string> {
  await sql`insert into public.workspace_add_ons (workspace_id, add_on) values (${workspaceId}, 'reports') on conflict do nothing`;
  const [row] = await sql<{ id: string }[]>`
    insert into private.report_recipients (workspace_id, email, state) values (${workspaceId}, ${email}, 'asked') returning id`;
  return row!.id;
}

export interface NewKey {
  key: ApiKey;
  secret: string;
  api: Client;
}

export async function newKey(
  person: Person,
  workspaceId: string,
  fields: { name?: string; scopes?: readonly ApiKeyScope[]; expires_at?: string | null } = {},
): Promise<NewKey> {
  const body = { name: "Robot", scopes: apiKeyScopes, ...fields };
  const answer = await person.api.post<{ key: ApiKey; secret: string }>(`/api/workspaces/${workspaceId}/keys`, body);
  if (answer.status !== 201) throw new Error(`no key: ${JSON.stringify(answer.body)}`);
  return { ...answer.body, api: new Client(stack.url, answer.body.secret) };
}

export async function newConnection(person: Person, workspaceId: string): Promise<string> {
  const [row] = await sql<{ id: string }[]>`
    insert into public.api_keys (workspace_id, name, scopes, hash, start, last4, created_by, created_by_name, expires_at, client_id, secret_until, refresh_hash)
    values (${workspaceId}, 'Helper', '{posts:read}', sha256(gen_random_uuid()::text::bytea), 'tdk_abcd', 'wxyz', ${person.id}, ${person.fullName},
      now() + interval '90 days', 'https://helper.example/assistant.json', now() + interval '1 hour', sha256(gen_random_uuid()::text::bytea))
    returning id`;
  return row!.id;
}

export async function newPreviewLink(
  person: Person,
  postId: string,
  fields: z.input<typeof previewLinkInput> = {},
): Promise<{ link: PreviewLink; url: string; token: string }> {
  const answer = await person.api.post<{ link: PreviewLink }>(`/api/posts/${postId}/preview-links`, fields);
  if (answer.status !== 201) throw new Error(`no link: ${JSON.stringify(answer.body)}`);
  const { link } = answer.body;
  return { link, url: link.url, token: link.url.split("/").at(-1) ?? "" };
}

export async function newWebhook(workspaceId: string): Promise<{ webhookId: string; deliveryId: string }> {
  const [hook] = await sql<{ id: string }[]>`insert into private.webhooks (workspace_id, kind, url, sealed, events)
    values (${workspaceId}, 'webhook', 'https://hooks.example/', ${"x".repeat(40)}, '{post.published}') returning id`;
  const [event] = await sql<
    { id: string }[]
  >`insert into private.webhook_events (workspace_id, kind) values (${workspaceId}, 'webhook.ping') returning id`;
  const [delivery] = await sql<
    { id: string }[]
  >`insert into private.webhook_deliveries (event_id, webhook_id, workspace_id, state, ended_at)
    values (${event!.id}, ${hook!.id}, ${workspaceId}, 'failed', now()) returning id`;
  return { webhookId: hook!.id, deliveryId: delivery!.id };
}

export async function newImport(workspaceId: string): Promise<string> {
  const [row] = await sql<{ id: string }[]>`insert into public.imports (workspace_id, source, name, total)
    values (${workspaceId}, 'changelog', 'CHANGELOG.md', 10) returning id`;
  return row!.id;
}

export async function newTemplate(workspaceId: string, name = `Release ${randomUUID()}`): Promise<string> {
  const [row] = await sql<{ id: string }[]>`insert into public.templates (workspace_id, name, title, content_raw)
    values (${workspaceId}, ${name}, 'What is new', ${paragraph("New this month:") as never}) returning id`;
  return row!.id;
}
