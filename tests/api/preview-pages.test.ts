import { readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { rateLimits } from "#contract/rate-limits.ts";
import { hostAnswer, hostQuestion } from "#contract/rules/host-question.ts";
import { widgetData } from "#contract/releases.ts";
import { makePreviewToken } from "#contract/rules/preview-token.ts";
import { newPost, newPreviewLink, newTeam, paragraph, sql, type Team } from "./support/people.ts";
import { ownName, readPage, setPublic, visit, visitHost } from "./support/public.ts";
import { type SecondFunction, startFunction } from "./support/second-function.ts";

const stack = inject("stack");

let team: Team;
beforeAll(async () => {
  team = await newTeam();
  await setPublic(team.workspaceId, true);
});

async function shared(fields: Record<string, unknown> = {}, link: Parameters<typeof newPreviewLink>[2] = {}, of = team) {
  const post = await newPost(of.editor, of.workspaceId, fields);
  const { link: made, url, token } = await newPreviewLink(of.editor, post.id, link);
  return { post, link: made, url, token, path: new URL(url).pathname };
}
const at = (address: string) => readPage(team.subdomain, address);

const isSecret = (headers: Record<string, unknown>) =>
  expect(headers).toMatchObject({
    "cache-control": expect.stringMatching(/^no-store\b/) as string,
    "referrer-policy": "no-referrer",
    "x-robots-tag": "noindex, nofollow",
  });

test("a preview link gives the widget of any site its post, with a placement that shows now", async () => {
  const placement = { surface: "modal", from: "2999-01-01T00:00:00.000Z", until: null, again: "never" };
  const draft = await shared({ title: "Dark mode", details: { placement }, blocks: paragraph("Words.") });
  const data = async (path: string) => {
    const reply = await visit(team.subdomain, `${path}/widget.json`, { headers: { origin: "https://elsewhere.example" } });
    return { reply, data: reply.status === 200 ? widgetData.parse(JSON.parse(reply.body)) : null };
  };
  const now = { surface: "modal", selector: null, push: false, from: null, until: null, again: 0 };
  const unpublished = await data(draft.path);
  expect(unpublished.data?.placed).toMatchObject([{ title: "Dark mode", excerpt: "Words.", placement: now }]);
  expect(unpublished.reply.headers["access-control-allow-origin"]).toBe("*");
  isSecret(unpublished.reply.headers);
  await team.editor.api.put(`/api/posts/${draft.post.id}`, { status: "published" });
  expect((await data(draft.path)).data?.placed).toMatchObject([{ title: "Dark mode", placement: now }]);
  expect((await data(draft.path.slice(0, -1))).reply.status).toBe(404);
});

describe("a preview page", () => {
  test("is the public one plus a banner, without metadata, counting, sharing and Subscribe", async () => {
    const tags = ["feature"];
    const blocks = [
      { type: "header", data: { text: "What is new", level: 2 } },
      { type: "paragraph", data: { text: "Easy on the <b>eyes</b>." } },
      { type: "embed", data: { url: "https://vimeo.com/76979871", caption: "" } },
    ];
    const draft = await shared({ title: "Dark mode", tags, blocks: { time: 0, blocks, version: "2.28.2" } });
    const reply = await at(draft.path);
    expect([reply.status, reply.headers["content-type"], reply.headers.etag]).toEqual([200, "text/html; charset=utf-8", undefined]);
    isSecret(reply.headers);
    const notice = reply.page.querySelector("aside.draft");
    expect(notice?.textContent).toBe("Draft · version 1 · only people with this link");
    expect(reply.body).not.toMatch(/\.gif|og:|ld\+json|rel="canonical"|rel="alternate"|<script/);
    expect(reply.page.querySelector("meta[name=robots]")?.getAttribute("content")).toBe("noindex");

    await team.editor.api.put(`/api/posts/${draft.post.id}`, { status: "published" });
    const { page: published } = await at(`/releases/${draft.post.slug}`);
    notice?.remove();
    published.querySelectorAll(".reading, .share, .masthead .button").forEach((one) => one.remove());
    const within = (page: Document) => [
      page.querySelector("article")?.outerHTML.replace(/datetime="[^"]*" title="[^"]*"/, ""),
      page.querySelector(".masthead")?.outerHTML,
    ];
    expect(within(reply.page)).toEqual(within(published));
    expect(within(reply.page)[0]).toContain("<iframe");
  });

  test("makes the host of a closed changelog known, for its certificate, until the link is revoked", async () => {
    const own = await newTeam();
    const known = async () => (await visit(own.subdomain, hostQuestion)).headers[hostAnswer.header];
    expect(await known()).toBe(hostAnswer.unknown);
    const { post, link } = await shared({}, {}, own);
    expect(await known()).toBe(hostAnswer.known);
    await own.editor.api.delete(`/api/posts/${post.id}/preview-links/${link.id}`);
    expect(await known()).toBe(hostAnswer.unknown);
  });

  test("shows the saved state immediately, and its version", async () => {
    const { post, path: address } = await shared();
    await at(address);
    const saved = await team.editor.api.put(`/api/posts/${post.id}`, {
      title: "Hello again",
      content_raw: JSON.stringify(paragraph("Second words.")),
    });
    expect(saved.status).toBe(200);
    const { page } = await at(address);
    expect([page.querySelector("h1")?.textContent, page.querySelector(".body")?.textContent]).toEqual(["Hello again", "Second words."]);
    expect(page.querySelector("aside.draft")?.textContent).toContain("version 2");
  });

  test("works while the changelog is closed, and links to nothing closed", async () => {
    const closed = await newTeam();
    await newPost(closed.editor, closed.workspaceId, { title: "Long out", status: "published" });
    const draft = await shared({ tags: ["feature"] }, {}, closed);
    const { status, page, body } = await readPage(closed.subdomain, draft.path);
    expect(status).toBe(200);
    expect([...page.querySelectorAll("a[href^='/releases']")].map((link) => link.getAttribute("href"))).toEqual([]);
    expect(body).not.toContain("Long out");
    expect((await visit(closed.subdomain, "/releases")).status).toBe(404);
    await closed.editor.api.put(`/api/posts/${draft.post.id}`, { status: "published" });
    expect((await readPage(closed.subdomain, draft.path)).page.querySelector("aside.draft")?.textContent).toMatch(
      /^Not public · version \d+ · /,
    );
  });

  test("shows images of the draft", async () => {
    const url = `/storage/v1/object/public/post-images/${team.workspaceId}/${crypto.randomUUID()}.png`;
    const blocks = {
      time: 0,
      blocks: [{ type: "image", data: { file: { url, width: 8, height: 8 }, caption: "Dark" } }],
      version: "2.28.2",
    };
    const { path: address } = await shared({ blocks });
    expect((await at(address)).page.querySelector(".body img")?.getAttribute("src")).toBe(url);
  });

  test("runs no script of a user's content", async () => {
    const evil = `<img src=x onerror=alert(1)><script>alert(1)</script><a href="javascript:alert(1)">x</a>`;
    const { path: address } = await shared({ title: evil.slice(0, 100), blocks: paragraph(evil) });
    const { page } = await at(address);
    expect(page.querySelectorAll("script, [onerror], [href^='javascript']")).toHaveLength(0);
  });
});

describe("a preview link is a 404", () => {
  async function isNowhere(address: string, subdomain: string | null = team.subdomain) {
    const reply = await visit(subdomain, address);
    const never = await visit(team.subdomain, `/releases/preview/${makePreviewToken()}`);
    expect([reply.status, reply.body === never.body]).toEqual([404, true]);
    isSecret(reply.headers);
    const same = ({ headers }: typeof reply) =>
      Object.fromEntries(Object.entries(headers).filter(([name]) => name !== "date" && name !== "x-request-id"));
    expect(same(reply)).toEqual(same(never));
    expect(reply.body).not.toContain("Hello");
    expect(reply.body).not.toContain("Acme");
  }

  test("once it has expired", async () => {
    const { link, path: address } = await shared();
    await sql`update private.post_previews set created_at = now() - interval '8 days', expires_at = now() - interval '1 second' where id = ${link.id}`;
    await isNowhere(address);
  });
  test("once it was revoked, also for a cached page", async () => {
    const { post, link, path: address } = await shared();
    expect((await visit(team.subdomain, address)).status).toBe(200);
    expect((await team.admin.api.delete(`/api/posts/${post.id}/preview-links/${link.id}`)).status).toBe(200);
    await isNowhere(address);
  });
  test("while the post is archived, but not after it is restored; permanently once it is purged", async () => {
    const { post, path: address } = await shared();
    await team.editor.api.delete(`/api/posts/${post.id}`);
    await isNowhere(address);
    await team.editor.api.post(`/api/posts/${post.id}/restore`);
    const restored = await visit(team.subdomain, address);
    expect([restored.status, restored.body.includes("<h1>Hello</h1>")]).toEqual([200, true]);
    await team.editor.api.send("DELETE", `/api/posts/${post.id}`, { body: { purge: true } });
    await isNowhere(address);
  });
  test("when its maker can no longer write, or left, also after returning", async () => {
    const own = await newTeam();
    for (const change of ["viewer", null]) {
      const { path: address, post } = await shared({}, {}, own);
      const others = await newPreviewLink(own.admin, post.id);
      if (change === null) await own.owner.api.delete(`/api/team/${own.workspaceId}/members/${own.editor.id}`);
      else await own.owner.api.send("PATCH", `/api/team/${own.workspaceId}/members/${own.editor.id}/role`, { body: { role: change } });
      await isNowhere(address, own.subdomain);
      expect((await visit(own.subdomain, new URL(others.url).pathname)).status).toBe(200);
      await sql`insert into public.members (workspace_id, user_id, role) values (${own.workspaceId}, ${own.editor.id}, 'editor')
        on conflict (workspace_id, user_id) do update set role = 'editor'`;
      await isNowhere(address, own.subdomain);
    }
  });
  test("at another workspace's host, the bare one and an unknown one", async () => {
    const { path: address } = await shared();
    const other = await newTeam();
    await setPublic(other.workspaceId, true);
    for (const subdomain of [other.subdomain, null, "nobody-has-this"]) await isNowhere(address, subdomain);
    expect((await visit(null, `${address}?workspace=${team.subdomain}`)).status).toBe(200);
  });
  test.each(["", "x", `${"a".repeat(42)}%00`, `${"a".repeat(43)}.json`, "a".repeat(5_000), "%ff", `${makePreviewToken()}/else`])(
    "for a malformed token: %j",
    async (token) => await isNowhere(`/releases/preview/${token}`),
  );
});

describe("a public post", () => {
  test("is where its preview link redirects, without being cached", async () => {
    const { post, path: address } = await shared({ title: "Soon out" });
    await team.editor.api.put(`/api/posts/${post.id}`, { status: "published" });
    for (const method of ["GET", "HEAD"]) {
      const moved = await visit(team.subdomain, address, { method });
      expect([moved.status, moved.headers.location, moved.body]).toEqual([301, `/releases/${post.slug}`, ""]);
      isSecret(moved.headers);
    }
    expect((await visit(null, `${address}?workspace=${team.subdomain}`)).headers.location).toBe(
      `/releases/${post.slug}?workspace=${team.subdomain}`,
    );
    await team.editor.api.delete(`/api/posts/${post.id}`);
    expect((await visit(team.subdomain, address)).status).toBe(404);
  });
});

describe("a preview link's secret", () => {
  test("isn't needed for a body: HEAD answers like GET without the page", async () => {
    const { path: address } = await shared();
    const [got, head] = [await visit(team.subdomain, address), await visit(team.subdomain, address, { method: "HEAD" })];
    expect([head.status, head.body]).toEqual([200, ""]);
    for (const name of ["cache-control", "referrer-policy", "x-robots-tag", "content-security-policy", "content-type"])
      expect([name, head.headers[name]]).toEqual([name, got.headers[name]]);
  });
  test("is in no public page, and a second request gets no 304", async () => {
    const { token, path: address, post } = await shared({ title: "Top secret plan" });
    const first = await visit(team.subdomain, address);
    expect(
      (await visit(team.subdomain, address, { headers: { "if-none-match": "*", "if-modified-since": String(first.headers.date) } })).status,
    ).toBe(200);
    for (const place of [
      "/releases",
      "/releases.json",
      "/releases/rss.xml",
      "/releases/atom.xml",
      "/releases.feed.json",
      "/sitemap.xml",
      "/robots.txt",
    ]) {
      const { body } = await visit(team.subdomain, place);
      for (const secret of [token, post.slug, "Top secret plan"]) expect([place, body.includes(secret)]).toEqual([place, false]);
    }
    for (const ending of ["", ".json", ".md", ".png", ".widget.json", ".gif"])
      expect([ending, (await visit(team.subdomain, `${address}${ending || ".x"}`)).status]).toEqual([ending, 404]);
  });
  test("is in no log", async () => {
    const { token, path: address, link, post } = await shared();
    await visit(team.subdomain, address);
    await visit(team.subdomain, `${address}x`);
    await visit(team.subdomain, `${address}/comments`, { method: "POST" });
    await team.editor.api.delete(`/api/posts/${post.id}/preview-links/${link.id}`);
    const { headers } = await visit(team.subdomain, address);
    const read = (name: string) => readFile(path.join(stack.dataDir, "logs", name), "utf8");
    const id = String(headers["x-request-id"]);
    await vi.waitFor(async () => expect(await read("releases.log")).toContain(id), { timeout: 10_000, interval: 50 });
    const line = (await read("releases.log")).split("\n").find((text) => text.includes(id)) ?? "";
    expect(JSON.parse(line)).toMatchObject({ route: "/releases/preview/{token}", status: 404 });
    for (const name of ["releases.log", "requests.log", "api.log", "postgres.log"]) {
      const text = await read(name).catch((error: NodeJS.ErrnoException) => (error.code === "ENOENT" ? "" : Promise.reject(error)));
      expect([name, text.includes(token.slice(0, 20))]).toEqual([name, false]);
    }
  });
  test("works at the workspace's own domain, where the page has no links either", async () => {
    const own = await newTeam();
    await setPublic(own.workspaceId, true);
    const { path: address, url, post } = await shared({}, {}, own);
    const host = await ownName(own.workspaceId, "live");
    expect(new URL(url).host.startsWith(own.subdomain)).toBe(true);
    expect((await visitHost(host, address)).status).toBe(200);
    expect((await visit(own.subdomain, address)).status).toBe(200);
    await own.editor.api.put(`/api/posts/${post.id}`, { status: "published" });
    expect((await visitHost(host, address)).headers.location).toBe(`/releases/${post.slug}`);
    const other = await ownName((await newTeam()).workspaceId, "live");
    expect((await visitHost(other, address)).status).toBe(404);
  });
});

describe("guessing preview links", () => {
  let one: SecondFunction;
  beforeAll(async () => {
    one = await startFunction(stack, "releases", { TIDINGS_RATE_LIMIT_SCALE: "0.05" });
  });
  afterAll(async () => await one.stop());

  test("is rate limited per network, whatever is guessed, and reveals nothing; others can read", async () => {
    const { token } = await shared();
    const size = rateLimits.previewRead.address.size * 0.05;
    const [mine, others] = [`10.1.${Date.now() % 200}.7`, `10.2.${Date.now() % 200}.7`];
    const ask = (guess: string, address: string, method = "GET") =>
      fetch(`${one.url}/releases/preview/${guess}?workspace=${team.subdomain}`, { method, headers: { "x-forwarded-for": address } });
    const tries = [];
    for (let at = 0; at < size; at++) tries.push((await ask(makePreviewToken(), mine, at % 2 ? "HEAD" : "GET")).status);
    expect(tries).toEqual(Array(size).fill(404));
    while ((await ask(makePreviewToken(), mine)).status === 404);
    const right = await ask(token, mine);
    const wrong = await ask(makePreviewToken(), mine);
    expect([right.status, wrong.status]).toEqual([429, 429]);
    expect(Number(right.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(right.headers.get("cache-control")).toBe("no-store");
    expect(await right.text()).toBe(await wrong.text());
    expect((await ask(token, others)).status).toBe(200);
    expect((await ask("no-token", mine)).status).toBe(404);
  });
});
