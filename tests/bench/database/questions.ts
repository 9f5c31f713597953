import { common, frequent, huge, memberOfHuge, memberOfMany, memberOfOne, rare, subdomain, usual, workspace } from "./load.ts";

/** One thing the product asks the database: a statement, who asks, and how long it may take (median, milliseconds of execution). */
export interface Question {
  name: string;
  /** Null: anon. */
  person: string | null;
  statement: string;
  limit: number;
  /** Its time may not grow with the amount of data; those about the huge workspace have nothing to be compared with. */
  compared: boolean;
  /** Undone after each run. */
  writes?: boolean;
}

const mine = workspace(usual);
const summary = "id, title, slug, excerpt, status, tags, publish_at, published_at, created_at, updated_at, version";
const ask = (name: string, statement: string, limit = 1, person: string | null = memberOfOne): Question => ({
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
  ask("public workspace", `select * from private.find_workspace('${subdomain(usual)}')`, 1, null),
  ask("public version", `select private.public_version('${subdomain(usual)}')`, 1, null),
  { ...ask("public version, 50,000 posts", `select private.public_version('${subdomain(huge)}')`, 1, null), compared: false },
  ask("public list of 10", `select * from private.list_releases('${subdomain(usual)}', 1, 10)`, 1, null),
  ask("public list, page 20", `select * from private.list_releases('${subdomain(usual)}', 20, 10)`, 1, null),
  ask("public release", `select * from private.get_release('${subdomain(usual)}', 'post-5')`, 1, null),
  ask("public release, old address", `select * from private.get_release('${subdomain(usual)}', 'old-post-1')`, 1, null),
  ask("list of 20, member of 50", `select * from public.list_posts('${mine}', 'all', 1, 20)`, 1, memberOfMany),
  ask(
    "by PostgREST, member of 50",
    `select ${summary} from public.posts where workspace_id = '${mine}' and status <> 'archived' order by updated_at desc, id desc limit 20`,
    1,
    memberOfMany,
  ),
  { ...ask("upcoming, member of 50", `select * from public.upcoming_posts()`, 5, memberOfMany), compared: false },
  ...[frequent, common, rare, `${frequent} ${common}`, "xyzzy", "qz", "er", "5"].map((term) => ({
    ...ask(`search of 50,000: “${term}”`, `select * from public.search_posts('${workspace(huge)}', '${term}')`, 5, memberOfHuge),
    compared: false,
  })),
  {
    ...ask(
      "save a post",
      `select public.save_post((select id from public.posts where workspace_id = '${mine}' and slug = 'post-6'), '{"title": "Changed title", "content_raw": {"blocks": [{"type": "paragraph", "data": {"text": "A sentence that was not there before."}}]}}')`,
      2,
    ),
    writes: true,
  },
  {
    ...ask(
      "create a post",
      `select public.create_post('${mine}', 'A new post', '{"blocks": [{"type": "header", "data": {"text": "News", "level": 2}}, {"type": "paragraph", "data": {"text": "Something <b>new</b> happened today."}}]}', '{feature}')`,
      2,
    ),
    writes: true,
  },
];
