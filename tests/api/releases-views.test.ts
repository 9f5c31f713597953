import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { countsOf } from "../support/counts.ts";
import { newPerson, newWorkspace, sql } from "./support/people.ts";
import { newPost, setPublic, visit } from "./support/public.ts";

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
  test("by the widget, on the bare host, counts too", async () => {
    await visit(null, `/releases/${post.slug}.gif?workspace=${subdomain}`, { headers: { "user-agent": browser } });
    expect(await views()).toBe(1);
  });
});
