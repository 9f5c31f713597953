import { readFileSync } from "node:fs";
import postgres from "postgres";
import { expect, inject, test } from "vitest";

class Undo extends Error {}

test("supabase/seed.sql runs after the migration: a user who can sign in, and a workspace with posts", async () => {
  const sql = postgres(inject("stack").ownerUrl, { max: 1, onnotice: () => {} });
  const seeded: Record<string, unknown>[] = [];
  const run = sql.begin(async (transaction) => {
    await transaction.unsafe(readFileSync("supabase/seed.sql", "utf8"));
    seeded.push(
      ...(await transaction`
        select w.name, w.public_changelog_enabled as public, count(p.id)::int as posts, count(*) filter (where p.status = 'published')::int as published
        from public.workspaces w join public.posts p on p.workspace_id = w.id where w.subdomain = 'demo' group by w.id`),
      ...(await transaction`
        select u.encrypted_password = extensions.crypt('tidings-demo', u.encrypted_password) as signs_in, (select count(*)::int from auth.sessions s where s.user_id = u.id) as sessions
        from auth.users u where email = 'demo@tidings.example'`),
    );
    throw new Undo();
  });
  await expect(run).rejects.toBeInstanceOf(Undo);
  await sql.end();
  expect(seeded).toEqual([
    { name: "Tidings", public: true, posts: 4, published: 2 },
    { signs_in: true, sessions: 0 },
  ]);
});
