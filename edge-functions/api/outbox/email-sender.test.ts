import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { readEnv } from "../../_shared/env.ts";
import { EmailSender } from "./email-sender.ts";
import type { Job } from "../../_shared/jobs.ts";
import type { Delivery, MailedPost } from "./mails.ts";

type Answer = (args: Record<string, unknown>, query: URLSearchParams) => unknown;

const answers: Record<string, Answer> = {};
const calls: { name: string; select: string | null; args: Record<string, unknown> }[] = [];
const sent: { to: string; subject: string; html: string; key: string }[] = [];
const server = http.createServer((request, response) => {
  let text = "";
  request.on("data", (chunk: Buffer) => (text += chunk.toString()));
  request.on("end", () => {
    const { pathname, searchParams } = new URL(request.url!, "http://here");
    const body = JSON.parse(text || "{}") as Record<string, unknown>;
    if (pathname === "/mail") {
      sent.push({ ...(body as { to: string; subject: string; html: string }), key: request.headers["idempotency-key"] as string });
      response.end("{}");
      return;
    }
    const answer = ask(pathname, searchParams, body);
    if (answer instanceof Response) return void response.writeHead(answer.status, { "content-type": "application/json" }).end("{}");
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
  });
});
function ask(pathname: string, query: URLSearchParams, args: Record<string, unknown>): unknown {
  const name = pathname.split("/").at(-1)!;
  calls.push({ name, select: query.get("select"), args });
  return answers[name]?.(args, query) ?? null;
}
let env: ReturnType<typeof readEnv>;
beforeAll(async () => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  env = envAt(url, 100_000);
});
function envAt(url: string, mailRate: number): ReturnType<typeof readEnv> {
  const values: Record<string, string> = {
    ...{ SUPABASE_URL: url, SUPABASE_ANON_KEY: "a", SUPABASE_SERVICE_ROLE_KEY: "s", SUPABASE_DB_URL: "postgres://nowhere" },
    ...{ TIDINGS_PUBLIC_URL: "https://tidings.example", TIDINGS_MAIL_API_URL: `${url}/mail`, TIDINGS_MAIL_RATE: String(mailRate) },
  };
  return readEnv((name) => values[name]);
}
afterEach(() => {
  calls.length = 0;
  sent.length = 0;
  for (const name of Object.keys(answers)) delete answers[name];
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

const deliveryTo = (reader: number, fields: Partial<Delivery> = {}): Delivery => ({
  ...{ id: `delivery-${reader}`, kind: "post", workspace_id: "w", workspace_name: "Acme", subdomain: "acme", token: "t" },
  ...{ logo_url: null as unknown as string, sender_name: null as unknown as string, reply_to: null as unknown as string },
  ...{ email: `r${reader}@reader.example`, posts: ["p"], month: null as unknown as string },
  ...{ appearance: null, domain: null as unknown as string, about: null as unknown as string, told: null },
  ...fields,
});
const post = (version = 1): MailedPost => ({
  ...{ id: "p", slug: "news", title: `News ${version}`, excerpt: "", tags: [], author_name: "Ada", version, details: {}, images: null },
  ...{ published_at: "2026-03-10T10:00:00Z", content_raw: { blocks: [{ type: "paragraph", data: { text: `Version ${version}` } }] } },
});

/** Emails of one job, left until they are settled. */
function deliveries(count: number, fieldsOf: (at: number) => Partial<Delivery> = () => ({})): void {
  const left = new Map(Array.from({ length: count }, (_, at) => [`delivery-${at}`, deliveryTo(at, fieldsOf(at))]));
  answers["emails_to_send"] = ({ batch }) => [...left.values()].slice(0, Number(batch));
  answers["settle_emails"] = ({ outcomes }) => {
    for (const { id } of outcomes as { id: string }[]) left.delete(id);
    return left.size > 0 ? 0 : null;
  };
}
async function deliver(env: ReturnType<typeof readEnv>, sender = new EmailSender(env, env.mail!)): Promise<void> {
  while ((await sender.run({ id: "job" } as Job)) === 0);
}
const refusal = (status: number) => new Response("{}", { status });
const contentsRead = () => calls.filter(({ name, select }) => name === "mail_posts" && select === null).length;
const outcomes = () =>
  calls.filter(({ name }) => name === "settle_emails").flatMap(({ args }) => args["outcomes"] as { id: string; outcome: string }[]);

test("a post is rendered once for all recipients; its visibility is checked per batch", async () => {
  deliveries(350);
  answers["mail_posts"] = () => [post()];
  await deliver(env);
  expect(sent).toHaveLength(350);
  expect(new Set(sent.map(({ key }) => key)).size).toBe(350);
  expect(contentsRead()).toBe(1);
  expect(calls.filter(({ name, select }) => name === "mail_posts" && select !== null)).toHaveLength(4);
  expect(outcomes().filter(({ outcome }) => outcome === "done")).toHaveLength(350);
});

test("a changed post is sent in its current version, a hidden one isn't sent", async () => {
  deliveries(300);
  let batches = 0;
  answers["mail_posts"] = (_, query) => {
    if (query.has("select")) batches += 1;
    return batches > 2 ? [] : [post(batches)];
  };
  await deliver(env);
  expect(sent.filter(({ html }) => html.includes("Version 1"))).toHaveLength(100);
  expect(sent.filter(({ html, subject }) => html.includes("Version 2") && subject === "News 2")).toHaveLength(100);
  expect(sent).toHaveLength(200);
  expect(outcomes().filter(({ outcome }) => outcome === "dropped")).toHaveLength(100);
  expect(contentsRead()).toBe(2);
});

test("a post is rendered again after a change of appearance or language", async () => {
  deliveries(200, (at) => {
    const settings = at < 100 ? { locale: "de" } : { locale: "ar", accent: "#5b21b6" };
    return { appearance: { settings, logo_dark_url: null, favicon_url: null } };
  });
  answers["mail_posts"] = () => [post()];
  await deliver(env);
  expect(sent.filter(({ html }) => html.includes("Im Web lesen") && html.includes("#0b6b62"))).toHaveLength(100);
  expect(sent.filter(({ html }) => html.includes("القراءة على الويب") && html.includes("#5b21b6"))).toHaveLength(100);
  expect(contentsRead()).toBe(2);
});

test("sent emails are recorded despite a short database outage", async () => {
  deliveries(3);
  answers["mail_posts"] = () => [post()];
  let away = 2;
  const settle = answers["settle_emails"]!;
  answers["settle_emails"] = (args, query) => (away-- > 0 ? refusal(503) : settle(args, query));
  await deliver(env);
  expect(sent).toHaveLength(3);
  expect(
    outcomes()
      .slice(-3)
      .map(({ outcome }) => outcome),
  ).toEqual(["done", "done", "done"]);
});

test("an unreadable post is retried with everything in its batch that needs it", async () => {
  deliveries(2);
  answers["mail_posts"] = () => refusal(500);
  await deliver(env);
  expect(sent).toHaveLength(0);
  expect(outcomes().map(({ outcome }) => outcome)).toEqual(["again", "again"]);
});

test("a report's numbers are calculated once per batch", async () => {
  deliveries(130, () => ({ kind: "report", posts: [], month: "2026-10-01" }));
  const totals = { views: 7, readers: 0, widget_opens: 0, clicks: 0, subscribed: 0, left: 0, mails_sent: 0 };
  const nothing = { open: false, published: 0, posts: [], most_read: [], referrers: [], searches: [] };
  answers["report_numbers"] = () => ({ ...nothing, totals, previous: totals });
  await deliver(env);
  expect(sent.filter(({ subject }) => subject === "Acme in October 2026: 7 views")).toHaveLength(130);
  expect(calls.filter(({ name }) => name === "report_numbers").map(({ args }) => args)).toEqual(
    Array(2).fill({ workspace_id: "w", month: "2026-10-01" }),
  );
  expect(outcomes().filter(({ outcome }) => outcome === "done")).toHaveLength(130);
});

test("a job that gets nothing now is run again in ten minutes, or when its next email is due", async () => {
  const sender = new EmailSender(env, env.mail!);
  const run = () => sender.run({ id: "job" } as Job);
  answers["emails_to_send"] = () => [];
  answers["settle_emails"] = () => -5;
  expect(await run()).toBe(600);
  answers["settle_emails"] = () => 45;
  expect(await run()).toBe(45);
  answers["settle_emails"] = () => null;
  expect(await run()).toBeUndefined();
});

describe("by the clock", () => {
  const start = Date.parse("2026-03-10T10:00:00Z");
  const second = () => (Date.now() - start) / 1_000;
  let began: number[];
  let ended: { id: string; at: number }[];
  let claims: { at: number; size: number }[];
  let recorded: { id: string; outcome: string; at: number }[];
  let transport: { ms: number; connections: number };
  let busy: number;

  beforeEach(() => {
    vi.useFakeTimers({ now: start });
    [began, ended, claims, recorded] = [[], [], [], []];
    transport = { ms: 0, connections: Infinity };
    busy = 0;
    answers["mail_posts"] = () => [post()];
    vi.stubGlobal("fetch", async (input: string | URL | Request, init: RequestInit) => {
      const { pathname, searchParams } = new URL(input instanceof Request ? input.url : input);
      if (pathname === "/mail") return await sendAt(new Headers(init.headers).get("idempotency-key")!);
      const args = JSON.parse((init.body as string | undefined) ?? "{}") as Record<string, unknown>;
      if (pathname.endsWith("emails_to_send")) claims.push({ at: second(), size: Number(args["batch"]) });
      const answer = ask(pathname, searchParams, args);
      if (answer instanceof Response) return answer;
      if (pathname.endsWith("settle_emails"))
        recorded.push(...(args["outcomes"] as { id: string; outcome: string }[]).map((one) => ({ ...one, at: second() })));
      return Response.json(answer);
    });
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });

  async function sendAt(id: string): Promise<Response> {
    began.push(second());
    while (busy >= transport.connections) await later(100);
    busy += 1;
    await later(transport.ms);
    busy -= 1;
    ended.push({ id, at: second() });
    return Response.json({});
  }
  const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

  async function run(sender: EmailSender): Promise<{ again: number | void; seconds: number }> {
    const from = second();
    let isOver = false;
    const running = sender.run({ id: "job" } as Job).finally(() => (isOver = true));
    while (!isOver) await vi.advanceTimersByTimeAsync(100);
    return { again: await running, seconds: second() - from };
  }
  const atRate = (mailRate: number) => {
    const env = envAt("http://here", mailRate);
    return new EmailSender(env, env.mail!);
  };

  test("at a low rate no more is taken than can start in 15 seconds", async () => {
    const sender = atRate(0.5);
    deliveries(100);
    await run(sender);
    await run(sender);
    expect(claims.map(({ size }) => size)).toEqual([7, 7]);
    expect(began).toHaveLength(14);
    for (const [index, at] of began.entries()) expect(at - (began[index - 1] ?? -2)).toBeCloseTo(2, 1);
    expect(recorded.filter(({ outcome }) => outcome === "done")).toHaveLength(14);
  });

  test("a rate below one per run carries over: the job waits until the next email may be sent", async () => {
    const sender = atRate(0.01);
    deliveries(100);
    expect((await run(sender)).again).toBe(0);
    expect((await run(sender)).again).toBeCloseTo(100, 0);
    await vi.advanceTimersByTimeAsync(100_000);
    await run(sender);
    expect(began.map((at) => Math.round(at / 100))).toEqual([0, 1]);
    expect(claims.map(({ size }) => size)).toEqual([1, 1]);
  });

  test("with a slow transport, emails that can't start in time wait for the next run", async () => {
    const sender = atRate(10);
    transport = { ms: 7_000, connections: 5 };
    deliveries(300);
    const { again, seconds } = await run(sender);
    expect(again).toBe(0);
    expect(seconds).toBeLessThan(60);
    expect(Math.max(...began)).toBeLessThanOrEqual(15.1);
    const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id).toSorted();
    expect(idsOf(recorded)).toEqual(idsOf(ended));
    await run(sender);
    expect(new Set(idsOf(recorded)).size).toBe(recorded.length);
  });

  test("a crash loses at most a few seconds of records", async () => {
    transport = { ms: 400, connections: Infinity };
    deliveries(100);
    const running = run(atRate(10));
    for (let seconds = 1; seconds <= 10; seconds += 1) {
      await vi.advanceTimersByTimeAsync(1_000);
      const known = new Set(recorded.map(({ id }) => id));
      expect(ended.filter(({ id, at }) => at < second() - 3.2 && !known.has(id))).toEqual([]);
    }
    expect(ended.length).toBeGreaterThan(50);
    await running;
    expect(recorded).toHaveLength(100);
  });

  test("failed records are retried once", async () => {
    transport = { ms: 400, connections: Infinity };
    deliveries(100);
    const record = answers["settle_emails"]!;
    answers["settle_emails"] = (args, query) => (second() < 8 ? refusal(503) : record(args, query));
    await run(atRate(10));
    expect(recorded).toHaveLength(100);
    expect(new Set(recorded.map(({ id }) => id)).size).toBe(100);
  });
});
