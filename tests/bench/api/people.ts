import { randomUUID } from "node:crypto";
import postgres from "postgres";
import type { StackFile } from "../../support/stack.ts";
import { signToken } from "../../support/token.ts";

export interface Place {
  workspaceId: string;
  postIds: string[];
  people: { id: string; token: string }[];
}

export async function makeBenchPlace(stack: StackFile, people: number, posts: number): Promise<Place> {
  const sql = postgres(stack.dbUrl, { max: 1, onnotice: () => {} });
  const ids = Array.from({ length: people }, () => randomUUID());
  await sql`insert into auth.users (id, aud, role, email, email_confirmed_at)
    select id::uuid, 'authenticated', 'authenticated', id || '@example.com', now() from unnest(${ids}::text[]) as id`;
  await sql`insert into auth.sessions (id, user_id) select id::uuid, id::uuid from unnest(${ids}::text[]) as id`;
  const [workspace] = await sql<
    { id: string }[]
  >`insert into public.workspaces (name, subdomain) values ('Bench', ${`b${ids[0]!.slice(0, 8)}`}) returning id`;
  await sql`insert into public.members (workspace_id, user_id, role)
    select ${workspace!.id}, id::uuid, (case when id = ${ids[0]!} then 'owner' else 'editor' end)::public.member_role from unnest(${ids}::text[]) as id`;
  const made = await sql<{ id: string }[]>`insert into public.posts (workspace_id, title, content_raw, created_by)
    select ${workspace!.id}, 'Post ' || n, ${sql.json({ blocks: [{ type: "paragraph", data: { text: "Words." } }] })}, ${ids[0]!}
    from generate_series(1, ${posts}) as n returning id`;
  await sql.end();
  return {
    workspaceId: workspace!.id,
    postIds: made.map(({ id }) => id),
    people: ids.map((id) => ({ id, token: signToken(stack, { sub: id, email: `${id}@example.com` }) })),
  };
}
