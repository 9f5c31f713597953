import { beforeAll, describe, expect, inject, test } from "vitest";
import { postEndpoints } from "#contract/posts.ts";
import { releaseList, widgetData } from "#contract/releases.ts";
import type { Audience } from "#contract/rules/audience.ts";
import { v1PostEndpoints, type V1Post } from "#contract/v1/posts.ts";
import { as, type Client } from "./support/client.ts";
import { newKey, newPost, newTeam, type Team } from "./support/people.ts";
import { readPage, setPublic, visit } from "./support/public.ts";

const { url } = inject("stack");
let team: Team;
let api: Client;
let secret: string;
beforeAll(async () => {
  team = await newTeam();
  await setPublic(team.workspaceId, true);
  ({ api, secret } = await newKey(team.owner, team.workspaceId));
});

const days = (number: number): string => new Date(Date.now() + number * 86_400_000).toISOString();
const publish = async (title: string, details: object, published_at = days(-1)) =>
  newPost(team.editor, team.workspaceId, {
    title,
    status: "published",
    published_at,
    blocks: [{ type: "paragraph", data: { text: "Words." } }],
    details,
  });
const create = async (fields: object): Promise<V1Post> =>
  as(v1PostEndpoints.create, await api.post("/api/v1/posts", { title: "By the API", markdown: "Words.", ...fields })).post;
const read = async (path: string): Promise<string> => (await visit(team.subdomain, path)).body;

const all = {
  ...{ pinned_until: days(2), expires_at: days(3), component: "API & server", breaking: true, security: true },
  placement: { surface: "spotlight", selector: "#export", push: false, from: null, until: days(5), again: 7 },
  button: { text: "Try <it>", url: "https://acme.example/try?a=1&b=\"'><script>alert(1)</script>" },
};
const rule: Audience = {
  all: [
    { attribute: "plan", in: ["pro", "team"] },
    { attribute: "seats", gte: 10 },
  ],
};
const none = {
  pinned_until: null,
  expires_at: null,
  button: null,
  component: null,
  breaking: false,
  security: false,
  placement: null,
  audience: null,
};

describe("a post's details", () => {
  test("are fields of /api/v1 that change one by one, also by external id and as Markdown", async () => {
    const made = await create({});
    expect(made).toMatchObject({ ...none, product_version: null, version: 1 });
    const path = `/api/v1/posts/${made.id}`;
    const changed = as(v1PostEndpoints.change, await api.patch(path, { ...all, audience: rule, product_version: "v1.12.0-rc.1" })).post;
    expect(changed).toMatchObject({ ...all, audience: rule, product_version: "1.12.0-rc.1", version: 2 });
    expect(as(v1PostEndpoints.change, await api.patch(path, { breaking: false, button: null })).post).toMatchObject({
      ...{ ...all, audience: rule, breaking: false, button: null, product_version: "1.12.0-rc.1", version: 3 },
    });
    expect(as(postEndpoints.read, await team.viewer.api.get(`/api/posts/${made.id}`)).post.details).toEqual({
      ...{ ...all, audience: rule, breaking: false, button: null, version: "1.12.0-rc.1" },
    });
    const headers = { accept: "text/markdown", authorization: `Bearer ${secret}` };
    const file = await (await fetch(url + path, { headers })).text();
    expect(file).toContain('product_version: "1.12.0-rc.1"\ncomponent: "API & server"\nsecurity: true\n');
    expect(file).toContain(`audience: ${JSON.stringify(JSON.stringify(rule))}\n`);
    expect(file).toContain('placement: {"surface":"spotlight",');
    const put = await api.put<{ post: V1Post }>("/api/v1/posts/by-external-id/details", {
      title: "A",
      markdown: "B.",
      product_version: "2.0",
    });
    expect(put.body.post).toMatchObject({ product_version: "2.0", component: null });
    expect((await api.get<{ posts: V1Post[] }>("/api/v1/posts")).body.posts[0]).toMatchObject({ product_version: "2.0" });
  });

  test.each<[string, object]>([
    ["product_version", { product_version: "latest" }],
    ["product_version", { product_version: "1.2.3.4.5" }],
    ["button.url", { button: { text: "Go", url: "javascript:alert(1)" } }],
    ["button.url", { button: { text: "Go", url: "/relative" } }],
    ["button.text", { button: { text: " ", url: "https://acme.example" } }],
    ["component", { component: "x".repeat(41) }],
    ["pinned_until", { pinned_until: days(2), expires_at: days(1) }],
    ["pinned_until", { pinned_until: "tomorrow" }],
    ["breaking", { breaking: "yes" }],
    ["audience", { audience: "everyone" }],
    ["audience", { audience: { all: [{ any: [{ all: [{ attribute: "plan", eq: "pro" }] }] }] } }],
    ["audience.attribute", { audience: { attribute: "", eq: "pro" } }],
    ["placement.surface", { placement: { surface: "popup" } }],
    ["placement.selector", { placement: { surface: "spotlight" } }],
    ["placement.until", { placement: { surface: "modal", from: days(2), until: days(1) } }],
    ["placement.again", { placement: { surface: "modal", again: 0 } }],
  ])("are refused at %s for %j", async (field, sent) => {
    const refused = await api.post("/api/v1/posts", { title: "By the API", markdown: "Words.", ...sent });
    expect([refused.status, Object.keys(refused.body.fields ?? {})]).toEqual([422, [field]]);
  });

  test("with reversed dates are also refused against the stored date", async () => {
    const { id } = await create({ expires_at: days(1) });
    const refused = await api.patch(`/api/v1/posts/${id}`, { pinned_until: days(2) });
    expect(refused.body.fields).toEqual({ pinned_until: "Please choose a time before the post expires" });
  });

  test("are on the page, in JSON, the feed and Markdown, and escaped", async () => {
    const made = await publish("Everything", { ...all, version: "1.12.0" });
    const { page } = await readPage(team.subdomain, `/releases/${made.slug}`);
    expect([...page.querySelectorAll(".post .when bdi")].map((fact) => fact.textContent)).toEqual([
      ...["Pinned", "API & server 1.12.0", "Breaking change", "Security"],
    ]);
    const button = page.querySelector("a.button.action");
    expect([button?.textContent, button?.getAttribute("href")]).toEqual(["Try <it>", all.button.url]);
    expect(page.querySelectorAll(".post script")).toHaveLength(0);
    const [release] = releaseList.parse(JSON.parse(await read("/releases.json"))).releases;
    expect(release).toMatchObject({ ...all, version: "1.12.0" });
    const feed = JSON.parse(await read("/releases.feed.json")) as { items: { _tidings?: object }[] };
    expect(feed.items[0]!._tidings).toEqual({ ...all, version: "1.12.0" });
    expect(await read(`/releases/${made.slug}.md`)).toMatch(
      /· API & server 1\.12\.0 · Breaking change · Security\n\nWords\.\n\n\[Try \\<it>\]\(/,
    );
  });

  test("pin a post on the page and in the widget, and take an expired one out of the widget", async () => {
    await publish("Old pin", { pinned_until: days(1) }, days(-20));
    await publish("Expired", { expires_at: days(-1) }, days(-0.5));
    const titles = async () => {
      const list = (await readPage(team.subdomain, "/releases")).page;
      return [...list.querySelectorAll(".entries h2")].map((title) => title.textContent);
    };
    expect(await titles()).toEqual(["Everything", "Old pin", "Expired"]);
    const widget = widgetData.parse(JSON.parse(await read("/releases/widget.json")));
    expect(widget.posts.map(({ title }) => title)).toEqual(["Everything", "Old pin"]);
    expect(releaseList.parse(JSON.parse(await read("/releases.json"))).releases.map(({ title }) => title)).toEqual([
      ...["Expired", "Everything", "Old pin"],
    ]);
  });
});

describe("changes between versions", () => {
  let reader: Team;
  beforeAll(async () => {
    reader = await newTeam();
    await setPublic(reader.workspaceId, true);
    const versions: [string, object][] = [
      ["1.9.0", {}],
      ["1.10.0", { breaking: true, component: "Server" }],
      ["1.12.0", { security: true }],
    ];
    for (const [version, more] of versions)
      await newPost(reader.editor, reader.workspaceId, {
        ...{ title: `Version ${version}`, status: "published", details: { version, ...more } },
        blocks: [{ type: "paragraph", data: { text: "Words." } }],
      });
    await newPost(reader.editor, reader.workspaceId, { title: "Draft", details: { version: "2.0.0" } });
  });
  const list = async (query: string) => releaseList.parse(JSON.parse((await visit(reader.subdomain, `/releases.json?${query}`)).body));

  test("are in JSON, newest version first, by component and page, without drafts", async () => {
    const { releases, changes, pagination } = await list("since=1.9.0");
    expect(releases.map(({ version }) => version)).toEqual(["1.12.0", "1.10.0"]);
    const text = "2 versions · 2 updates · Breaking change: 1 · Security: 1";
    expect(changes).toEqual({ versions: 2, posts: 2, breaking: 1, security: 1, latest: "1.12.0", text });
    expect(pagination).toEqual({ page: 1, pages: 1, total: 2 });
    expect((await list("since=v1.9.0&component=server")).releases.map(({ version }) => version)).toEqual(["1.10.0"]);
    expect((await list("since=1.9.0&limit=1&page=2")).releases.map(({ version }) => version)).toEqual(["1.10.0"]);
    expect(await list("since=1.12.0")).toMatchObject({ releases: [], changes: { versions: 0, latest: null } });
    expect((await list("page=1")).changes).toBeUndefined();
  });

  test.each([
    "since=",
    "since=latest",
    "since=1.0.0&until=x",
    "until=1.0.0",
    "component=Server",
    "since=1.0.0&tag=fix",
    "since=1.0.0&component=",
  ])("answer 404 for %s", async (query) => {
    expect((await visit(reader.subdomain, `/releases.json?${query}`)).status).toBe(404);
  });

  test("have a page of their own, which isn't indexed", async () => {
    const { page } = await readPage(reader.subdomain, "/releases/compare/1.9.0...1.10.0");
    expect([page.querySelector("h1")?.textContent, page.querySelector(".title p")?.textContent]).toEqual([
      "Changelog: 1.9.0 – 1.10.0",
      "1 version · 1 update · Breaking change: 1 Show everything",
    ]);
    expect([...page.querySelectorAll(".entries h2")].map((title) => title.textContent)).toEqual(["Version 1.10.0"]);
    expect(page.querySelector("meta[name=robots]")?.getAttribute("content")).toBe("noindex");
    expect((await readPage(reader.subdomain, "/releases/compare/1.12.0...1.12.0")).page.querySelector(".note")).not.toBeNull();
    for (const range of ["1.9.0", "1.9.0...", "...1.9.0", "2.0.0...1.0.0", "a...b", "1.0.0...2.0.0...3.0.0", "1.0.0...%3Cscript%3E"])
      expect((await visit(reader.subdomain, `/releases/compare/${range}`)).status, range).toBe(404);
  });
});

describe("the widget's data", () => {
  let reader: Team;
  let server: string;
  beforeAll(async () => {
    reader = await newTeam();
    await setPublic(reader.workspaceId, true);
    const posts: [string, object][] = [
      ["Old fix", { tags: ["fix"], published_at: days(-20), details: { version: "1.9.0" } }],
      ["New feature", { tags: ["feature"], published_at: days(-2), details: { version: "1.12.0", breaking: true, button: all.button } }],
      ["Docs", { tags: ["docs"], published_at: days(-1) }],
    ];
    for (const [title, more] of posts) {
      const { slug } = await newPost(reader.editor, reader.workspaceId, {
        ...{ title, status: "published", ...more },
        blocks: [{ type: "paragraph", data: { text: "Words." } }],
      });
      if (title === "New feature") server = slug;
    }
  });
  const widget = async (query = "") => widgetData.parse(JSON.parse((await visit(reader.subdomain, `/releases/widget.json?${query}`)).body));
  const titles = async (query: string) => (await widget(query)).posts.map(({ title }) => title);

  test("is narrowed by tags, and unknown ones give none", async () => {
    expect(await titles("tags=fix,docs")).toEqual(["Docs", "Old fix"]);
    expect(await titles("tags=feature")).toEqual(["New feature"]);
    expect(await titles("tags=nothing")).toEqual([]);
  });

  test("is in the asked language; an unknown one is ignored", async () => {
    expect([await widget("locale=ar"), await widget("locale=xx")].map(({ locale, dir }) => [locale, dir])).toEqual([
      ["ar", "rtl"],
      ["en", "ltr"],
    ]);
  });

  test("says what changed since the reader's version; an invalid one is ignored", async () => {
    expect((await widget("version=1.9.0")).words.latest).toBe("1 version · 1 update · Breaking change: 1");
    const { origin } = new URL((await widget()).workspace.url);
    expect((await widget("version=1.9.0")).changes_url).toBe(`${origin}/releases/compare/1.9.0...1.12.0`);
    for (const version of ["1.12.0", "latest", ""])
      expect(await widget(`version=${version}`)).toMatchObject({ words: { latest: (await widget()).words.latest }, changes_url: null });
  });

  test("has placed posts beyond the listed ones, by tag, with their button", async () => {
    const placement = { surface: "banner-top", selector: null, push: true, from: null, until: days(1), again: "never" };
    const { title, id } = await newPost(reader.editor, reader.workspaceId, {
      ...{ title: "Banner", status: "published", published_at: days(-30), tags: ["docs"], details: { placement, button: all.button } },
      blocks: [{ type: "paragraph", data: { text: "Words." } }],
    });
    expect((await widget()).placed).toMatchObject([{ id, title, placement, button: all.button, excerpt: "Words." }]);
    expect((await widget("tags=fix")).placed).toEqual([]);
  });

  test("has the labels and the button in the post's text", async () => {
    const { content } = JSON.parse((await visit(reader.subdomain, `/releases/${server}.widget.json`)).body) as { content: unknown[] };
    expect(content).toEqual([
      ["p", {}, ["strong", {}, "1.12.0 · Breaking change"]],
      ["p", {}, "Words."],
      ["p", {}, ["a", { href: all.button.url }, all.button.text]],
    ]);
    expect((await visit(reader.subdomain, `/releases/${server}.widget.json?locale=de`)).body).toContain("1.12.0 · Inkompatible Änderung");
  });

  test("treats older posts as seen once the setting says so", async () => {
    const news = async () => (await widget()).posts.filter(({ published_at }) => !published_at.startsWith("+")).map(({ title }) => title);
    expect(await news()).toEqual(["Docs", "New feature", "Old fix", "Banner"]);
    const path = `/api/widget-settings/${reader.workspaceId}`;
    expect((await reader.owner.api.post(path, { behaviour: { newFor: 7 } })).status).toBe(200);
    expect(await news()).toEqual(["Docs", "New feature"]);
  });
});
