/**
 * What an API key costs: the list of posts by key beside the same list by session, in turns, and what Postgres is asked more than for a session.
 * Usage: node tests/bench/keys.ts [rounds]. Ends with 1 when a figure misses its limit.
 */
import postgres from "postgres";
import { apiKeyScopes } from "#contract/api-key-scopes.ts";
import { hashOfApiKey } from "#contract/rules/api-key.ts";
import { startStack } from "../support/stack.ts";
import { makeBenchPlace } from "./api/people.ts";
import { inPairs, median, quantile, Report } from "./report.ts";

const rounds = Number(process.argv[2] ?? 5) * 100;
const limits = {
  /** A key is looked up and counted in Postgres at every call, a session's token is remembered for half a minute; the way to the rows is shorter. */
  list: 1.3,
  /** 0.75 ms of one call, at one connection, where a plain count takes 0.09: looking a key up, counting the call, and beginning it. */
  added: 12,
};
const report = new Report();

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Several things in turns, each first as often as last; after some rounds that count for nothing. */
async function inTurns(...ways: (() => Promise<unknown>)[]): Promise<number[][]> {
  const times: number[][] = ways.map(() => []);
  for (let round = -50; round < rounds; round++) {
    for (let turn = 0; turn < ways.length; turn++) {
      const which = (round + 50 + turn) % ways.length;
      const ms = await timed(ways[which]!);
      if (round >= 0) times[which]!.push(ms);
    }
  }
  return times;
}

const stack = await startStack({ env: { RATE_LIMIT_SCALE: "100000" } });
const { workspaceId, people } = await makeBenchPlace(stack, 1, 500);
const owner = people[0]!;
const sql = postgres(stack.ownerUrl, { max: 1, onnotice: () => {} });
try {
  const ask = async (token: string, path: string, body?: object): Promise<unknown> => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const answer = await fetch(stack.url + path, { method: body ? "POST" : "GET", headers, body: body && JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return await answer.json();
  };
  const made = await ask(owner.token, `/api/workspaces/${workspaceId}/keys`, { name: "Bench", scopes: apiKeyScopes });
  const { key, secret } = made as { key: { id: string }; secret: string };

  const [byKey, bySession] = (await inTurns(
    () => ask(secret, "/api/v1/posts?limit=20"),
    () => ask(owner.token, `/api/workspaces/${workspaceId}/posts?limit=20`),
  )) as [number[], number[]];
  report.compare(
    "list of 20 posts by key",
    inPairs(byKey, bySession, "ms", "by session"),
    "at most",
    limits.list,
    `p95 ${quantile(byKey, 0.95).toFixed(1)} and ${quantile(bySession, 0.95).toFixed(1)} ms`,
  );
  const [own, session] = (await inTurns(
    () => ask(secret, "/api/v1/key"),
    () => ask(owner.token, "/api/profiles/me"),
  )) as [number[], number[]];
  report.tell("what the key is, by key", median(own), "ms", `a profile by session ${median(session).toFixed(2)} ms`);

  const hash = await hashOfApiKey(secret);
  const claims = JSON.stringify({ sub: owner.id, role: "authenticated", session_id: owner.id });
  const list = (transaction: postgres.TransactionSql) =>
    transaction`select public.list_posts(workspace_id => ${workspaceId}, page_size => 20)`;
  await sql`create table public.plain_counts (id int primary key, n int not null)`;
  const [withKey, withSession, plainly] = (await inTurns(
    async () => {
      await sql`select row_to_json(k) from private.admit_key(decode(${hash}, 'hex'), 100000000, 60) as k`;
      await sql.begin((me) => Promise.all([me`select private.begin_key_call(${key.id}, 'list_posts')`, list(me)]));
    },
    () =>
      sql.begin((me) =>
        Promise.all([me`select set_config('role', 'authenticated', true), set_config('request.jwt.claims', ${claims}, true)`, list(me)]),
      ),
    () => sql`insert into public.plain_counts values (1, 1) on conflict (id) do update set n = plain_counts.n + 1`,
  )) as [number[], number[], number[]];
  report.compare(
    "what a key adds to a call in Postgres",
    inPairs(
      withKey.map((ms, round) => ms - withSession[round]!),
      plainly,
      "ms",
      "a plain count, committed",
    ),
    "at most",
    limits.added,
    `${median(withKey).toFixed(2)} and ${median(withSession).toFixed(2)} ms`,
  );
} finally {
  await sql.end();
  await stack.stop();
}
report.end();
