import { randomUUID } from "node:crypto";
import postgres from "postgres";
import type { StackFile } from "../../support/stack.ts";

export interface Loaded {
  workspaceId: string;
  owner: { email: string; password: string };
  names: string[];
}

const words =
  "faster exports dark mode keyboard search widget billing team import webhook mobile notification analytics login invoice".split(" ");

/**
 * A workspace with members and posts: 80% published, 10% draft, 1% scheduled, the rest archived, 50 words each; with the analytics add-on, views of
 * a tenth of the posts on every day of the last month, and a history of 1,000 lines.
 */
export async function loadWorkspace({ dbUrl }: StackFile, { members, posts }: { members: number; posts: number }): Promise<Loaded> {
  const sql = postgres(dbUrl, { max: 1, onnotice: () => {} });
  const people = Array.from({ length: members }, (_, index) => ({
    id: randomUUID(),
    name: `Member ${String(index + 1).padStart(2, "0")}`,
  }));
  const [ids, names] = [people.map(({ id }) => id), people.map(({ name }) => name)];
  const owner = { email: `${ids[0]!}@example.com`, password: "correct horse battery" };
  const workspaceId = await sql.begin(async (tx) => {
    await tx`
      insert into auth.users (id, aud, role, email, encrypted_password, email_confirmed_at, raw_app_meta_data, raw_user_meta_data, created_at, updated_at)
      select id::uuid, 'authenticated', 'authenticated', id || '@example.com', extensions.crypt(${owner.password}, extensions.gen_salt('bf', 4)), now(),
        '{"provider": "email"}', jsonb_build_object('full_name', name), now(), now() from unnest(${ids}::text[], ${names}::text[]) as p (id, name)`;
    const [workspace] =
      await tx`insert into public.workspaces (name, subdomain) values ('Bench', ${`b${ids[0]!.slice(0, 8)}`}) returning id`;
    const id = workspace!.id as string;
    await tx`insert into public.members (workspace_id, user_id, role)
      select ${id}, p.id::uuid, (case when p.place = 1 then 'owner' else 'editor' end)::public.member_role from unnest(${ids}::text[]) with ordinality as p (id, place)`;
    await tx`set local session_replication_role = replica`; // skips triggers for speed; the rows match theirs
    await tx`
      insert into public.posts (workspace_id, title, slug, status, tags, content_raw, search_text, excerpt, publish_at, published_at, archived_at,
        created_by, created_by_name, author_name, created_at, updated_at)
      select ${id}, line.title || ' ' || n, 'post-' || n, s.status, array[(array['feature', 'improvement', 'fix', 'docs'])[1 + n % 4]],
        jsonb_build_object('time', 0, 'version', '2.28.2', 'blocks', jsonb_build_array(jsonb_build_object('type', 'paragraph', 'data', jsonb_build_object('text', line.body)))),
        line.body, left(line.body, 160), case when s.status = 'scheduled' then now() + n * interval '1 hour' end,
        case when s.status = 'published' then at.past end, case when s.status = 'archived' then at.past end,
        (${ids}::uuid[])[who.number], (${names}::text[])[who.number], (${names}::text[])[who.number], at.past, at.past
      from generate_series(1, ${posts}::int) as n,
        lateral (select 1 + n % ${members}::int as number, n / ${members}::int % 100 as turn) as who,
        lateral (select (case when who.turn < 80 then 'published' when who.turn < 90 then 'draft' when who.turn < 91 then 'scheduled' else 'archived' end)::public.post_status as status) as s,
        lateral (select now() - n * interval '1 hour' as past) as at,
        lateral (select string_agg(word, ' ') filter (where i <= 3) as title, string_agg(word, ' ') as body
          from (select i, (${words}::text[])[1 + (n * 7 + i * i * 13) % ${words.length}::int] as word from generate_series(1, 50) as i) as w) as line`;
    await tx`insert into public.workspace_add_ons (workspace_id, add_on) values (${id}, 'analytics')`;
    await tx`insert into private.count_queue (post_id, what, day, source, n, workspace_id)
      select p.id, 'view', (now() at time zone 'utc')::date - day, 'page', 1 + day, p.workspace_id from public.posts p, generate_series(0, 39) as day
      where p.workspace_id = ${id} and right(p.slug, 1) = '7'`;
    await tx`select private.roll_up_counts()`;
    await tx`insert into public.activities (workspace_id, post_id, kind, actor_name, title)
      select p.workspace_id, p.id, 'post_published', p.author_name, p.title from public.posts p where p.workspace_id = ${id} limit 1000`;
    return id;
  });
  for (const table of ["public.posts", "public.daily_counts", "private.post_counts", "public.activities", "public.members"])
    await sql.unsafe(`vacuum (analyze) ${table}`);
  await sql.end();
  return { workspaceId, owner, names };
}
