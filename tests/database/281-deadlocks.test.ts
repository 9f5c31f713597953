import type { TransactionSql } from "postgres";
import { expect, test } from "vitest";
import { committedAs, withWorkspace } from "./support/committed.ts";
import { connect } from "./support/database.ts";
import { inDays, words } from "./support/world.ts";

const sql = connect(6);
const content = words("text") as never;

interface Going {
  owner: string;
  workspace: string;
  posts: [string, string];
}
const asOwner = (tx: TransactionSql, { owner }: Going) =>
  tx`select set_config('request.jwt.claims', ${JSON.stringify({ sub: owner, role: "authenticated", session_id: owner })}, true)`;

interface Way {
  prepare?: (going: Going) => Promise<unknown>;
  go: (tx: TransactionSql, going: Going) => Promise<unknown>;
}
const ways: Record<string, Way> = {
  "are published again by the clock": {
    async prepare({ owner, posts }) {
      const save = (id: string, patch: object) => committedAs(sql, owner, (tx) => tx`select public.save_post(${id}, ${patch as never})`);
      for (const id of posts) {
        await save(id, { status: "archived" });
        await save(id, { status: "draft" });
        await save(id, { status: "scheduled", publish_at: inDays(1).toISOString() });
      }
    },
    async go(tx, { posts: [second, first] }) {
      await tx`set local session_replication_role = replica`;
      await tx`update public.posts set publish_at = now() - case id when ${first} then interval '2 days' else interval '1 day' end
        where id in (${first}, ${second})`;
      await tx`set local session_replication_role = origin`;
      await tx`select private.publish_due_posts()`;
    },
  },
  "are archived by an import": {
    async go(tx, going) {
      await asOwner(tx, going);
      const [begun] = await tx`select public.begin_import(${going.workspace}, 'tidings', 'x', 2) #>> '{import,id}' as id`;
      const entries = going.posts.toReversed().map((id) => ({
        ...{ external_id: `tidings:${id}`, fingerprint: "a".repeat(64), title: "News", content_raw: content },
        ...{ status: "archived", published_at: "2026-01-01T00:00:00Z", replaces: 1 },
      }));
      await tx`select public.write_entries(${going.workspace}, ${begun!.id as string}, ${tx.json(entries)})`;
    },
  },
  "are deleted by undoing an import": {
    async prepare({ workspace, posts }) {
      const [made] =
        await sql`insert into public.imports (workspace_id, source, name, total) values (${workspace}, 'tidings', 'x', 2) returning id`;
      await sql`insert into private.import_entries (import_id, external_id, workspace_id, place, title, outcome, post_id, fingerprint, version)
        select ${made!.id}, n::text, ${workspace}, n, 'x', 'made', id, repeat('a', 64), 1
        from unnest(${posts}::uuid[]) with ordinality as p (id, n)`;
    },
    async go(tx, going) {
      await asOwner(tx, going);
      await tx`select public.undo_import(i.workspace_id, i.id) from public.imports i where i.workspace_id = ${going.workspace}`;
    },
  },
};

interface Transaction {
  pid: number;
  worked: Promise<unknown>;
  end(): Promise<unknown>;
}
async function transaction(work: (tx: TransactionSql) => Promise<unknown>): Promise<Transaction> {
  const [begun, ending] = [Promise.withResolvers<number>(), Promise.withResolvers<void>()];
  let worked: Promise<unknown> = Promise.resolve();
  const over = sql.begin(async (tx) => {
    const [row] = await tx`select pg_backend_pid() as pid`;
    worked = work(tx);
    begun.resolve(row!.pid as number);
    await worked;
    await ending.promise;
    throw new Error("rolled back");
  });
  over.catch(() => {});
  return { pid: await begun.promise, worked, end: () => (ending.resolve(), over.catch(() => {})) };
}
const waitsFor = ({ pid }: Transaction, other: Transaction) =>
  expect
    .poll(async () => (await sql`select pg_blocking_pids(${pid}) as pids`)[0]!.pids as number[], { timeout: 30_000, interval: 10 })
    .toContain(other.pid);

test.each(Object.entries(ways))("posts that %s during sending and a change of frequency cause no deadlock", (_, { prepare, go }) =>
  withWorkspace(sql, 0, async ({ owner, workspace }) => {
    await sql`update public.workspaces set public_changelog_enabled = true where id = ${workspace}`;
    await sql`update public.mail_settings set undo_minutes = 60 where workspace_id = ${workspace}`;
    const [reader] = await sql`insert into public.subscribers (workspace_id, email, status, frequency, confirmed_at)
      values (${workspace}, 'daily@reader.example', 'active', 'daily', now()) returning id`;
    for (let count = 0; count < 3; count += 1)
      await committedAs(sql, owner, (tx) => tx`select public.create_post(${workspace}, 'News', ${content}, status => 'published')`);
    await sql`update private.events set due_at = now() + interval '55 seconds', reached = gen_random_uuid() where workspace_id = ${workspace}`;
    const events = await sql`select id, post_id from private.events where workspace_id = ${workspace} order by id`;
    const [, second, first] = events.map(({ post_id }) => post_id as string);
    const going: Going = { owner, workspace, posts: [second!, first!] };

    const open: Transaction[] = [];
    const begin = async (work: (tx: TransactionSql) => Promise<unknown>) => {
      open.push(await transaction(work));
      return open.at(-1)!;
    };
    try {
      const telling = await begin((tx) => tx`select from private.events where id = ${events[0]!.id as string} for update`);
      await telling.worked;
      const reading = await begin((tx) => tx`select private.change_rhythm(${reader!.id as string}, 'instant')`);
      await waitsFor(reading, telling);
      await prepare?.(going);
      const pausing = await begin(async (tx) => {
        await tx`set local session_replication_role = replica`;
        await tx`insert into public.post_revisions
          select (jsonb_populate_record(r, jsonb_build_object('version', r.version + 1))).* from public.post_revisions r
          where r.post_id = ${second!} order by r.version desc limit 1`;
        await tx`select from public.post_revisions where post_id = ${second!} for update`;
      });
      await pausing.worked;
      const leaving = await begin((tx) => go(tx, going));
      await waitsFor(leaving, pausing);
      await telling.end();
      await waitsFor(reading, leaving);
      await pausing.end();
      await leaving.worked;
      await leaving.end();
      await reading.worked;
    } finally {
      await Promise.all(open.map(({ end }) => end()));
    }
  }),
);
