import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, inject, test, vi } from "vitest";
import { Client } from "./support/client.ts";
import { newPerson, newPost, newWorkspace, password, signedInBrowser, sql } from "./support/people.ts";

const file = path.join(inject("stack").dataDir, "logs/api.log");

test("the log has one line per request, by route pattern, and no personal data", async () => {
  const person = await newPerson();
  const { id: workspaceId } = await newWorkspace(person);
  const post = await newPost(person, workspaceId, { title: "A very secret title" });
  const answer = await person.api.get(`/api/posts/${post.id}`);
  await signedInBrowser(person);
  await new Client(person.api.url).post("/api/auth/login", { email: person.email, password: "not the password" });

  const requestId = answer.headers.get("x-request-id")!;
  await vi.waitFor(async () => expect(await readFile(file, "utf8")).toContain(requestId), { timeout: 10_000, interval: 50 });
  const log = await readFile(file, "utf8");
  const line = JSON.parse(log.split("\n").find((text) => text.includes(requestId))!) as Record<string, unknown>;
  expect(line).toEqual({
    level: "info",
    time: expect.stringMatching(/^\d{4}-/) as string,
    event: "request",
    id: requestId,
    method: "GET",
    route: "/api/posts/{id}",
    status: 200,
    ms: expect.any(Number) as number,
  });
  for (const secret of [person.email, person.id, person.token, post.id, "A very secret title", password, "eyJ", "base64-"])
    expect(log).not.toContain(secret);
});

test("requests of the clock are logged only if they fail", async () => {
  const api = new Client(inject("stack").url);
  expect((await api.post("/api/jobs/run")).status).toBe(200);
  const refused = await api.post("/api/jobs/run", {}, { headers: { origin: "https://elsewhere.example" } });
  expect(refused.status).toBe(403);
  const requestId = refused.headers.get("x-request-id")!;
  await vi.waitFor(async () => expect(await readFile(file, "utf8")).toContain(requestId), { timeout: 10_000, interval: 50 });
  const asked = (await readFile(file, "utf8")).split("\n").filter((line) => line.includes("/api/jobs/"));
  expect(asked.filter((line) => line.includes('"status":200'))).toEqual([]);
  expect(asked.filter((line) => line.includes(requestId))).toHaveLength(1);
});

test("Postgres' log names the constraint of a refused row, without its values", async () => {
  const value = `secret-${crypto.randomUUID()}`;
  const insert = sql`insert into private.webhooks (workspace_id, kind, name, url, sealed, events)
    values (gen_random_uuid(), 'pager', ${value}, 'https://hooks.example/', repeat('x', 40), '{post.published}')`;
  const refused = (await insert.then(
    () => null,
    (error: unknown) => error,
  )) as { constraint_name: string; detail: string };
  expect(refused.detail).toContain(value);
  const postgresLog = () => readFile(path.join(inject("stack").dataDir, "logs/postgres.log"), "utf8");
  await vi.waitFor(async () => expect(await postgresLog()).toContain(`"${refused.constraint_name}"`), { timeout: 10_000, interval: 50 });
  expect(await postgresLog()).not.toContain(value);
});
