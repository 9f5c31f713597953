/**
 * What a workspace's readers and writers wait while another one does its worst. Usage: node tests/bench/neighbour.ts [seconds of each attack]
 * [words of an attack's name]. Ends with 1 when a figure misses its limit. Attackers, neighbours and product share this machine.
 */
import { fork } from "node:child_process";
import path from "node:path";
import postgres from "postgres";
import { startStack } from "../support/stack.ts";
import { makeBenchPlace } from "./api/people.ts";
import { type Attacker, attacks, longest } from "./neighbour/attacks.ts";
import { live, type Neighbour, type Times } from "./neighbour/neighbour.ts";
import { Report } from "./report.ts";

const seconds = Number(process.argv[2] ?? 6);
const chosen = Object.keys(attacks).filter((name) => name.includes(process.argv[3] ?? ""));
const limits = { page: 50, save: 150 };
const report = new Report();

const stack = await startStack(); // with the limits that everybody has
const sql = postgres(stack.dbUrl, { max: 1, onnotice: () => {} });
try {
  const neighbour = await makeNeighbour();
  const attacker = await makeAttacker();
  await live(neighbour, 3_000); // warms caches and compilers
  const quiet = await live(neighbour, seconds * 1_000);
  judge("nobody attacks", quiet);
  for (const name of chosen) {
    const attacking = (await ready())(attacker, name, seconds * 1_000);
    const times = await live(neighbour, seconds * 1_000);
    judge(`${name} (answers: ${JSON.stringify(await attacking)})`, times, quiet);
    await live(neighbour, 2_000); // what is left of it
  }
} finally {
  await sql.end();
  await stack.stop();
}
report.end();

function judge(name: string, { page, save, failed }: Times, quiet?: Times): void {
  const against = (ms: number, before: number | undefined) => (before === undefined ? "" : `, ${(ms / before).toFixed(1)} × quiet`);
  report.judge(`${name}: page p99${against(page, quiet?.page)}`, page, "at most", limits.page, "ms");
  report.judge(`${name}: save p99${against(save, quiet?.save)}`, save, "at most", limits.save, "ms");
  report.judge(`${name}: failed`, failed, "at most", 0, "");
}

/** An attacker whose start is over: a process that begins takes a core for itself. */
async function ready(): Promise<(attacker: Attacker, name: string, ms: number) => Promise<Record<string, number>>> {
  const child = fork(path.join(import.meta.dirname, "neighbour/attacker.ts"));
  const said = () => new Promise<unknown>((resolve, reject) => child.once("message", resolve).once("error", reject));
  await said();
  return async (attacker, name, ms) => {
    child.send({ attacker, name, ms });
    return (await said()) as Record<string, number>;
  };
}

/** Makes a workspace's changelog public, with all its posts in it. */
async function publish(workspaceId: string): Promise<{ subdomain: string; posts: { id: string; slug: string }[] }> {
  const posts = await sql<{ id: string; slug: string }[]>`
    update public.posts set status = 'published' where workspace_id = ${workspaceId} returning id, slug`;
  const [workspace] = await sql<{ subdomain: string }[]>`
    update public.workspaces set public_changelog_enabled = true where id = ${workspaceId} returning subdomain`;
  return { subdomain: workspace?.subdomain ?? "", posts };
}

async function makeNeighbour(): Promise<Neighbour> {
  const { workspaceId, postIds, people } = await makeBenchPlace(stack, 20, 20);
  const { subdomain, posts } = await publish(workspaceId);
  const writers = people.map(({ token }, index) => ({ token, postId: postIds[index]! }));
  return { port: stack.ports.gateway!, subdomain, slugs: posts.slice(0, 5).map(({ slug }) => slug), writers };
}

async function makeAttacker(): Promise<Attacker> {
  const { workspaceId, postIds, people } = await makeBenchPlace(stack, 10, 31);
  const [shortPost = ""] = postIds;
  await sql`update public.posts set content_raw = ${sql.json({ blocks: longest })} where workspace_id = ${workspaceId} and id <> ${shortPost}`;
  const { subdomain, posts } = await publish(workspaceId);
  return {
    port: stack.ports.gateway!,
    publishableKey: stack.publishableKey,
    workspaceId,
    subdomain,
    tokens: people.map(({ token }) => token),
    longPosts: posts.filter(({ id }) => id !== shortPost),
    shortPost,
  };
}
