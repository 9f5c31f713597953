/**
 * What an API key costs: the list of posts by key beside the same list by session, in turns, and what Postgres is asked more than for a session.
 * Usage: node tests/bench/keys.ts [rounds]. Ends with 1 when a figure misses its limit.
 */
import postgres from "postgres";
import { apiKeyScopes } from "#contract/api-key-scopes.ts";
import { hashOfApiKey } from "#contract/rules/api-key.ts";
import { startStack } from "../support/stack.ts";
import { makeBenchPlace } from "./api/people.ts";
import { median, quantile, Report } from "./report.ts";

const rounds = Number(process.argv[2] ?? 5) * 100;
const limits = {
  /** A key is looked up and counted in Postgres at every call, a session's token is remembered for half a minute; the way to the rows is shorter. */
  list: 1.3,
  /** Of one call, at one connection: looking a key up, counting the call, and beginning it. */
  added: 1,
};
const report = new Report();

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Two ways to the same in turns, each first as often as second; after some that count for nothing. */
async function inTurns(one: () => Promise<unknown>, other: () => Promise<unknown>): Promise<[number[], number[]]> {
  const times: [number[], number[]] = [[], []];
  for (let round = -50; round < rounds; round++) {
    for (const which of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const ms = await timed(which === 0 ? one : other);
      if (round >= 0) times[which].push(ms);
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

  const [byKey, bySession] = await inTurns(
    () => ask(secret, "/api/v1/posts?limit=20"),
    () => ask(owner.token, `/api/workspaces/${workspaceId}/posts?limit=20`),
  );
  report.compare(
    "list of 20 posts by key",
    { measured: median(byKey), reference: median(bySession), unit: "ms", against: "by session" },
    "at most",
    limits.list,
    `p95 ${quantile(byKey, 0.95).toFixed(1)} and ${quantile(bySession, 0.95).toFixed(1)} ms`,
  );
  const [own, session] = await inTurns(
    () => ask(secret, "/api/v1/key"),
    () => ask(owner.token, "/api/profiles/me"),
  );
  report.tell("what the key is, by key", median(own), "ms", `a profile by session ${median(session).toFixed(2)} ms`);

  const hash = await hashOfApiKey(secret);
  const claims = JSON.stringify({ sub: owner.id, role: "authenticated", session_id: owner.id });
  const list = (transaction: postgres.TransactionSql) =>
    transaction`select public.list_posts(workspace_id => ${workspaceId}, page_size => 20)`;
  const [withKey, withSession] = await inTurns(
    async () => {
      await sql`select row_to_json(k) from private.admit_key(decode(${hash}, 'hex'), 100000000, 60) as k`;
      await sql.begin((me) => Promise.all([me`select private.begin_key_call(${key.id}, 'list_posts')`, list(me)]));
    },
    () =>
      sql.begin((me) =>
        Promise.all([me`select set_config('role', 'authenticated', true), set_config('request.jwt.claims', ${claims}, true)`, list(me)]),
      ),
  );
  const added = median(withKey) - median(withSession);
  report.judge(
    "what a key adds to a call in Postgres",
    added,
    "at most",
    limits.added,
    "ms",
    `${median(withKey).toFixed(2)} and ${median(withSession).toFixed(2)} ms`,
  );
} finally {
  await sql.end();
  await stack.stop();
}
report.end();
