/** The plainest program for the same responses, with Hono and postgres.js. DATABASE_URL names the database. */
import process from "node:process";
import { Hono } from "hono";
import { upgradeWebSocket } from "hono/deno";
import type { WSContext } from "hono/ws";
import postgres from "postgres";

const sql = postgres(process.env["DATABASE_URL"] ?? "", { max: 4, onnotice: () => {} });
const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const app = new Hono();

app.get("/reading/:subdomain/releases.json", async (context) => {
  const posts = await sql`
    select p.id, p.title, p.slug, p.excerpt, p.tags, p.author_name, p.published_at, p.updated_at
    from public.posts p join public.workspaces w on w.id = p.workspace_id
    where w.subdomain = ${context.req.param("subdomain")} and w.public_changelog_enabled and p.status = 'published'
    order by p.published_at desc limit 15`;
  return context.json({ posts });
});

app.get("/reading/:subdomain/:slug", async (context) => {
  const [post] = await sql`
    select p.title, p.content_raw, p.author_name, p.published_at
    from public.posts p join public.workspaces w on w.id = p.workspace_id
    where w.subdomain = ${context.req.param("subdomain")} and w.public_changelog_enabled and p.status = 'published' and p.slug = ${context.req.param("slug")}`;
  if (!post) return context.notFound();
  const { blocks } = post["content_raw"] as { blocks: { data: { text: string } }[] };
  const body = blocks.map(({ data }) => `<p>${escape(data.text)}</p>`).join("\n");
  return context.html(
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escape(post["title"])}</title></head>` +
      `<body><h1>${escape(post["title"])}</h1><p>${escape(post["author_name"] ?? "")}, ${post["published_at"].toISOString()}</p>${body}</body></html>`,
  );
});

app.get("/posts/:id", async (context) => {
  const [post] = await sql`select * from plain.posts where id = ${context.req.param("id")}`;
  return post ? context.json({ post }) : context.notFound();
});

app.put("/posts/:id", async (context) => {
  const { content_raw, version } = await context.req.json<{ content_raw: string; version?: number }>();
  const [post] = await sql`
    update plain.posts set content_raw = ${content_raw}::text::jsonb, version = version + 1, updated_at = now()
    where id = ${context.req.param("id")} and (${version ?? null}::int is null or version = ${version ?? null}) returning *`;
  return post ? context.json({ post }) : context.json({ error: "changed meanwhile" }, 409);
});

app.all("/bytes/:status/:count", async (context) => {
  await context.req.arrayBuffer().catch(() => null);
  const [status, count] = [Number(context.req.param("status")), Number(context.req.param("count"))];
  return new Response(status === 304 ? null : "x".repeat(count), { status });
});

const room = new Set<WSContext>();
app.get(
  "/room",
  upgradeWebSocket(() => ({
    onOpen: (_, socket) => void room.add(socket),
    onMessage: ({ data }, socket) => {
      for (const other of room) if (other !== socket) other.send(data as string);
    },
    onClose: (_, socket) => void room.delete(socket),
  })),
);

export default { fetch: app.fetch };
