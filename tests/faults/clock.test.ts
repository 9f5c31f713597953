import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type SecondFunction, startFunction } from "../api/support/second-function.ts";
import { type RunningStack, startStack } from "../support/stack.ts";
import { makePlace, type Place } from "./support/writers.ts";

const hour = 3_600_000;
const paragraph = { type: "paragraph", data: { text: "On time." } };
let stack: RunningStack;
let place: Place;
let subdomain: string;
const running: SecondFunction[] = [];

const create = (url: string, title: string, more: object) =>
  fetch(`${url}/api/posts`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${place.token}` },
    body: JSON.stringify({ title, workspace_id: place.workspaceId, blocks: [paragraph], ...more }),
  });

beforeAll(async () => {
  stack = await startStack({ env: { TIDINGS_RATE_LIMIT_SCALE: "1000" } });
  place = await makePlace(stack);
  const sql = postgres(stack.dbUrl, { max: 1, onnotice: () => {} });
  const [row] = await sql`update public.workspaces set public_changelog_enabled = true where id = ${place.workspaceId} returning subdomain`;
  subdomain = row!.subdomain as string;
  await sql.end();
  const inAnHour = new Date(Date.now() + hour).toISOString();
  expect((await create(stack.url, "Already out", { status: "published" })).status).toBe(201);
  expect((await create(stack.url, "Still secret", { status: "scheduled", publish_at: inAnHour })).status).toBe(201);
});
afterAll(async () => {
  await Promise.all(running.map(({ stop }) => stop()));
  await stack?.stop();
});

async function withClockMovedBy(name: "api" | "releases", ms: number): Promise<SecondFunction> {
  const flags = ["--preload", "tests/faults/support/moved-clock.ts"];
  const instance = await startFunction(stack, name, { CLOCK_MOVED_BY: String(ms), TIDINGS_RATE_LIMIT_SCALE: "1000" }, flags);
  running.push(instance);
  return instance;
}

describe.each([
  ["two hours ahead", 2 * hour],
  ["two hours behind", -2 * hour],
])("a function whose clock is %s", (where, ms) => {
  test("shows readers exactly the posts that are due by the database's clock", async () => {
    const { url } = await withClockMovedBy("releases", ms);
    let asked = 0;
    for (const address of ["/releases", "/releases.json", "/releases/rss.xml", "/releases/already-out"]) {
      const answer = await fetch(`${url}${address}?workspace=${subdomain}`, {
        headers: { "x-forwarded-host": new URL(stack.publicUrl).host },
      });
      const text = await answer.text();
      expect([address, answer.status, text.includes("Already out"), text.includes("Still secret")]).toEqual([address, 200, true, false]);
      asked += 1;
    }
    const early = await fetch(`${url}/releases/still-secret?workspace=${subdomain}`);
    expect(early.status).toBe(404);
    console.log(`releases, ${where}: ${asked} pages right, 0 shown early`);
  });

  test("checks a session's expiry by its own clock, without a server error", async () => {
    const { url } = await withClockMovedBy("api", ms);
    const statuses: number[] = [];
    for (let count = 0; count < 10; count++) {
      const answer = await fetch(`${url}/api/workspaces/${place.workspaceId}/posts`, {
        headers: { authorization: `Bearer ${place.token}` },
      });
      statuses.push(answer.status);
      await answer.text();
    }
    // the token is valid for an hour: a clock ahead rejects it, and its owner signs in again
    expect(new Set(statuses)).toEqual(new Set([ms > 0 ? 401 : 200]));
    const written = await create(url, `Written ${where}`, {});
    expect(written.status).toBe(ms > 0 ? 401 : 201);
    if (written.status === 201) {
      const { post } = (await written.json()) as { post: { created_at: string } };
      expect(Math.abs(Date.parse(post.created_at) - Date.now())).toBeLessThan(60_000); // the database's clock, not the function's
    }
    console.log(`api, ${where}: ${statuses.length} answers, 0 faults`);
  });
});
