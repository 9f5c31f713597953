import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { jobEndpoints } from "#contract/jobs.ts";
import { readEnv } from "../_shared/env.ts";
import type { Binder } from "../_shared/handle.ts";
import { bindJobs } from "./jobs.ts";

let acceptMail: (() => void) | null = null;
let due = 0;
const server = http.createServer((request, response) => {
  request.resume().on("end", () => {
    if (request.url === "/mail") return void (acceptMail = () => response.end("{}"));
    const answer = request.url!.includes("claim_mails") ? Array.from({ length: due }, () => ({ ...mail })) : null;
    if (answer !== null) due = 0;
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
  });
});
const mail = {
  ...{ id: "d", kind: "confirmation", attempt: 1, workspace_id: "w", workspace_name: "Acme", subdomain: "acme", token: "t", posts: [] },
  ...{
    logo_url: null,
    sender_name: null,
    reply_to: null,
    email: "r@reader.example",
    month: null,
    appearance: null,
    domain: null,
    about: null,
  },
};
const woken = { webhooks: 0, pictures: 0, backups: 0, domains: 0 };
type Worker = keyof typeof woken;
const worker = (name: Worker, wake = () => Promise.resolve()) => ({ wake: () => ((woken[name] += 1), wake()) });
let webhooksFail = false;
const workers = {
  webhooks: worker("webhooks", () => (webhooksFail ? Promise.reject(new Error("the database is away")) : Promise.resolve())),
  ...{ pictures: worker("pictures"), backups: worker("backups"), domains: worker("domains") },
};

let deliver: () => Promise<unknown>;
beforeAll(async () => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const values: Record<string, string> = {
    ...{ SUPABASE_URL: url, SUPABASE_ANON_KEY: "a", SUPABASE_SERVICE_ROLE_KEY: "s", SUPABASE_DB_URL: "postgres://nowhere" },
    ...{ PUBLIC_URL: "https://tidings.example", MAIL_API_URL: `${url}/mail` },
  };
  const env = readEnv((name) => values[name]);
  const open = (endpoint: unknown, handler: (call: object) => Promise<unknown>): void => {
    if (endpoint === jobEndpoints.deliver) deliver = () => handler({ env });
  };
  bindJobs({ open } as unknown as Binder, workers as unknown as Parameters<typeof bindJobs>[1], () => {});
});
beforeEach(() => {
  for (const name of Object.keys(woken)) woken[name as Worker] = 0;
  [acceptMail, webhooksFail] = [null, false];
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

test("due work doesn't wait for emails being sent", async () => {
  due = 1;
  let isDone = false;
  const delivering = deliver().then(() => (isDone = true));
  await expect.poll(() => acceptMail).not.toBeNull();
  await expect.poll(() => Math.min(...Object.values(woken))).toBeGreaterThan(2);
  expect(isDone).toBe(false);
  acceptMail!();
  await delivering;
  const before = { ...woken };
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(woken).toEqual(before);
});

test("a failed poll stops neither the emails nor the polling", async () => {
  due = 1;
  const delivering = deliver();
  await expect.poll(() => acceptMail).not.toBeNull();
  webhooksFail = true;
  await expect.poll(() => woken.webhooks).toBeGreaterThan(2);
  acceptMail!();
  await expect(delivering).resolves.toEqual({ success: true });
});
