import { randomUUID } from "node:crypto";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort, run, type RunningStack, stackEnvironment, startStack } from "../support/stack.ts";
import { newDataFolder } from "../support/template.ts";
import { makePlace, type Place } from "./support/writers.ts";

/** Functions, web app and gateway in front of a Supabase project (TIDINGS_BACKEND=supabase); another stack plays that project. */
let project: RunningStack;
let stack: RunningStack;
let place: Place;
const publicUrl = "https://tidings.example";

const settingsOf = ({ url, ownerUrl, publishableKey, secretKey, jwtSecret }: RunningStack): Record<string, string> => ({
  TIDINGS_BACKEND: "supabase",
  SUPABASE_URL: url,
  SUPABASE_DB_URL: ownerUrl,
  SUPABASE_PUBLISHABLE_KEY: publishableKey,
  SUPABASE_SECRET_KEY: secretKey,
  JWT_SECRET: jwtSecret,
  TIDINGS_PUBLIC_URL: publicUrl,
});

beforeAll(async () => {
  project = await startStack({ env: { TIDINGS_RATE_LIMIT_SCALE: "1000" } });
  stack = await startStack({ args: ["serve"], env: { ...settingsOf(project), TIDINGS_RATE_LIMIT_SCALE: "1000" } });
  place = await makePlace({ ...stack, dbUrl: project.dbUrl });
});
afterAll(async () => {
  await stack.stop();
  await project.stop();
});

const asked = (path: string, body?: object, headers: Record<string, string> = {}) =>
  fetch(stack.url + path, {
    method: body ? "POST" : "GET",
    headers: { authorization: `Bearer ${place.token}`, ...(body && { "content-type": "application/json" }), ...headers },
    body: body && JSON.stringify(body),
  });

test("a project's stack runs none of Supabase's parts, and all of its own are up", async () => {
  expect(stack.pids.postgres).toBe(0);
  const health = (await (await fetch(`${stack.url}/healthz`)).json()) as { status: string; parts: Record<string, string> };
  expect(health).toMatchObject({ status: "ok", parts: { database: "up", api: "up", releases: "up", presence: "up", og: "up" } });
  expect(Object.keys(health.parts)).not.toContain("postgres");
});

test("a post written through the stack appears on the public page and in the project", async () => {
  const title = `Through the front ${randomUUID()}`;
  const blocks = [{ type: "paragraph", data: { text: "Kept by the project." } }];
  const written = await asked("/api/posts", { title, blocks, workspace_id: place.workspaceId, status: "published" });
  expect(written.status).toBe(201);
  const { post } = (await written.json()) as { post: { id: string; slug: string } };
  const sql = postgres(project.dbUrl, { max: 1, onnotice: () => {} });
  const [row] = await sql<{ subdomain: string }[]>`
    update public.workspaces w set public_changelog_enabled = true from public.posts p
    where p.id = ${post.id} and w.id = p.workspace_id returning w.subdomain`;
  await sql.end();
  const page = await fetch(`${stack.url}/releases/${post.slug}?workspace=${row!.subdomain}`);
  expect([page.status, (await page.text()).includes("Kept by the project.")]).toEqual([200, true]);
});

test("auth, REST and Storage answer like the project's", async () => {
  const apikey = { apikey: project.publishableKey };
  expect((await asked("/auth/v1/user", undefined, apikey)).status).toBe(200);
  expect(await (await asked("/rest/v1/workspaces?select=id", undefined, apikey)).json()).toEqual([{ id: place.workspaceId }]);
  expect((await asked("/storage/v1/object/public/logos/none.png")).status).toBe(
    (await fetch(`${project.url}/storage/v1/object/public/logos/none.png`)).status,
  );
});

test("Realtime's messages pass through", async () => {
  const socket = new WebSocket(`${stack.url.replace("http", "ws")}/realtime/v1/websocket?apikey=${project.publishableKey}&vsn=1.0.0`);
  const answered = new Promise<string>((resolve, reject) => {
    socket.addEventListener("message", ({ data }) => resolve(String(data)));
    socket.addEventListener("error", () => reject(new Error("no connection")));
  });
  socket.addEventListener("open", () => socket.send(JSON.stringify({ topic: "phoenix", event: "heartbeat", payload: {}, ref: "7" })));
  expect(JSON.parse(await answered)).toMatchObject({ topic: "phoenix", event: "phx_reply", ref: "7", payload: { status: "ok" } });
  socket.close();
});

test("an outage of the project's database is reported immediately, and the stack recovers", async () => {
  const status = async () => (await fetch(`${stack.url}/healthz`)).status;
  process.kill(project.pids.postgres, "SIGKILL");
  await expect.poll(status, { timeout: 20_000, interval: 10 }).toBe(503);
  await expect.poll(status, { timeout: 20_000 }).toBe(200);
});

test("npm run dev:supabase puts web app, functions and widget in front of a local stack", async () => {
  const { TIDINGS_PUBLIC_URL: _, ...settings } = settingsOf(project);
  const dev = await startStack({ args: ["dev:supabase"], env: settings });
  try {
    for (const path of ["/", "/api/config", "/widget.js", "/dev/mail"])
      expect([path, (await fetch(dev.url + path)).status]).toEqual([path, 200]);
    expect(await (await fetch(dev.url)).text()).toContain("/@vite/client");
    expect((await fetch(`${dev.url}/releases?workspace=none`)).status).toBe(404);
    expect(dev.pids.postgres).toBe(0);
  } finally {
    await dev.stop();
  }
});

test("a start reports missing settings and an unreachable project in one sentence each", async () => {
  const start = async (env: Record<string, string>) => {
    const settings = { ...stackEnvironment(await newDataFolder(), await freePort()), ...env };
    const { code, output } = await run(["serve"], settings).ended;
    expect(code).toBe(1);
    return output;
  };
  const missing = await start({ ...settingsOf(project), SUPABASE_URL: "", SUPABASE_SECRET_KEY: "" });
  expect(missing).toContain("SUPABASE_URL is missing: the URL of the Supabase project");
  expect(missing).toContain("SUPABASE_SECRET_KEY or SUPABASE_SERVICE_ROLE_KEY is missing");
  const closed = await start({ ...settingsOf(project), SUPABASE_DB_URL: `postgresql://postgres:x@127.0.0.1:${await freePort()}/postgres` });
  expect(closed).toContain("The database of SUPABASE_DB_URL can't be used");
  expect(await run(["backup", "/tmp/never.backup"], { TIDINGS_DATA_DIR: stack.dataDir }).ended).toMatchObject({
    code: 1,
    output: expect.stringContaining("The data is in your Supabase project; back it up there.") as string,
  });
});
