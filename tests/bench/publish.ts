/** Publishing to 300,000 readers: neither the save nor a batch of emails grows with them, and each gets one. Run: node tests/bench/publish.ts. */
import postgres from "postgres";
import { startStack } from "../support/stack.ts";
import { inPairs, Report } from "./report.ts";

const readers = 300_000;
const batch = 500;
const compared = 50;
const report = new Report();
const stack = await startStack(); // without a mail service, so only this program sends
const sql = postgres(stack.dbUrl, { max: 1, onnotice: () => {} });
try {
  const [many, none] = [await workspaceOf(readers), await workspaceOf(0)];
  await sql`vacuum (analyze) public.subscribers`;
  const saves: [number[], number[]] = [[], []];
  let job = "";
  for (let run = 0; run < compared; run += 1) {
    job = await publish(many, saves[0]);
    await publish(none, saves[1]);
  }
  report.compare("publish to 300,000 readers", inPairs(...saves, "ms", "no readers"), "at most", 1.3);

  const batches: number[] = [];
  const reached = new Set<string>();
  const began = performance.now();
  for (let emails = await next(job, batches); emails.length > 0; emails = await next(job, batches)) {
    for (const { email } of emails) reached.add(email);
    const outcomes = emails.map(({ id }) => ({ id, outcome: "done" }));
    await sql`select public.settle_emails(${job}, ${sql.json(outcomes)})`;
  }
  const seconds = (performance.now() - began) / 1_000;
  report.judge("emails to 300,000 readers, prepared and recorded", Math.round(reached.size / seconds), "at least", 2_000, "/s");
  report.judge("readers who got one", reached.size, "at least", readers, "");
  const growth = inPairs(batches.slice(-compared - 1, -1), batches.slice(1, compared + 1), "ms", "the first");
  report.compare("the last batches of 500", growth, "at most", 1.3);
  report.end();
} finally {
  await sql.end();
  await stack.stop();
}

/** A public workspace, old enough to send as much as it wants. */
async function workspaceOf(subscribers: number): Promise<string> {
  const [{ id }] = await sql<[{ id: string }]>`
    insert into public.workspaces (name, subdomain, public_changelog_enabled, created_at)
    values ('Bench', ${`bench-${subscribers}`}, true, now() - interval '30 days') returning id`;
  await sql`update public.mail_settings set undo_minutes = 0 where workspace_id = ${id}`;
  await sql`insert into public.subscribers (workspace_id, email, status, confirmed_at)
    select ${id}, 'r' || n || '@reader.example', 'active', now() from generate_series(1, ${subscribers}::int) as n`;
  return id;
}

/** Its job's id. */
async function publish(workspace: string, times: number[]): Promise<string> {
  const content = { blocks: [{ type: "paragraph", data: { text: "Words of a post. ".repeat(40) } }] };
  const began = performance.now();
  const [post] = await sql<[{ id: string }]>`
    insert into public.posts (workspace_id, title, content_raw, status) values (${workspace}, 'News', ${sql.json(content)}, 'published') returning id`;
  times.push(performance.now() - began);
  return (await sql<[{ id: string }]>`select id from private.events where post_id = ${post.id}`)[0].id;
}

async function next(job: string, times: number[]): Promise<readonly { id: string; email: string }[]> {
  const began = performance.now();
  const emails = await sql<{ id: string; email: string }[]>`select id, email from public.emails_to_send(${job}, ${batch})`;
  times.push(performance.now() - began);
  return emails;
}
