import fs from "node:fs";
import path from "node:path";
import postgres from "postgres";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { startFunction } from "../api/support/second-function.ts";
import { type RunningStack, startStack, type StackFile } from "../support/stack.ts";
import { kill9, runningPid } from "./support/processes.ts";
import { type Fate, type MailSink, startMailSink } from "./support/mail-sink.ts";
import { makePlace, type Place } from "./support/writers.ts";

const readers = 500;
const patience = { timeout: 90_000, interval: 100 };
let stack: RunningStack;
let sql: postgres.Sql;
let service: MailSink;
beforeAll(async () => {
  service = await startMailSink(4);
  const mail = {
    TIDINGS_MAIL_API_URL: service.url,
    TIDINGS_MAIL_API_KEY: "mail-key",
    TIDINGS_MAIL_FROM: "Tidings <hello@tidings.example>",
    TIDINGS_MAIL_RATE: "400",
  };
  stack = await startStack({
    args: ["serve"],
    env: { TIDINGS_PUBLIC_URL: "https://tidings.example", TIDINGS_RATE_LIMIT_SCALE: "1000", ...mail },
  });
  sql = postgres(stack.dbUrl, { max: 2, onnotice: () => {} });
});
afterEach(() => void (service.mails.length = 0));
afterAll(async () => {
  await sql?.end({ timeout: 5 });
  await stack?.stop();
  service?.stop();
});

async function mailingPlace(addresses: string[]): Promise<Place> {
  const place = await makePlace(stack);
  await sql`update public.workspaces set public_changelog_enabled = true where id = ${place.workspaceId}`;
  await sql`update public.mail_settings set undo_minutes = 0 where workspace_id = ${place.workspaceId}`;
  await sql`insert into public.subscribers (workspace_id, email, status, confirmed_at)
    select ${place.workspaceId}, email, 'active', now() from unnest(${addresses}::text[]) as email`;
  return place;
}

const manyReaders = () => Array.from({ length: readers }, (_, at) => `r${at}.${crypto.randomUUID().slice(0, 8)}@reader.example`);

async function publish({ token, workspaceId }: Place, url = stack.url): Promise<void> {
  const answer = await fetch(`${url}/api/posts`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify({
      ...{ title: "News", workspace_id: workspaceId, status: "published" },
      blocks: [{ type: "paragraph", data: { text: "While something was killed." } }],
    }),
  });
  expect(answer.status).toBe(201);
}

/** Makes retries due, and ends leases that began before `killed`. */
async function retryNow(workspaceId: string, killed = new Date(0)): Promise<void> {
  await sql`update private.deliveries set due_at = clock_timestamp() where workspace_id = ${workspaceId} and state = 'waiting' and due_at > clock_timestamp()`;
  await sql`update private.jobs set run_at = clock_timestamp()
    where workspace_id = ${workspaceId} and (locked_by is null or locked_at < ${killed}) and run_at > clock_timestamp()`;
}

const states = async (workspaceId: string) =>
  Object.fromEntries(
    (
      await sql<{ state: string; count: number }[]>`
        select state, count(*)::int as count from private.deliveries where workspace_id = ${workspaceId} group by state`
    ).map(({ state, count }) => [state, count]),
  );

const heard = (count: number) => vi.waitFor(() => expect(service.mails.length).toBeGreaterThanOrEqual(count), { ...patience, interval: 5 });
const pidsNow = () => (JSON.parse(fs.readFileSync(path.join(stack.dataDir, "stack.json"), "utf8")) as StackFile).pids;

test("kill -9 of worker and Postgres in 500 deliveries: every reader gets one or two emails, with one id", async () => {
  const addresses = manyReaders();
  const place = await mailingPlace(addresses);
  await publish(place);
  await heard(60);
  await kill9(() => pidsNow().functions.api);
  const killed = new Date();
  await retryNow(place.workspaceId, killed);
  await heard(260);
  await kill9(() => pidsNow().postgres);
  await vi.waitFor(async () => {
    await retryNow(place.workspaceId, killed);
    expect(await states(place.workspaceId)).toEqual({ done: readers });
  }, patience);
  const times = Map.groupBy(service.mails, ({ to }) => to);
  expect([...times.keys()].toSorted()).toEqual(addresses.toSorted());
  for (const mails of times.values()) {
    expect(mails.length).toBeLessThanOrEqual(2);
    expect(new Set(mails.map(({ key, messageId }) => `${key} ${messageId}`)).size).toBe(1);
    expect(mails[0]!.messageId).toBe(`<${mails[0]!.key}@tidings.example>`);
  }
  const twice = [...times.values()].filter(({ length }) => length === 2).length;
  console.log(`worker and Postgres killed in ${readers} deliveries: 0 lost, ${twice} heard twice, under the same ids`);
});

test("two concurrent workers send every reader one email", async () => {
  const mail = { TIDINGS_MAIL_API_URL: service.url, TIDINGS_MAIL_API_KEY: "mail-key", TIDINGS_MAIL_RATE: "400" };
  const other = await startFunction(stack, "api", { TIDINGS_PUBLIC_URL: "https://tidings.example", ...mail });
  try {
    const addresses = manyReaders();
    const place = await mailingPlace(addresses);
    await publish(place);
    const wake = async (url: string) => void (await fetch(`${url}/api/jobs/run`, { method: "POST" }));
    while ((await states(place.workspaceId)).done !== readers) await Promise.all([wake(stack.url), wake(other.url)]);
    expect(service.mails.map(({ to }) => to).toSorted()).toEqual(addresses.toSorted());
    console.log(`two workers: ${readers} mails, 0 doubles`);
  } finally {
    await other.stop();
  }
});

test("a mail service that hangs, fails, is busy, rejects or drops its answer gets each email again with the same id, or never if retrying is pointless", async () => {
  let isWell = false;
  const ills: Record<string, Fate> = {
    well: { status: 200 },
    hangs: null,
    fails: { status: 500 },
    busy: { status: 429, headers: { "retry-after": "600" } },
    loses: "lost",
    refuses: { status: 422 },
  };
  const sink = await startMailSink(0, ({ to }) => (isWell ? { status: 200 } : ills[to.split(".", 1)[0]!]!));
  const mail = { TIDINGS_MAIL_API_URL: sink.url, TIDINGS_MAIL_API_KEY: "mail-key", TIDINGS_MAIL_RATE: "400" };
  const worker = await startFunction(stack, "api", { TIDINGS_PUBLIC_URL: "https://tidings.example", ...mail });
  const place = await mailingPlace(Object.keys(ills).map((name) => `${name}.${crypto.randomUUID().slice(0, 8)}@reader.example`));
  const own = await runningPid(() => pidsNow().functions.api);
  process.kill(own, "SIGSTOP"); // or it would send some
  try {
    await publish(place, worker.url);
    const wake = async () => void (await fetch(`${worker.url}/api/jobs/run`, { method: "POST" }));
    const rows = () => sql<{ name: string; state: string; attempt: number; status: number | null; wait: number }[]>`
      select split_part(s.email::text, '.', 1) as name, d.state, d.attempt, d.status, extract(epoch from d.due_at - clock_timestamp())::int as wait
      from private.deliveries d join public.subscribers s on s.id = d.target_id where d.workspace_id = ${place.workspaceId}`;
    const ended = async () => {
      await wake();
      expect(
        await sql`select from private.jobs where workspace_id = ${place.workspaceId} and (locked_by is not null or run_at < now())`,
      ).toEqual([]);
      expect(await rows()).toHaveLength(6);
    };
    await vi.waitFor(ended, patience);
    const first = Object.fromEntries((await rows()).map(({ name, ...row }) => [name, row]));
    expect(first).toMatchObject({
      well: { state: "done", attempt: 1, status: 200 },
      hangs: { state: "waiting", attempt: 2, status: null },
      fails: { state: "waiting", attempt: 2, status: 500 },
      busy: { state: "waiting", attempt: 2, status: 429 },
      loses: { state: "waiting", attempt: 2, status: null },
      refuses: { state: "failed", attempt: 1, status: 422 },
    });
    expect(first["busy"]!.wait).toBeGreaterThan(first["fails"]!.wait + 300);
    isWell = true;
    await retryNow(place.workspaceId);
    await vi.waitFor(ended, patience);
    expect(await states(place.workspaceId)).toEqual({ done: 5, failed: 1 });
    for (const [name, mails] of Map.groupBy(sink.mails, ({ to }) => to.split(".", 1)[0]!)) {
      const least = ["well", "refuses"].includes(name) ? 1 : 2;
      expect([name, mails.length === least || (name === "loses" && mails.length === 3)]).toEqual([name, true]);
      expect(new Set(mails.map(({ key, messageId }) => `${key} ${messageId}`)).size).toBe(1);
    }
  } finally {
    process.kill(own, "SIGCONT");
    await worker.stop();
    sink.stop();
  }
});
