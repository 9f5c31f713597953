import http from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook as Verifier } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { WebhookKind } from "#contract/webhooks.ts";
import { readEnv } from "../../_shared/env.ts";
import { JobWorker } from "../../_shared/jobs.ts";
import type { Line, Network } from "../../_shared/outbound/network.ts";
import { Seal } from "../../_shared/seal.ts";
import { newSecret } from "./secret.ts";
import { type Result, resultOf, type Sending, WebhookSender } from "./worker.ts";

let queue: string[] = [];
const deliveries = new Map<string, Sending>();
let told: Result[] = [];
let refusals = 0;
const database = http.createServer((request, response) => {
  let text = "";
  request.on("data", (chunk: Buffer) => (text += chunk.toString()));
  request.on("end", () => {
    const args = JSON.parse(text || "{}") as { delivery?: string; result?: Result; capacity?: Record<string, number> };
    response.setHeader("content-type", "application/json");
    if (request.url!.endsWith("/webhook_to_send")) return void response.end(JSON.stringify([deliveries.get(args.delivery!)]));
    if (request.url!.endsWith("/settle_webhook")) {
      if (refusals-- > 0) return void response.writeHead(503).end('{"message":"starting"}');
      told.push(args.result!);
      return void response.writeHead(204).end();
    }
    const claimed = queue.splice(0, args.capacity!["send_webhook"]);
    response.end(JSON.stringify(claimed.map((id) => ({ id, task: "send_webhook", workspace_id: "w", attempt: 1, lease: "l" }))));
  });
});

let sent: { host: string; text: string }[] = [];
const hanging: (() => void)[] = [];
let answers: Record<string, string> = {};
let names: Record<string, string[]> = {};
const network: Network = {
  resolve: (name, kind) => Promise.resolve(kind === "A" ? (names[name] ?? []) : []),
  connect(host) {
    const one = { host, text: "" };
    sent.push(one);
    let said: Uint8Array | null = answers[host] === undefined ? null : new TextEncoder().encode(answers[host]);
    const line: Line = {
      write: (bytes) => ((one.text += new TextDecoder().decode(bytes)), Promise.resolve(bytes.length)),
      read(into) {
        if (answers[host] === undefined) return new Promise((resolve) => hanging.push(() => resolve(null)));
        const piece = said;
        said = null;
        if (piece) into.set(piece);
        return Promise.resolve(piece?.length ?? null);
      },
      close: () => {},
    };
    return Promise.resolve(line);
  },
  secure: (line) => Promise.resolve(line),
};
const ok = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";

let values: Record<string, string>;
let log: ReturnType<typeof vi.spyOn>;
beforeAll(async () => {
  await new Promise<void>((resolve) => database.listen(0, "127.0.0.1", resolve));
  values = {
    ...{ SUPABASE_URL: `http://127.0.0.1:${(database.address() as AddressInfo).port}`, SUPABASE_ANON_KEY: "a" },
    ...{
      SUPABASE_SERVICE_ROLE_KEY: "the-secret-key",
      SUPABASE_DB_URL: "postgres://nowhere",
      TIDINGS_PUBLIC_URL: "https://tidings.example",
    },
  };
});
beforeEach(() => {
  [queue, told, sent, refusals, answers, names] = [[], [], [], 0, { "8.8.8.8": ok }, { "hooks.example": ["8.8.8.8"] }];
  log = vi.spyOn(console, "log").mockImplementation(() => {});
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => {
  database.close();
  database.closeAllConnections();
});

const env = (more: Record<string, string> = {}) => readEnv((name) => ({ ...values, ...more })[name]);
const seal = () => new Seal(env(), "webhooks");
const newWorker = () => new JobWorker(env(), { send_webhook: new WebhookSender(env(), network) }, () => {});
let last = 0;
const claimed = async (fields: Partial<Sending> & { secret?: string } = {}): Promise<string> => {
  const { secret = newSecret(), ...rest } = fields;
  const webhook = rest.webhook_id ?? `webhook-${(last += 1)}`;
  const id = `delivery-${(last += 1)}`;
  deliveries.set(id, {
    ...{ event_id: `event-${last}`, type: "webhook.ping", happened_at: "2026-11-22T10:00:00Z" },
    ...{ webhook_id: webhook, kind: "webhook", url: "https://hooks.example/in", sealed: await seal().close(webhook, secret) },
    ...{ sealed_before: null as unknown as string, workspace_id: "w", workspace_name: "Acme", subdomain: "acme", facts: {} },
    ...{ post: null, domain: null as unknown as string },
    ...rest,
  });
  return id;
};

test("a claimed delivery is sent to the resolved address, signed with each secret, and recorded", async () => {
  const [secret, before] = [newSecret(), newSecret()];
  queue = [await claimed({ secret, webhook_id: "w1", sealed_before: await seal().close("w1", before) })];
  await newWorker().wake();
  expect(told).toEqual([{ outcome: "done", status: 200, ms: expect.any(Number), answer: "ok" }]);
  expect(sent).toMatchObject([{ host: "8.8.8.8", text: expect.stringMatching(/^POST \/in HTTP\/1\.1\r\nhost: hooks\.example\r\n/) }]);
  const [head, body] = sent[0]!.text.split("\r\n\r\n");
  const headers = Object.fromEntries(
    head!
      .split("\r\n")
      .slice(1)
      .map((line) => line.split(": ") as [string, string]),
  );
  for (const each of [secret, before]) expect(new Verifier(each).verify(body!, headers)).toMatchObject({ type: "webhook.ping" });
});

test.each<[string, Partial<Sending> & { secret?: string }, RegExp]>([
  ["an address of this network", { url: "https://10.0.0.1/" }, /private network/],
  ["a name that resolves to this machine", { url: "https://rebound.example/" }, /private network/],
  ["another port", { url: "https://hooks.example:25/" }, /ports 443 and 8443/],
  ["plain http", { url: "http://hooks.example/" }, /https/],
  ["a name that is gone", { url: "https://gone.example/" }, /Domain not found/],
  ["a chat with a foreign URL", { kind: "slack", secret: "https://hooks.example/services" }, /doesn't belong to this chat/],
  ["a secret encrypted for another webhook", { sealed: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" }, /create a new one/],
  ["a URL that cannot be decrypted", { kind: "teams", sealed: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" }, /enter it again/],
])("nothing is sent to %s, and the log has the reason", async (_, fields, reason) => {
  names["rebound.example"] = ["8.8.8.8", "127.0.0.1"];
  queue = [await claimed(fields)];
  await newWorker().wake();
  expect(told).toMatchObject([{ outcome: "again", error: expect.stringMatching(reason) }]);
  expect(sent).toEqual([]);
});

test("a secret encrypted with another key or for another webhook isn't decrypted", async () => {
  const closed = await seal().close("one", "whsec_abc");
  expect(await seal().open("one", closed)).toBe("whsec_abc");
  expect(await seal().open("two", closed)).toBeNull();
  expect(await new Seal({ secretKey: "another" }, "webhooks").open("one", closed)).toBeNull();
  expect(closed).not.toBe(await seal().close("one", "whsec_abc"));
});

test("a hanging request doesn't block others", async () => {
  names["hangs.example"] = ["9.9.9.9"];
  queue = [...(await Promise.all(Array.from({ length: 20 }, () => claimed({ url: "https://hangs.example/" })))), await claimed()];
  const worker = newWorker();
  const working = worker.wake();
  expect(worker.wake()).toBe(working);
  await vi.waitFor(() => expect(told).toHaveLength(1), { timeout: 10_000 });
  queue = [await claimed(), await claimed()];
  void worker.wake();
  await vi.waitFor(() => expect(told).toHaveLength(3), { timeout: 10_000 });
  expect(told.map(({ outcome }) => outcome)).toEqual(["done", "done", "done"]);
  expect(sent.filter(({ host }) => host === "9.9.9.9")).toHaveLength(20);
  for (const hangUp of hanging) hangUp();
  await working; // or it would claim the next test's deliveries
});

test("failed records are retried when the database is back", async () => {
  refusals = 2;
  queue = [await claimed()];
  await newWorker().wake();
  expect(told).toMatchObject([{ outcome: "done" }]);
  expect(sent).toHaveLength(1);
});

test("the log contains neither secrets nor URLs", async () => {
  const secret = newSecret();
  answers["8.8.8.8"] = "HTTP/1.1 500 No\r\n\r\nwhat they say";
  queue = [
    await claimed({ secret, url: "https://hooks.example/path?token=abc" }),
    await claimed({ secret, url: "https://10.0.0.1/token" }),
  ];
  await newWorker().wake();
  const lines = log.mock.calls.flat().join("\n");
  expect(lines).toContain('"event":"webhook not delivered"');
  expect(lines).not.toContain(secret.slice(6, 20));
  expect(lines).not.toMatch(/hooks\.example|token|what they say|10\.0\.0/);
});

describe("a response", () => {
  test.each<[WebhookKind, number, Partial<Result>]>([
    ["webhook", 200, { outcome: "done" }],
    ["webhook", 299, { outcome: "done" }],
    ["webhook", 301, { outcome: "again", error: "Responded with 301: redirects aren't followed" }],
    ["webhook", 400, { outcome: "again" }],
    ["webhook", 404, { outcome: "again" }],
    ["webhook", 410, { outcome: "gone" }],
    ["webhook", 429, { outcome: "again", slower: true }],
    ["webhook", 500, { outcome: "again", slower: false }],
    ["webhook", 502, { outcome: "again", slower: true }],
    ["webhook", 504, { outcome: "again", slower: true }],
    ["slack", 404, { outcome: "gone" }],
    ["discord", 400, { outcome: "failed" }],
    ["teams", 413, { outcome: "failed" }],
    ["teams", 202, { outcome: "done" }],
  ])("to a %s of %d means", (kind, status, meaning) => {
    expect(resultOf(kind, { status, ms: 5, answer: "said", after: undefined })).toMatchObject({ status, answer: "said", ...meaning });
  });

  test("keeps the Retry-After time", () => {
    expect(resultOf("webhook", { status: 503, ms: 5, answer: "", after: 90 })).toMatchObject({
      outcome: "again",
      after: 90,
      slower: true,
    });
  });
});
