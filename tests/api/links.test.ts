import { randomUUID } from "node:crypto";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { Client } from "./support/client.ts";
import { newPerson, type Person, signToken } from "./support/people.ts";
import { type SecondFunction, startFunction } from "./support/second-function.ts";

const stack = inject("stack");
let person: Person;
let auth: http.Server;
let api: SecondFunction;
const refusals: number[] = [];

/** Simulates GoTrue's race: concurrent requests with one link each get a session. */
async function answerAsAuthService(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
  if (request.url !== "/auth/v1/verify") return forward(request, response);
  await wait(300);
  const status = refusals.shift() ?? 200;
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(status === 200 ? session() : { code: status, error_code: "unexpected_failure", msg: "Try again" }));
}

function forward(request: http.IncomingMessage, response: http.ServerResponse): void {
  const options = { port: stack.ports.gateway, host: "127.0.0.1", path: request.url, method: request.method, headers: request.headers };
  request.pipe(http.request(options, (answer) => answer.pipe(response.writeHead(answer.statusCode!, answer.headers))));
}

const session = () => ({
  access_token: signToken({ sub: person.id, email: person.email }),
  refresh_token: randomUUID(),
  token_type: "bearer",
  expires_in: 3_600,
  user: {
    id: person.id,
    email: person.email,
    aud: "authenticated",
    app_metadata: {},
    user_metadata: {},
    created_at: "2026-01-01T00:00:00Z",
  },
});

beforeAll(async () => {
  person = await newPerson();
  auth = http.createServer((request, response) => void answerAsAuthService(request, response));
  await new Promise<void>((resolve) => auth.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(auth.address() as AddressInfo).port}`;
  api = await startFunction(stack, "api", { SUPABASE_URL: url, TIDINGS_RATE_LIMIT_SCALE: "1000" });
});
afterAll(async () => {
  await api.stop();
  auth.closeAllConnections();
  auth.close();
});

const open = (token_hash: string) =>
  new Client(api.url).post("/api/auth/verify", { token_hash, type: "recovery" }, { headers: { origin: stack.publicUrl } });

test("a link opened several times at once signs in only one", async () => {
  const link = randomUUID();
  const answers = await Promise.all([open(link), open(link), open(link)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 410, 410]);
});

test("a link that failed can be retried", async () => {
  const link = randomUUID();
  refusals.push(503);
  expect((await open(link)).status).toBe(503);
  expect((await open(link)).status).toBe(200);
});
