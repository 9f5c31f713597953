import { randomUUID } from "node:crypto";
import http from "node:http";
import { JSDOM } from "jsdom";
import { inject } from "vitest";
import { newWorkspace, type Person, sql } from "./people.ts";

const { ports } = inject("stack");

export interface Reply {
  status: number;
  headers: http.IncomingHttpHeaders;
  body: string;
}

interface Visit {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

export const visit = (subdomain: string | null, path: string, options: Visit = {}): Promise<Reply> =>
  visitHost(`${subdomain === null ? "" : `${subdomain}.`}localhost`, path, options);

export function visitHost(name: string, path: string, { method = "GET", headers = {}, body: sent = "" }: Visit = {}): Promise<Reply> {
  const host = `${name}:${ports.gateway}`;
  return new Promise((resolve, reject) => {
    const request = http.request({ host: "127.0.0.1", port: ports.gateway, path, method, headers: { host, ...headers } }, (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
    });
    request.on("error", reject).end(sent);
  });
}

export type DomainState = "dns" | "certificate" | "live" | "lost" | "lost for good";

export async function ownName(workspaceId: string, state: DomainState, host = `${randomUUID()}.example`): Promise<string> {
  await sql`insert into public.workspace_add_ons (workspace_id, add_on) values (${workspaceId}, 'custom-domain') on conflict do nothing`;
  await sql`insert into public.domains (host, workspace_id, shown) values (${host}, ${workspaceId}, ${host})`;
  await setOwnName(host, state);
  return host;
}
export async function setOwnName(host: string, state: DomainState): Promise<void> {
  const isLost = state.startsWith("lost");
  const grace = isLost ? new Date(Date.now() + (state === "lost" ? 86_400_000 : -1_000)) : null;
  await sql`update public.domains set state = ${isLost ? "lost" : state}, grace_until = ${grace},
    live_at = ${state === "live" || isLost ? new Date() : null} where host = ${host}`;
}

export function sendForm(subdomain: string | null, path: string, fields: [name: string, value: string][]): Promise<Reply> {
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  return visit(subdomain, path, { method: "POST", headers, body: new URLSearchParams(fields).toString() });
}

export async function readPage(subdomain: string | null, path: string, headers: Record<string, string> = {}) {
  const reply = await visit(subdomain, path, { headers });
  return { ...reply, page: new JSDOM(reply.body).window.document };
}

export const postStates = {
  draft: { status: "draft" },
  "scheduled for later": { status: "scheduled", publish_at: "2999-01-01T00:00:00Z" },
  "scheduled, its time has come": { status: "scheduled", publish_at: "2020-01-01T00:00:00Z" },
  published: { status: "published", published_at: "2020-01-01T00:00:00Z" },
  archived: { status: "archived", published_at: "2020-01-01T00:00:00Z", archived_at: "2020-01-02T00:00:00Z" },
} as const;
export type PostState = keyof typeof postStates;

export const isVisible = (state: PostState): boolean => state === "published" || state === "scheduled, its time has come";

interface Wish {
  title?: string;
  tags?: string[];
  blocks?: unknown[];
  state?: PostState;
  publishedAt?: string;
}

export async function newPost(
  owner: Person,
  workspaceId: string,
  { title = "Dark mode", tags = [], blocks, state = "published", publishedAt }: Wish = {},
): Promise<{ id: string; slug: string }> {
  const content = { time: 0, blocks: blocks ?? [{ type: "paragraph", data: { text: `All about ${title}.` } }], version: "2.28.2" };
  const [post] = await sql<{ id: string; slug: string }[]>`
    insert into public.posts (workspace_id, title, tags, content_raw, created_by)
    values (${workspaceId}, ${title}, ${tags}, ${sql.json(content as never)}, ${owner.id})
    returning id, slug`;
  await changePost(post!.id, {
    ...postStates[state],
    ...(publishedAt && { published_at: publishedAt }),
    ...(blocks && { content_raw: content }),
  });
  return post!;
}

export async function changePost(id: string, columns: Record<string, unknown>): Promise<void> {
  const values = Object.fromEntries(
    Object.entries(columns).map(([name, value]) => [name, name === "content_raw" ? sql.json(value as never) : value]),
  );
  await sql.begin(async (transaction) => {
    await transaction`set local session_replication_role = replica`;
    await transaction`update public.posts set ${transaction(values as Record<string, string>)}, version = version + 1 where id = ${id}`;
  });
}

export async function setPublic(workspaceId: string, enabled: boolean): Promise<void> {
  await sql`update public.workspaces set public_changelog_enabled = ${enabled} where id = ${workspaceId}`;
}

export async function suspend(workspaceId: string, suspended: boolean): Promise<void> {
  const suspension = suspended ? sql.json({ since: "2026-11-20T09:00:00Z", message: "", contact: "op@tidings.example" }) : null;
  await sql`update public.workspaces set suspension = ${suspension} where id = ${workspaceId}`;
}

export async function openWorkspace(owner: Person): Promise<{ id: string; subdomain: string }> {
  const workspace = await newWorkspace(owner);
  await setPublic(workspace.id, true);
  return workspace;
}
