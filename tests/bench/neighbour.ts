/** Latency of a workspace's readers and writers while another attacks: [seconds of each attack] [words of an attack's name]. */
import { fork } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import postgres from "postgres";
import { startStack } from "../support/stack.ts";
import { makeBenchPlace } from "./api/people.ts";
import type { Order } from "./neighbour/attacker.ts";
import { type Attacker, attackNames, longest, type Outcome } from "./neighbour/attacks.ts";
import { peaksOf } from "./neighbour/memory.ts";
import { callsOf, live, type Neighbour, p99 } from "./neighbour/neighbour.ts";
import { Report } from "./report.ts";

const attackMs = Number(process.argv[2] ?? 10) * 1_000;
const chosen = attackNames.filter((name) => name.includes(process.argv[3] ?? ""));
const limits = { page: 500, save: 1_000, megabytes: 1_500 };
const report = new Report();

const stack = await startStack();
const sql = postgres(stack.dbUrl, { max: 1, onnotice: () => {} });
const neighbour = await makeNeighbour();
const attacker = await makeAttacker();
try {
  const calls = callsOf(neighbour);
  await live(calls, 3_000);
  const quiet = await live(calls, attackMs / 2);
  report.tell("no attack: page p99", p99(quiet.page), "ms");
  report.tell("no attack: save p99", p99(quiet.save), "ms");
  for (const name of chosen) {
    const attacking = (await ready())({ attacker, name, ms: attackMs });
    const { page, save, failed } = await live(calls, attackMs);
    const answers = Object.entries(await attacking).map(([status, count]) => `${count} × ${status === "-1" ? "none" : status}`);
    await live(calls, 1_000);
    report.judge(`${name}: page p99`, p99(page), "at most", limits.page, "ms", `${(p99(page) / p99(quiet.page)).toFixed(1)} × quiet`);
    report.judge(`${name}: save p99`, p99(save), "at most", limits.save, "ms", `${(p99(save) / p99(quiet.save)).toFixed(1)} × quiet`);
    report.judge(`${name}: failed`, failed, "at most", 0, "", `attackers were answered ${answers.join(", ")}`);
  }
  for (const [part, peak] of Object.entries(peaksOf(stack))) {
    report.judge(`most memory of ${part}`, peak, "at most", limits.megabytes, "MB");
    report.judge(`restarts of ${part}`, peak === 0 ? 1 : 0, "at most", 0, "");
  }
} finally {
  await sql.end();
  await stack.stop();
}
report.end();

async function ready(): Promise<(order: Order) => Promise<Outcome>> {
  const child = fork(path.join(import.meta.dirname, "neighbour/attacker.ts"), { detached: true });
  yieldToOthers(child.pid!);
  const said = () => new Promise<unknown>((resolve, reject) => child.once("message", resolve).once("error", reject));
  await said();
  return async (order) => {
    child.send(order);
    return (await said()) as Outcome;
  };
}

/** Gives a process the lowest priority. Linux may schedule by sessions, so its session gets it too. */
function yieldToOthers(pid: number): void {
  os.setPriority(pid, os.constants.priority.PRIORITY_LOW);
  const session = `/proc/${pid}/autogroup`;
  if (existsSync(session)) writeFileSync(session, String(os.constants.priority.PRIORITY_LOW));
}

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
  await sql`insert into storage.objects (bucket_id, name)
    select 'post-images', ${workspaceId} || '/' || gen_random_uuid() || '.png' from generate_series(1, 20000)`;
  const { subdomain, posts } = await publish(workspaceId);
  return {
    port: stack.ports.gateway!,
    publishableKey: stack.publishableKey,
    workspaceId,
    subdomain,
    tokens: people.map(({ token }) => token),
    longPosts: posts.filter(({ id }) => id !== shortPost),
    shortPost,
    neighbour: neighbour.subdomain,
  };
}
