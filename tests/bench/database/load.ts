import { setTimeout as wait } from "node:timers/promises";
import type postgres from "postgres";

const person = (n: number): string => `a0000000-0000-4000-8000-${n.toString(16).padStart(12, "0")}`;
export const workspace = (n: number): string => `b0000000-0000-4000-8000-${n.toString(16).padStart(12, "0")}`;
export const subdomain = (n: number): string => `team-${n}`;

export const memberOfOne = person(1);
export const memberOfMany = person(2);
export const memberOfHuge = person(3);
export const usual = 5;
export const huge = 100_000;

export async function load(sql: postgres.Sql, ...groups: { from: number; to: number; posts: number }[]): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`select setseed(0.42)`;
    const search = await dropSearchIndex(tx);
    await people(tx);
    for (const { from, to, posts } of groups) {
      await workspaces(tx, from, to);
      await tx`
      insert into public.posts (workspace_id, title, slug, status, tags, content_raw, search_text, excerpt, publish_at, published_at, archived_at, version, created_by, created_by_name, author_name, created_at, updated_at)
      select w.id, initcap(line.title), 'post-' || n, s.status, array[(array['feature', 'improvement', 'fix', 'docs'])[1 + n % 4]],
        jsonb_build_object('time', 0, 'version', '2.28.2', 'blocks', jsonb_build_array(jsonb_build_object('type', 'paragraph', 'data', jsonb_build_object('text', line.body)))),
        ' ' || line.title || ' ' || line.body || ' ', left(line.body, 160),
        case when s.status = 'scheduled' then at.future end, case when s.status = 'published' then at.past end, case when s.status = 'archived' then at.past end,
        1, ${person(1)}, 'Author', 'Author', at.past, at.past
      from generate_series(${from}::int, ${to}::int) as number
      join public.workspaces w on w.subdomain operator (extensions.=) ('team-' || number)::extensions.citext,
        generate_series(1, ${posts}::int) as n,
        lateral (select (case when n % 50 = 0 then 'scheduled' else (array['published', 'published', 'published', 'published', 'published', 'published', 'published', 'draft', 'draft', 'archived'])[1 + n % 10] end)::public.post_status as status) as s,
        lateral (select date_trunc('milliseconds', now() - random() * interval '700 days' - n * interval '0 s') as past, date_trunc('milliseconds', now() + (1 + random() * 30) * interval '1 day') as future) as at,
        lateral (select string_agg(word, ' ') filter (where i <= 4) || ' ' || n as title, string_agg(word, ' ') as body
          from (select i, (${vocabulary}::text[])[floor(power(${vocabulary.length + 1}, random() + n * 0))::int] as word from generate_series(1, 50) as i) as words) as line`;
    }
    await tx`insert into public.post_slugs (workspace_id, slug, post_id) select workspace_id, slug, id from public.posts p
      where not exists (select from public.post_slugs s where s.post_id = p.id)`;
    await tx`insert into public.post_slugs (workspace_id, slug, post_id) select workspace_id, 'old-' || slug, id from public.posts p
      where slug = 'post-1' on conflict do nothing`;
    await tx.unsafe(search);
  });
  for (const table of ["post_slugs", "members", "workspaces", "profiles"]) await sql`vacuum (analyze) public.${sql(table)}`;
  await vacuumPosts(sql);
}

/** Retries until every page is all-visible: a background job's snapshot can delay it. */
async function vacuumPosts(sql: postgres.Sql): Promise<void> {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    await sql`vacuum (analyze) public.posts`;
    const [row] = await sql`select relallvisible >= relpages as done from pg_class where oid = 'public.posts'::regclass`;
    if (row!.done) return;
    await wait(1_000);
  }
}

async function people(tx: postgres.TransactionSql): Promise<void> {
  await tx`insert into auth.users (id, email) select ('a0000000-0000-4000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'p' || n || '@example.com' from generate_series(1, 3000) as n on conflict do nothing`;
  await tx`insert into auth.sessions (id, user_id) select id, id from auth.users on conflict do nothing`;
  await tx`insert into public.profiles (user_id, full_name) select ('a0000000-0000-4000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'Person ' || n from generate_series(1, 3000) as n on conflict do nothing`;
}

async function workspaces(tx: postgres.TransactionSql, from: number, to: number): Promise<void> {
  await tx`insert into public.workspaces (id, name, subdomain, public_changelog_enabled)
    select ('b0000000-0000-4000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'Team ' || n, 'team-' || n, true from generate_series(${from}::int, ${to}::int) as n`;
  await tx`insert into public.members (workspace_id, user_id, role)
    select w.id, ('a0000000-0000-4000-8000-' || lpad(to_hex(10 + (n * 7 + m * 131) % 2900), 12, '0'))::uuid, (array['owner', 'admin', 'editor', 'editor', 'viewer'])[m]::public.member_role
    from generate_series(${from}::int, ${to}::int) as n join public.workspaces w on w.subdomain operator (extensions.=) ('team-' || n)::extensions.citext, generate_series(1, 5) as m`;
  await tx`insert into public.members (workspace_id, user_id, role) select id, case when id = ${workspace(usual)} then ${memberOfOne}::uuid else ${memberOfHuge} end, 'editor' from public.workspaces where id in (${workspace(usual)}, ${workspace(huge)}) on conflict do nothing`;
  await tx`insert into public.members (workspace_id, user_id, role) select id, ${memberOfMany}, 'editor' from public.workspaces where id <> ${workspace(huge)} order by id limit 50 on conflict do nothing`;
}

/** Building the index once is faster than updating it per row. Returns the statement that recreates it. */
async function dropSearchIndex(tx: postgres.TransactionSql): Promise<string> {
  const [row] = await tx`select indexdef from pg_indexes where indexname = 'posts_search'`;
  await tx`drop index public.posts_search`;
  return row!.indexdef as string;
}

/** 3,000 words with Zipf's distribution. `frequent` is in nearly every post, `common` in one of ten, `rare` in one of several hundred. */
const stems =
  `improved release dashboard editor search widget billing team export import faster dark mode keyboard shortcut api webhook mobile notification analytics
   login session invoice password profile avatar sidebar header footer table filter sort column row chart report email template domain custom single sign on
   two factor backup restore archive draft schedule publish comment mention reaction emoji upload image video file storage limit quota plan upgrade support
   bug crash memory leak latency cache index query database server region europe america asia translation german french spanish japanese font theme colour
   contrast access screen reader focus tooltip dialog menu button link icon badge counter pagination infinite scroll offline sync conflict version history`
    .trim()
    .split(/\s+/);
const endings = [
  "",
  "ing",
  "ed",
  "er",
  "able",
  "less",
  "ness",
  "wise",
  "ful",
  "ish",
  "like",
  "ward",
  "hood",
  "ship",
  "dom",
  "let",
  "ling",
  "ette",
  "ist",
  "ism",
];
const syllables = ["ka", "zo", "mi", "ru", "pex", "lin", "vod", "tas"];
const names = syllables.flatMap((a) => syllables.flatMap((b) => syllables.map((c) => a + b + c)));
const vocabulary = [...endings.flatMap((ending) => stems.map((stem) => stem + ending)), ...names];
export const frequent = vocabulary[2]!;
export const common = vocabulary[60]!;
export const rare = names[300]!;
