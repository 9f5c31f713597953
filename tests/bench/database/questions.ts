import { common, frequent, huge, memberOfHuge, memberOfMany, memberOfOne, rare, subdomain, usual, workspace } from "./load.ts";

/** One thing the product asks the database: a statement, who asks, and how long it may take (medians of execution). */
export interface Question {
  name: string;
  /** Null: anon. */
  person: string | null;
  statement: string;
  limit: Limit;
  /** Its time may not grow with the amount of data; those about the huge workspace have nothing to be compared with. */
  compared: boolean;
  /** Undone after each run. */
  writes?: boolean;
}

const mine = workspace(usual);
/** How often the time of which plain query a question may take. */
interface Limit {
  plain: keyof typeof plainQueries;
  times: number;
}

/** So many posts by an index, read, measured and added up: work that no version of the product changes. */
const plainly = (of: number, posts: number): string =>
  `select count(*), sum(length(title) + length(excerpt)), max(updated_at) from (select * from public.posts
    where workspace_id = '${workspace(of)}' and status <> 'archived' order by updated_at desc, id desc limit ${posts}) as newest`;

/** The long one is eight times the short one: a machine that does more than this stops both as often as what is held against them. */
export const plainQueries = { short: plainly(usual, 100), long: plainly(huge, 800) };

/** 1 ms, 2 ms for a write and 5 ms for 50,000 posts, where the short query takes 0.235 ms and the long one 1.8 ms. */
const limits: Record<"usual" | "write" | "huge", Limit> = {
  usual: { plain: "short", times: 4.2 },
  write: { plain: "long", times: 1.1 },
  huge: { plain: "long", times: 2.8 },
};

const summary = "id, title, slug, excerpt, status, tags, publish_at, published_at, created_at, updated_at, version";
const ask = (name: string, statement: string, limit = limits.usual, person: string | null = memberOfOne): Question => ({
  name,
  person,
  statement,
  limit,
  compared: true,
});

export const questions: Question[] = [
  ask("list of 20", `select * from public.list_posts('${mine}', 'all', 1, 20)`),
  ask("list of 20, published, page 5", `select * from public.list_posts('${mine}', 'published', 5, 20)`),
  ask(
    "list of 20 by PostgREST",
    `select ${summary} from public.posts where workspace_id = '${mine}' and status <> 'archived' order by updated_at desc, id desc limit 20`,
  ),
  ask("count", `select public.count_posts('${mine}')`),
  ask("count by PostgREST", `select count(*) from public.posts where workspace_id = '${mine}' and status = 'published'`),
  ask("dashboard", `select public.dashboard('${mine}')`),
  ask("upcoming", `select * from public.upcoming_posts()`),
  ask("search, frequent word", `select * from public.search_posts('${mine}', '${frequent}')`),
  ask("search, common word", `select * from public.search_posts('${mine}', '${common}')`),
  ask("search, rare word", `select * from public.search_posts('${mine}', '${rare}')`),
  ask("search, no match", `select * from public.search_posts('${mine}', 'xyzzy')`),
  ask("one post", `select * from public.read_post((select id from public.posts where workspace_id = '${mine}' and slug = 'post-7'))`),
  ask("my workspaces", `select * from public.my_workspaces()`),
  ask("public workspace", `select * from private.find_workspace('${subdomain(usual)}')`, limits.usual, null),
  ask("public version", `select private.public_version('${subdomain(usual)}')`, limits.usual, null),
  { ...ask("public version, 50,000 posts", `select private.public_version('${subdomain(huge)}')`, limits.usual, null), compared: false },
  ask("public list of 10", `select * from private.list_releases('${subdomain(usual)}', 1, 10)`, limits.usual, null),
  ask("public list, page 20", `select * from private.list_releases('${subdomain(usual)}', 20, 10)`, limits.usual, null),
  ask("public release", `select * from private.get_release('${subdomain(usual)}', 'post-5')`, limits.usual, null),
  ask("public release, old address", `select * from private.get_release('${subdomain(usual)}', 'old-post-1')`, limits.usual, null),
  ask("list of 20, member of 50", `select * from public.list_posts('${mine}', 'all', 1, 20)`, limits.usual, memberOfMany),
  ask(
    "by PostgREST, member of 50",
    `select ${summary} from public.posts where workspace_id = '${mine}' and status <> 'archived' order by updated_at desc, id desc limit 20`,
    limits.usual,
    memberOfMany,
  ),
  { ...ask("upcoming, member of 50", `select * from public.upcoming_posts()`, limits.huge, memberOfMany), compared: false },
  ...[frequent, common, rare, `${frequent} ${common}`, "xyzzy", "qz", "er", "5"].map((term) => ({
    ...ask(`search of 50,000: “${term}”`, `select * from public.search_posts('${workspace(huge)}', '${term}')`, limits.huge, memberOfHuge),
    compared: false,
  })),
  {
    ...ask(
      "save a post",
      `select public.save_post((select id from public.posts where workspace_id = '${mine}' and slug = 'post-6'), '{"title": "Changed title", "content_raw": {"blocks": [{"type": "paragraph", "data": {"text": "A sentence that was not there before."}}]}}')`,
      limits.write,
    ),
    writes: true,
  },
  {
    ...ask(
      "create a post",
      `select public.create_post('${mine}', 'A new post', '{"blocks": [{"type": "header", "data": {"text": "News", "level": 2}}, {"type": "paragraph", "data": {"text": "Something <b>new</b> happened today."}}]}', '{feature}')`,
      limits.write,
    ),
    writes: true,
  },
];
