import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort, run, type RunningStack, stackEnvironment, startStack } from "../support/stack.ts";
import { makePlace, type Place } from "./support/writers.ts";

let stack: RunningStack;
let place: Place;

beforeAll(async () => {
  stack = await startStack({ env: { TIDINGS_SLOW_QUERY_MS: "0" } });
  place = await makePlace(stack);
});
afterAll(() => stack?.stop());

const log = () => fs.readFileSync(path.join(stack.dataDir, "logs/postgres.log"), "utf8");
const post = (address: string, body: object, token?: string) =>
  fetch(stack.url + address, {
    method: "POST",
    headers: { "content-type": "application/json", origin: stack.publicUrl, ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  });

test("a slow statement is logged with its request's id", async () => {
  const blocks = [{ type: "paragraph", data: { text: "Nobody's business." } }];
  const answer = await post("/api/posts", { title: "A very secret title", workspace_id: place.workspaceId, blocks }, place.token);
  expect(answer.status).toBe(201);
  const id = answer.headers.get("x-request-id")!;
  await expect
    .poll(() =>
      log()
        .split("\n")
        .filter((line) => line.includes(id)),
    )
    .not.toEqual([]);
  const lines = log()
    .split("\n")
    .filter((line) => line.includes(id));
  expect(lines.some((line) => /LOG: {2}duration: \d+\.\d+ ms .*create_post/.test(line))).toBe(true);
  console.log(`${lines.length} statements of one request named by its id`);
});

test("the slow query log contains no address, token or text", async () => {
  const [email, password] = ["eve.adams@example.com", "correct horse battery"];
  const person = { fullName: "Eve Adams", companyName: "Apple", email, password };
  expect((await post("/api/auth/signup", person)).status).toBe(201);
  expect((await post("/api/auth/signup", person)).status).toBe(201);
  expect((await post("/api/auth/login", { email, password: "not the password" })).status).toBeGreaterThanOrEqual(400);
  expect((await post("/api/auth/forgot-password", { email })).status).toBeLessThan(500);
  await fetch(`${stack.url}/releases?workspace=secret-place&q=secret-words`);
  await expect.poll(log).toContain("auth");
  const databasePasswords = [stack.dbUrl, stack.ownerUrl].map((address) => new URL(address).password);
  for (const secret of [
    email,
    "Eve Adams",
    password,
    ...databasePasswords,
    place.token,
    "eyJ",
    "A very secret title",
    "Nobody's business",
    "secret-words",
  ])
    expect([secret, log().includes(secret)]).toEqual([secret, false]);
});

test("the slow query log is off by default, and an invalid setting is refused", async () => {
  const { code, output } = await run(["start"], { ...stackEnvironment("/nowhere", await freePort()), TIDINGS_SLOW_QUERY_MS: "soon" }).ended;
  expect([code, output.trim()]).toEqual([1, 'TIDINGS_SLOW_QUERY_MS must be a number of milliseconds, not "soon".']);
});
