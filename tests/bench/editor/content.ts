import type postgres from "postgres";

const words =
  "every reader finds faster exports calmer pages nothing else moves teams write together and publish what changed this week".split(" ");
const sentence = (count: number, seed: number): string =>
  Array.from({ length: count }, (_, index) => words[(index * 7 + seed * 13) % words.length]).join(" ");

function blocksOf(count: number): object[] {
  return Array.from({ length: count }, (_, index) => {
    const text = sentence(30, index);
    if (index % 10 === 0) return { type: "header", data: { text: sentence(5, index), level: 2 } };
    if (index % 10 === 4) return { type: "list", data: { style: "unordered", meta: {}, items: items(index) } };
    if (index % 20 === 7) return { type: "quote", data: { text, caption: "A reader", alignment: "left" } };
    if (index % 20 === 17) return { type: "code", data: { code: text } };
    return { type: "paragraph", data: { text: `${text} <b>and bold</b>` } };
  });
}

const items = (seed: number) => [1, 2, 3].map((number) => ({ content: sentence(6, seed + number), meta: {}, items: [] }));

export interface Desk {
  workspaceId: string;
  posts: Record<1 | 100 | 300, string>;
}

export async function fill(sql: postgres.Sql, workspaceId: string, total: number): Promise<Desk> {
  await sql`
    insert into public.posts (workspace_id, title, tags, content_raw, author_name)
    select ${workspaceId}, 'Release number ' || number, array['feature', 'fix', 'docs'], ${content(sql, 1)}, 'Ada Lovelace'
    from generate_series(1, ${total - 3}::int) as number`;
  const make = async (blocks: number): Promise<string> => {
    const [post] = await sql<{ id: string }[]>`
      insert into public.posts (workspace_id, title, content_raw, author_name)
      values (${workspaceId}, ${`A post of ${blocks} blocks`}, ${content(sql, blocks)}, 'Ada Lovelace') returning id`;
    return post!.id;
  };
  return { workspaceId, posts: { 300: await make(300), 100: await make(100), 1: await make(1) } };
}

const content = (sql: postgres.Sql, blocks: number) => sql.json({ time: 0, blocks: blocksOf(blocks), version: "2.28.2" } as never);
