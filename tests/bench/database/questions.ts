import { common, frequent, huge, memberOfHuge, memberOfMany, memberOfOne, rare, subdomain, usual, workspace } from "./load.ts";

export interface Question {
  name: string;
  person: string | null;
  statement: string;
  limit: number;
  plain: keyof typeof plainQueries;
  compared: boolean;
  writes?: boolean;
}

const mine = workspace(usual);
const plainly = (of: number, posts: number): string =>
  `select count(*), sum(length(title) + length(excerpt)), max(updated_at) from (select * from public.posts
    where workspace_id = '${workspace(of)}' and status <> 'archived' order by updated_at desc, id desc limit ${posts}) as newest`;

/** The long one is eight times the short one, so that load affects both like the queries compared. */
export const plainQueries = { short: plainly(usual, 100), long: plainly(huge, 800) };

const summary = "id, title, slug, excerpt, status, tags, publish_at, published_at, created_at, updated_at, version";
const ask = (name: string, limit: number, statement: string, more: Partial<Question> = {}): Question => ({
  name,
  person: memberOfOne,
  statement,
  limit,
  plain: "short",
  compared: true,
  ...more,
});

/** Limits are two fifths above three runs that were a tenth apart, on two busy cores; the short query took 0.13 to 0.24 ms. */
const anybody = { person: null };
export const questions: Question[] = [
  ask("list of 20", 3.5, `select * from public.list_posts('${mine}', 'all', 1, 20)`),
  ask("list of 20, published, page 5", 4.5, `select * from public.list_posts('${mine}', 'published', 5, 20)`),
  ask(
    "list of 20 by PostgREST",
    1.1,
    `select ${summary} from public.posts where workspace_id = '${mine}' and status <> 'archived' order by updated_at desc, id desc limit 20`,
  ),
  ask("count by PostgREST", 1.35, `select count(*) from public.posts where workspace_id = '${mine}' and status = 'published'`),
  ask("dashboard", 6, `select public.dashboard('${mine}')`),
  ask("upcoming", 1.5, `select * from public.upcoming_posts()`),
  ask("search, frequent word", 2.8, `select * from public.search_posts('${mine}', '${frequent}')`),
  ask("search, common word", 3.4, `select * from public.search_posts('${mine}', '${common}')`),
  ask("search, rare word", 8, `select * from public.search_posts('${mine}', '${rare}')`),
  ask("search, no match", 6.5, `select * from public.search_posts('${mine}', 'xyzzy')`),
  ask("one post", 1.75, `select * from public.read_post((select id from public.posts where workspace_id = '${mine}' and slug = 'post-7'))`),
  ask("my workspaces", 1.5, `select * from public.my_workspaces()`),
  ask("public workspace", 1.9, `select * from private.find_workspace('${subdomain(usual)}')`, anybody),
  ask("public version", 0.7, `select private.public_version('${subdomain(usual)}')`, anybody),
  ask("public version, 50,000 posts", 0.7, `select private.public_version('${subdomain(huge)}')`, { ...anybody, compared: false }),
  ask("public list of 10", 1.9, `select * from private.list_releases('${subdomain(usual)}', 1, 10)`, anybody),
  ask("public list, page 20", 3, `select * from private.list_releases('${subdomain(usual)}', 20, 10)`, anybody),
  ask("public list of 10 of 50,000", 5.6, `select * from private.list_releases('${subdomain(huge)}', 1, 10)`, {
    ...anybody,
    plain: "long",
    compared: false,
  }),
  ask("public release", 0.9, `select * from private.get_release('${subdomain(usual)}', 'post-5')`, anybody),
  ask("public release, old address", 0.85, `select * from private.get_release('${subdomain(usual)}', 'old-post-1')`, anybody),
  ask("list of 20, member of 50", 3.8, `select * from public.list_posts('${mine}', 'all', 1, 20)`, { person: memberOfMany }),
  ask(
    "by PostgREST, member of 50",
    1.2,
    `select ${summary} from public.posts where workspace_id = '${mine}' and status <> 'archived' order by updated_at desc, id desc limit 20`,
    { person: memberOfMany },
  ),
  ask("upcoming, member of 50", 0.65, `select * from public.upcoming_posts()`, { person: memberOfMany, plain: "long", compared: false }),
  ...(
    [
      [frequent, 0.4],
      [common, 0.42],
      [rare, 3],
      [`${frequent} ${common}`, 0.43],
      ["xyzzy", 0.85],
      ["qz", 1.1],
      ["er", 1.05],
      ["5", 2.3],
    ] as const
  ).map(([term, limit]) =>
    ask(`search of 50,000: “${term}”`, limit, `select * from public.search_posts('${workspace(huge)}', '${term}')`, {
      person: memberOfHuge,
      plain: "long",
      compared: false,
    }),
  ),
  ask(
    "save a post",
    1.85,
    `select public.save_post((select id from public.posts where workspace_id = '${mine}' and slug = 'post-6'), '{"title": "Changed title", "content_raw": {"blocks": [{"type": "paragraph", "data": {"text": "A sentence that was not there before."}}]}}')`,
    { plain: "long", writes: true },
  ),
  ask(
    "create a post",
    1.7,
    `select public.create_post('${mine}', 'A new post', '{"blocks": [{"type": "header", "data": {"text": "News", "level": 2}}, {"type": "paragraph", "data": {"text": "Something <b>new</b> happened today."}}]}', '{feature}')`,
    { plain: "long", writes: true },
  ),
];
