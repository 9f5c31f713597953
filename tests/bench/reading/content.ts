import type postgres from "postgres";

export const subdomain = "bench-reading";
export const longPost = "release-30";

const vocabulary =
  "every reader finds faster exports calmer pages nothing else moves teams write together and publish what changed this week".split(" ");
const sentence = (words: number, seed: number): string =>
  Array.from({ length: words }, (_, index) => vocabulary[(index * 7 + seed * 13 + ((index * seed) % 5)) % vocabulary.length]).join(" ");

export async function fill(sql: postgres.Sql): Promise<void> {
  const [workspace] = await sql<{ id: string }[]>`
    insert into public.workspaces (name, subdomain, origin, public_changelog_enabled)
    values ('Bench', ${subdomain}, 'https://bench.example', true) returning id`;
  for (let number = 1; number <= 30; number++) {
    const paragraphs = number === 30 ? 50 : 6;
    const blocks = Array.from({ length: paragraphs }, (_, index) => ({
      type: "paragraph",
      data: { text: sentence(80, number * 31 + index) },
    }));
    const [post] = await sql<{ id: string }[]>`
      insert into public.posts (workspace_id, title, tags, content_raw, author_name)
      values (${workspace!.id}, ${`Release ${number}`}, '{feature}', ${sql.json({ time: 0, blocks, version: "2.28.2" })}, 'Ada Lovelace') returning id`;
    await sql.begin(async (transaction) => {
      await transaction`set local session_replication_role = replica`; // the trigger would set its own date
      const publishedAt = new Date(Date.UTC(2026, 0, number));
      await transaction`update public.posts set status = 'published', published_at = ${publishedAt} where id = ${post!.id}`;
    });
  }
  await sql`vacuum analyze public.posts`;
}
