/**
 * What the product's speed is held against: the plainest program for the same two answers, Hono and postgres.js and nothing else.
 * Run by `deno serve`, as the functions run in Deno; DATABASE_URL names the database.
 */
import process from "node:process";
import { Hono } from "hono";
import postgres from "postgres";

const sql = postgres(process.env["DATABASE_URL"] ?? "", { max: 4 });
const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const app = new Hono();

app.get("/:subdomain/releases.json", async (context) => {
  const posts = await sql`
    select p.id, p.title, p.slug, p.excerpt, p.tags, p.author_name, p.published_at, p.updated_at
    from public.posts p join public.workspaces w on w.id = p.workspace_id
    where w.subdomain = ${context.req.param("subdomain")} and w.public_changelog_enabled and p.status = 'published'
    order by p.published_at desc limit 15`;
  return context.json({ posts });
});

app.get("/:subdomain/:slug", async (context) => {
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

export default { fetch: app.fetch };
