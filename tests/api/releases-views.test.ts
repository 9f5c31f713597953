import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { countsOf } from "../support/counts.ts";
import { newPerson, newWorkspace, sql } from "./support/people.ts";
import { changePost, newPost, setPublic, visit } from "./support/public.ts";

const browser = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
let subdomain: string;
let workspaceId: string;
let post: { id: string; slug: string };
beforeEach(async () => {
  const owner = await newPerson();
  ({ id: workspaceId, subdomain } = await newWorkspace(owner));
  await setPublic(workspaceId, true);
  post = await newPost(owner, workspaceId);
});

const point = (headers: Record<string, string> = {}, method = "GET") =>
  visit(subdomain, `/releases/${post.slug}.gif`, { method, headers: { "user-agent": browser, ...headers } });

/** Readings of the post, once those that were reported until now are counted: when one of an unheard-of browser is, which is left out. */
async function views(): Promise<number> {
  const before = (await countsOf(sql, workspaceId, "widget_shown"))["widget_shown widget"] ?? 0;
  await visit(subdomain, "/releases/widget.shown.gif", { headers: { "user-agent": `${browser} ${randomUUID()}` } });
  const shown = async () => (await countsOf(sql, workspaceId, "widget_shown"))["widget_shown widget"];
  await expect.poll(shown, { timeout: 10_000 }).toBe(before + 1);
  const [row] = await sql<{ n: number }[]>`
    select coalesce(sum(n), 0)::int as n from public.daily_counts where post_id = ${post.id} and what = 'view'`;
  return row!.n;
}

describe("a reading", () => {
  test("is counted by a picture on the page, not by the page", async () => {
    const { body } = await visit(subdomain, `/releases/${post.slug}`, { headers: { "user-agent": browser } });
    expect(body).toContain(`src="/releases/${post.slug}.gif"`);
    expect(await views()).toBe(0);
    const { status, headers } = await point();
    expect([status, headers["content-type"], headers["set-cookie"], headers["cross-origin-resource-policy"]]).toEqual([
      200,
      "image/gif",
      undefined,
      "cross-origin",
    ]);
    expect(headers["cache-control"]).toMatch(/^private, max-age=\d{1,5}$/);
    expect(await views()).toBe(1);
  });
  test("counts once per reader and day; another browser is another reader", async () => {
    await point();
    await point();
    expect(await views()).toBe(1);
    await point();
    await point({ "user-agent": `${browser} Other` });
    expect(await views()).toBe(2);
  });
  test("is not made another reader's by what the client says of its address", async () => {
    await point();
    await point({ "x-forwarded-for": "203.0.113.9", forwarded: "for=203.0.113.9" });
    expect(await views()).toBe(1);
  });
  test("by the widget, on the bare host, counts too", async () => {
    await visit(null, `/releases/${post.slug}.gif?workspace=${subdomain}`, { headers: { "user-agent": browser } });
    expect(await views()).toBe(1);
  });
  test.each<[string, Record<string, string>, string?]>([
    ["Do Not Track", { dnt: "1" }],
    ["Global Privacy Control", { "sec-gpc": "1" }],
    ["a page fetched in advance", { "sec-purpose": "prefetch;prerender" }],
    ["a search engine", { "user-agent": "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)" }],
    ["a program", { "user-agent": "curl/8.5.0" }],
    ["a client without a name", { "user-agent": "" }],
    ["HEAD", {}, "HEAD"],
  ])("%s is not counted, and hears the same", async (_name, headers, method) => {
    const reply = await point(headers, method);
    expect([reply.status, reply.headers["content-type"]]).toEqual([200, "image/gif"]);
    expect(await views()).toBe(0);
  });
  test("of what is not public is not counted, and tells nothing", async () => {
    const known = await point();
    expect(await views()).toBe(1);
    await changePost(post.id, { status: "draft", published_at: null });
    const hidden = await point({ "user-agent": `${browser} Other` });
    expect(await views()).toBe(1);
    await setPublic(workspaceId, false);
    const closed = await point({ "user-agent": `${browser} Third` });
    const never = await visit("nobody-has-this-name", "/releases/never.gif", { headers: { "user-agent": browser } });
    for (const reply of [hidden, closed, never]) expect([reply.status, reply.body]).toEqual([known.status, known.body]);
    await changePost(post.id, { status: "published", published_at: "2020-01-01T00:00:00Z" });
    const elsewhere = await newWorkspace(await newPerson());
    await setPublic(elsewhere.id, true);
    await visit(elsewhere.subdomain, "/releases/widget.open.gif", { headers: { "user-agent": browser } });
    await expect.poll(() => countsOf(sql, elsewhere.id), { timeout: 10_000 }).toEqual({ "widget_open widget": 1 });
    await setPublic(workspaceId, true);
    expect(await views()).toBe(1);
  });
  test("leaves nothing behind that names the reader", async () => {
    await point();
    await views();
    const rows = await sql<{ reader: Uint8Array }[]>`select reader from private.view_readers`;
    expect(rows.length).toBeGreaterThan(0);
    for (const { reader } of rows) expect(reader.byteLength).toBe(32);
  });
});
