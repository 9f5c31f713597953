import { beforeAll, describe, expect, test } from "vitest";
import { countsOf } from "../support/counts.ts";
import { newPerson, newSubdomain, type Person, sql } from "./support/people.ts";
import { newPost, openWorkspace, setPublic, visit } from "./support/public.ts";

let owner: Person;
beforeAll(async () => {
  owner = await newPerson("Ada Lovelace");
});

const stood = (workspaceId: string, postId: string, path: string, host = "news.acme.example") =>
  sql`insert into public.post_redirects (workspace_id, host, path, post_id) values (${workspaceId}, ${host}, ${path}, ${postId})`;
const leadsTo = async (subdomain: string | null, path: string, method = "GET") => {
  const { status, headers } = await visit(subdomain, path, { method });
  return [status, headers.location];
};
const notThere = { error: "Not found, or you don't have access.", code: "not_found" };

test("a former subdomain redirects readers, and serves widgets, links in emails and counts, for 30 days", async () => {
  const { id, subdomain: former } = await openWorkspace(owner);
  const post = await newPost(owner, id);
  const next = newSubdomain();
  expect((await owner.api.post(`/api/workspaces/${id}/subdomain`, { subdomain: next })).body).toEqual({ success: true, subdomain: next });
  const page = `/releases/${post.slug}?via=mail`;
  const [status, location] = await leadsTo(former, page);
  expect([status, new URL(String(location)).hostname, String(location).endsWith(page)]).toEqual([301, `${next}.localhost`, true]);
  expect((await visit(next, page)).status).toBe(200);
  const asked = { headers: { origin: "https://acme.example.com" } };
  await sql`update public.workspaces set allowed_origins = '{https://acme.example.com}' where id = ${id}`;
  const widget = await visit(null, `/releases/widget.json?workspace=${former}`, asked);
  expect([widget.status, widget.headers["access-control-allow-origin"]]).toEqual([200, "https://acme.example.com"]);
  expect(widget.body).toContain(`//${next}.localhost`);
  expect((await visit(former, "/releases/rss.xml")).body).toContain(`${next}.localhost`);
  await visit(null, `/releases/${post.slug}.gif?workspace=${former}`, { headers: { "user-agent": "Mozilla/5.0 Safari" } });
  await expect.poll(() => countsOf(sql, id, "view")).toEqual({ "view page": 1 });
  await sql`update private.released_subdomains set released_at = now() - interval '31 days' where label = ${former}`;
  expect((await visit(former, page)).status).toBe(404);
});

describe("a former path of a post on another site", () => {
  test("redirects to its current URL, with the referrer, for GET and HEAD, and counts no view", async () => {
    const { id, subdomain } = await openWorkspace(owner);
    const post = await newPost(owner, id);
    await stood(id, post.id, "/changelog/faster-search-1234");
    for (const path of ["/changelog/faster-search-1234", "/changelog/faster-search-1234/", "/changelog/faster-search-1234?utm_source=x"]) {
      const { status, headers, body } = await visit(subdomain, path);
      expect([path, status, headers.location, body]).toEqual([path, 301, `/releases/${post.slug}`, ""]);
      expect(headers["cache-control"]).toBe("public, max-age=0, s-maxage=60");
      expect(headers.vary).toMatch(/Forwarded/);
    }
    expect(await leadsTo(subdomain, "/changelog/faster-search-1234", "HEAD")).toEqual([301, `/releases/${post.slug}`]);
    expect(await leadsTo(subdomain, "/changelog/faster-search-1234?via=mail")).toEqual([301, `/releases/${post.slug}?via=mail`]);
    expect(await leadsTo(subdomain, "/Changelog/faster-search-1234")).toEqual([404, undefined]);
    const [{ views }] = (await sql`select count(*)::int as views from public.daily_counts where workspace_id = ${id}`) as unknown as [
      { views: number },
    ];
    expect([views, await countsOf(sql, id, "view")]).toEqual([0, {}]);
  });

  test("can be below /releases, or have any characters", async () => {
    const { id, subdomain } = await openWorkspace(owner);
    const post = await newPost(owner, id);
    await stood(id, post.id, "/releases/tag/v1.2.0");
    await stood(id, post.id, "/releases/faster-search-1234");
    await stood(id, post.id, "/n%C3%A9wes/%E4%BD%A0");
    expect(await leadsTo(subdomain, "/releases/tag/v1.2.0")).toEqual([301, `/releases/${post.slug}`]);
    expect(await leadsTo(subdomain, "/releases/faster-search-1234")).toEqual([301, `/releases/${post.slug}`]);
    expect(await leadsTo(null, `/releases/faster-search-1234?workspace=${subdomain}`)).toEqual([
      301,
      `/releases/${post.slug}?workspace=${subdomain}`,
    ]);
    expect(await leadsTo(subdomain, "/n%C3%A9wes/%E4%BD%A0")).toEqual([301, `/releases/${post.slug}`]);
    expect(await leadsTo(subdomain, "/releases/nothing-of-ours")).toEqual([404, undefined]);
    expect((await visit(subdomain, "/releases/nothing-of-ours")).headers["content-type"]).toContain("text/html");
  });
});

test.each([
  ["GET", "/nothing/of/ours"],
  ["GET", "/api/config"],
  ["GET", "/auth"],
  ["GET", "/.env"],
  ["GET", `/${"a".repeat(1_600)}`],
  ["GET", "/%2F%2Fevil.example/"],
  ["GET", "/%00"],
  ["GET", "/a%ff"],
  ["GET", "/'; select 1 --"],
  ["POST", "/nothing"],
  ["DELETE", "/api/posts/1"],
])("an unknown path stays a 404: %s %s", async (method, path) => {
  const { id, subdomain } = await openWorkspace(owner);
  await newPost(owner, id);
  const { status, headers, body } = await visit(subdomain, path.replaceAll(" ", "%20"), { method });
  expect([status, JSON.parse(body), headers.location]).toEqual([404, notThere, undefined]);
  expect([headers["content-type"], headers["cache-control"]]).toEqual([
    "application/json; charset=utf-8",
    expect.stringMatching(/^no-store/),
  ]);
});

test("a dead old link gets a page with a link to all updates, if there are any", async () => {
  const { id, subdomain } = await openWorkspace(owner);
  await newPost(owner, id);
  const asBrowser = { headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8" } };
  const open = await visit(subdomain, "/changelog/nothing", asBrowser);
  expect([open.status, open.headers["content-type"]]).toEqual([404, "text/html; charset=utf-8"]);
  expect(open.headers["content-security-policy"]).toContain("default-src 'none'");
  expect(open.body).toContain("See all updates");
  await setPublic(id, false);
  const closed = await visit(subdomain, "/changelog/nothing", asBrowser);
  expect([closed.status, closed.body.includes("See all updates")]).toEqual([404, false]);
});

test("two slashes don't redirect to another host", async () => {
  const { id, subdomain } = await openWorkspace(owner);
  const post = await newPost(owner, id);
  await stood(id, post.id, "/evil.example/a");
  expect(await leadsTo(subdomain, "//evil.example/a")).toEqual([301, `/releases/${post.slug}`]);
});
