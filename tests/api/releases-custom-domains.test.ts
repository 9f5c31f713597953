import { beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import { widgetData } from "#contract/releases.ts";
import type { Workspace } from "#contract/workspaces.ts";
import { hostAnswer, hostQuestion } from "#contract/rules/host-question.ts";
import { newPerson, type Person, sql } from "./support/people.ts";
import { newPost, openWorkspace, ownName, setOwnName, setPublic, visit, visitHost } from "./support/public.ts";

const { ports, url, publishableKey } = inject("stack");
const notThere = { error: "Not found, or you don't have access.", code: "not_found" };
const originAt = (host: string): string => `http://${host}:${ports.gateway}`;

let owner: Person;
let acme: { id: string; subdomain: string };
let post: { id: string; slug: string };
beforeAll(async () => {
  owner = await newPerson("Ada Lovelace");
});
beforeEach(async () => {
  acme = await openWorkspace(owner);
  post = await newPost(owner, acme.id, { tags: ["feature"] });
});

async function rpc({ token }: Person, name: string, args: object): Promise<unknown> {
  const headers = { apikey: publishableKey, authorization: `Bearer ${token}`, "content-type": "application/json" };
  return (await fetch(`${url}/rest/v1/rpc/${name}`, { method: "POST", headers, body: JSON.stringify(args) })).json();
}

const statusAt = async (host: string, path = "/releases") => (await visitHost(host, path)).status;
const location = async (host: string, path: string, method = "GET") => {
  const { status, headers } = await visitHost(host, path, { method });
  return [status, headers.location];
};

describe("a workspace's own domain", () => {
  test("has its page, posts and their files, with its own URLs in all of them", async () => {
    const host = await ownName(acme.id, "live");
    const origin = originAt(host);
    expect(await location(host, "/?tag=fix")).toEqual([302, "/releases?tag=fix"]);
    const list = await visitHost(host, "/releases");
    expect([list.status, list.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    expect(list.body).toContain(`<link rel="canonical" href="${origin}/releases"`);
    expect(list.body).toContain(`href="/releases/${post.slug}"`);
    const page = await visitHost(host, `/releases/${post.slug}`);
    expect(page.body).toContain(`<link rel="canonical" href="${origin}/releases/${post.slug}"`);
    const under = `${acme.subdomain}.localhost`;
    for (const [path, wanted] of [
      ["/sitemap.xml", `<loc>${origin}/releases/${post.slug}</loc>`],
      ["/robots.txt", `Sitemap: ${origin}/sitemap.xml`],
      ["/llms.txt", `${origin}/releases/${post.slug}.md`],
      ["/releases/llms.txt", `${origin}/releases/${post.slug}.md`],
      ["/releases.md", `${origin}/releases/${post.slug}`],
      ["/releases/rss.xml", `${origin}/releases/${post.slug}`],
      ["/releases/atom.xml", `${origin}/releases/${post.slug}`],
      ["/releases.feed.json", `${origin}/releases/${post.slug}`],
      ["/releases.json", `${origin}/releases/${post.slug}`],
      [`/releases/${post.slug}.json`, `${origin}/releases/${post.slug}`],
      ["/releases/widget.json", `${origin}/releases/${post.slug}`],
    ] as const) {
      const { status, body } = await visitHost(host, path);
      expect([path, status, body.includes(wanted), body.includes(under)]).toEqual([path, 200, true, false]);
    }
    expect(await statusAt(host, `/releases/${post.slug}.md`)).toBe(200);
    expect(await statusAt(host, "/releases/icon.svg")).toBe(200);
    expect(await location(host, "/favicon.ico")).toEqual([301, "/releases/icon.svg"]);
    expect(await statusAt(host.toUpperCase())).toBe(200);
  });

  test("has public pages only: no app, sign-in, API or Supabase services", async () => {
    const host = await ownName(acme.id, "live");
    for (const path of [
      ...["/app", "/index.html", "/auth/sign-in", "/workspaces", "/assets/index.js", "/dev/mail", "/healthz", "/readyz"],
      ...[
        "/api/config",
        "/api/openapi.json",
        "/auth/v1/health",
        "/rest/v1/posts",
        "/storage/v1/object/logos/a.png",
        "/realtime/v1/websocket",
      ],
      ...["/functions/v1/api/config", "/ws/presence/a/b"],
    ]) {
      const { status, body } = await visitHost(host, path);
      expect([path, status, JSON.parse(body)]).toEqual([path, 404, notThere]);
    }
    expect((await visitHost(host, "/api/auth/login", { method: "POST", body: "{}" })).status).toBe(404);
  });

  test("belongs to its workspace, whatever the query", async () => {
    const host = await ownName(acme.id, "live");
    const globex = await openWorkspace(owner);
    await newPost(owner, globex.id, { title: "Of another" });
    const { body } = await visitHost(host, `/releases?workspace=${globex.subdomain}`);
    expect([body.includes("Dark mode"), body.includes("Of another")]).toEqual([true, false]);
  });

  test("accepts subscriptions and shows a subscriber's page there", async () => {
    const host = await ownName(acme.id, "live");
    await sql`insert into public.mail_settings (workspace_id, enabled) values (${acme.id}, true) on conflict (workspace_id) do update set enabled = true`;
    const form = await visitHost(host, "/releases/subscribe.html");
    expect([form.status, form.body.includes('action="/releases/subscribe"')]).toEqual([200, true]);
    const asked = await visitHost(host, "/releases/subscribe", {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: "email=ann%40example.com&frequency=instant",
    });
    expect([asked.status, asked.headers.location]).toEqual([303, "/releases/subscribe.html?asked=1"]);
    const [subscriber] = await sql`select email from public.subscribers where workspace_id = ${acme.id}`;
    expect(subscriber!.email).toBe("ann@example.com");
  });
});

describe("below the product's own host", () => {
  test("pages redirect permanently to the live domain, with path and query; feeds stay with the same ids", async () => {
    const under = `${acme.subdomain}.localhost`;
    const feeds = ["/releases/rss.xml", "/releases/atom.xml", "/releases.feed.json"];
    const ids = async (at: string) =>
      Promise.all(feeds.map(async (path) => (await visitHost(at, path)).body.match(/urn:uuid:[\da-f-]{36}/g)));
    const before = await ids(under);
    const host = await ownName(acme.id, "live");
    const origin = originAt(host);
    for (const path of ["/releases", "/releases?tag=feature&utm_source=x", `/releases/${post.slug}?via=mail`, "/sitemap.xml", "/llms.txt"])
      for (const method of ["GET", "HEAD"]) expect(await location(under, path, method)).toEqual([301, origin + path]);
    const { headers } = await visitHost(under, "/releases");
    expect(headers["cache-control"]).toBe("public, max-age=0, s-maxage=60");
    expect(headers.vary).toMatch(/Forwarded/);
    expect(await ids(under)).toEqual(before);
    expect(await ids(host)).toEqual(before);
    for (const path of [
      "/releases.json",
      `/releases/${post.slug}.json`,
      `/releases/${post.slug}.md`,
      "/releases.md",
      "/releases/icon.svg",
      "/robots.txt",
    ])
      expect([path, await statusAt(under, path)]).toEqual([path, 200]);
    expect((await visitHost(under, "/robots.txt")).body).toContain(`Sitemap: ${origin}/sitemap.xml`);
    const byQuery = await visit(null, `/releases?workspace=${acme.subdomain}`);
    expect([byQuery.status, byQuery.body.includes(`<link rel="canonical" href="${origin}/releases"`)]).toEqual([200, true]);
  });

  test("a subscriber's link, which is a secret, isn't redirected, as the domain may change owners", async () => {
    await ownName(acme.id, "live");
    const { status, headers } = await visit(acme.subdomain, "/releases/subscription/nobodys-token");
    expect([status, headers.location]).toEqual([404, undefined]);
  });

  test("the widget's data can be read by both own pages and allowed sites, at either URL, and by no one else", async () => {
    const host = await ownName(acme.id, "live");
    await sql`update public.workspaces set allowed_origins = '{https://shop.example}' where id = ${acme.id}`;
    for (const at of [host, `${acme.subdomain}.localhost`]) {
      for (const origin of [originAt(host), originAt(`${acme.subdomain}.localhost`), "https://shop.example"]) {
        const { status, headers, body } = await visitHost(at, "/releases/widget.json", { headers: { origin } });
        expect([at, origin, status, headers["access-control-allow-origin"]]).toEqual([at, origin, 200, origin]);
        expect(widgetData.parse(JSON.parse(body)).workspace.url).toBe(`${originAt(host)}/releases`);
      }
      for (const origin of ["https://evil.example", originAt("nobody.example"), originAt(`sub.${host}`)])
        expect((await visitHost(at, "/releases/widget.json", { headers: { origin } })).status).toBe(403);
    }
  });
});

describe("a workspace's URL elsewhere", () => {
  const addresses = async () => {
    const { workspaces } = (await owner.api.get<{ workspaces: Workspace[] }>("/api/workspaces")).body;
    const feed = await owner.api.get<{ home_page_url: string }>(`/api/workspaces/${acme.id}/export?format=feed`);
    return [workspaces.find(({ id }) => id === acme.id)?.domain, feed.body.home_page_url];
  };
  test("is its domain for members while it is live, and for no one else", async () => {
    const below = `${originAt(`${acme.subdomain}.localhost`)}/releases`;
    expect(await addresses()).toEqual([undefined, below]);
    const host = await ownName(acme.id, "certificate");
    expect(await addresses()).toEqual([undefined, below]);
    await setOwnName(host, "live");
    expect(await addresses()).toEqual([host, `${originAt(host)}/releases`]);
    const stranger = await newPerson("Eve");
    const asked = await rpc(stranger, "own_hosts", { workspace_ids: [acme.id] });
    expect([asked, await rpc(owner, "own_hosts", { workspace_ids: [acme.id] })]).toEqual([[], [{ workspace_id: acme.id, host }]]);
  });
});

describe("a domain's owner", () => {
  test.each([
    ["dns", 404, 200],
    ["certificate", 200, 200],
    ["live", 200, 301],
    ["lost", 200, 301],
    ["lost for good", 404, 200],
  ] as const)("while it is %s: it answers %i, and the host below ours %i", async (state, own, below) => {
    const host = await ownName(acme.id, state);
    expect([await statusAt(host), await statusAt(`${acme.subdomain}.localhost`)]).toEqual([own, below]);
    const question = await visitHost(host, hostQuestion);
    if (own === 200) expect([question.status, question.headers[hostAnswer.header]]).toEqual([200, hostAnswer.known]);
    else expect(question.status).toBe(404);
  });

  test("changes immediately: removed, moved to another workspace, closed, without the add-on", async () => {
    const host = await ownName(acme.id, "live");
    for (let time = 0; time < 3; time++) expect((await visitHost(host, "/releases")).body).toContain("Dark mode");
    await setOwnName(host, "dns");
    expect(await statusAt(host)).toBe(404);
    expect(await statusAt(`${acme.subdomain}.localhost`)).toBe(200);
    await sql`delete from public.domains where host = ${host}`;
    const globex = await openWorkspace(owner);
    await newPost(owner, globex.id, { title: "Of another" });
    await ownName(globex.id, "live", host);
    for (let time = 0; time < 3; time++) expect((await visitHost(host, "/releases")).body).toContain("Of another");
    await setPublic(globex.id, false);
    expect(await statusAt(host)).toBe(404);
    await setPublic(globex.id, true);
    expect(await statusAt(host)).toBe(200);
    await sql`delete from public.workspace_add_ons where workspace_id = ${globex.id} and add_on = 'custom-domain'`;
    expect(await statusAt(host)).toBe(404);
    expect(await statusAt(`${globex.subdomain}.localhost`)).toBe(200);
  });

  test("with several live domains redirects to the first", async () => {
    const first = await ownName(acme.id, "live");
    const second = await ownName(acme.id, "live");
    await sql`update public.domains set live_at = now() - interval '1 day' where host = ${first}`;
    await sql`update public.domains set state = 'certificate' where host = ${second}`;
    await setOwnName(second, "live");
    expect(await location(second, "/releases?page=1")).toEqual([301, `${originAt(first)}/releases?page=1`]);
    expect(await statusAt(second, "/releases.json")).toBe(200);
  });

  test("is unknown for foreign domains that point here", async () => {
    for (const host of ["evil.example", "localhost.evil.example", "www.localhost.evil.example", "a_b.example"])
      for (const path of ["/", "/releases", `/releases?workspace=${acme.subdomain}`, "/widget.js", "/api/config", hostQuestion])
        expect([host, path, (await visitHost(host, path)).status]).toEqual([host, path, 404]);
  });

  test("a client's claim about its host is ignored", async () => {
    const host = await ownName(acme.id, "live");
    const headers = { forwarded: `host=${host}`, "x-forwarded-host": host };
    expect((await visitHost("evil.example", "/releases", { headers })).status).toBe(404);
    const globex = await openWorkspace(owner);
    expect((await visit(globex.subdomain, "/releases", { headers })).body).not.toContain("Dark mode");
  });
});
