import { JSDOM } from "jsdom";
import { beforeAll, describe, expect, test } from "vitest";
import { releaseAnswer, releaseList, widgetData } from "#contract/releases.ts";
import { xssPayloads } from "../support/xss-payloads.ts";
import { newPerson, newWorkspace, type Person, sql } from "./support/people.ts";
import { changePost, newPost, setPublic, visit } from "./support/public.ts";

let owner: Person;
beforeAll(async () => {
  owner = await newPerson("Ada Lovelace");
});

async function openWorkspace(): Promise<{ id: string; subdomain: string }> {
  const workspace = await newWorkspace(owner);
  await setPublic(workspace.id, true);
  return workspace;
}

const read = async (subdomain: string, path: string, headers: Record<string, string> = {}) => {
  const reply = await visit(subdomain, path, { headers });
  return { ...reply, page: new JSDOM(reply.body).window.document };
};

describe("the list", () => {
  let acme: { id: string; subdomain: string };
  beforeAll(async () => {
    acme = await openWorkspace();
    for (let n = 1; n <= 23; n++) {
      await newPost(owner, acme.id, {
        title: `Post ${n}`,
        tags: n % 2 === 0 ? ["fix"] : ["docs"],
        publishedAt: new Date(Date.UTC(2026, 0, n)).toISOString(),
      });
    }
  });

  test("shows ten a page, newest first, complete without scripts", async () => {
    const { status, headers, page } = await read(acme.subdomain, "/releases");
    expect([status, headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    expect([...page.querySelectorAll(".entry h2")].map((title) => title.textContent)).toEqual(
      Array.from({ length: 10 }, (_, index) => `Post ${23 - index}`),
    );
    expect([...page.querySelectorAll("script")].map((script) => script.type)).not.toContain("");
    expect(page.querySelector(".entry time")?.getAttribute("datetime")).toBe("2026-01-23T00:00:00.000Z");
    expect(page.querySelector(".entry time")?.textContent).toBe("January 23rd, 2026");
  });
  test("leads to older and newer pages", async () => {
    const hrefs = async (path: string) => {
      const { page } = await read(acme.subdomain, path);
      return ["prev", "next"].map((rel) => page.querySelector(`a[rel=${rel}]`)?.getAttribute("href") ?? null);
    };
    expect(await hrefs("/releases")).toEqual([null, "/releases?page=2"]);
    expect(await hrefs("/releases?page=2")).toEqual(["/releases", "/releases?page=3"]);
    expect(await hrefs("/releases?page=3")).toEqual(["/releases?page=2", null]);
    expect(await hrefs("/releases?tag=docs")).toEqual([null, "/releases?tag=docs&page=2"]);
  });
  test.each([
    "page=4",
    "page=0",
    "page=-1",
    "page=x",
    "page=1e9",
    "page=99999999999",
    "tag=none",
    "tag=",
    `tag=${"x".repeat(50)}`,
    "tag=fix&page=3",
  ])("has nothing at ?%s", async (query) => {
    expect((await visit(acme.subdomain, `/releases?${query}`)).status).toBe(404);
  });
  test("keeps ?workspace= in every link on the bare host, and names its own host as canonical", async () => {
    const { body } = await visit(null, `/releases?workspace=${acme.subdomain.toUpperCase()}`);
    const { document } = new JSDOM(body).window;
    const own = [...document.querySelectorAll("a, link[rel=alternate]")]
      .map((link) => link.getAttribute("href")!)
      .filter((href) => href.startsWith("/"));
    expect(own.length).toBeGreaterThan(20);
    for (const href of own) expect(href).toContain(`workspace=${acme.subdomain}`);
    expect(document.querySelector("link[rel=canonical]")?.getAttribute("href")).toMatch(
      new RegExp(`^http://${acme.subdomain}\\.localhost:\\d+/releases$`),
    );
  });
  test("as JSON, in the contract's shape", async () => {
    const list = releaseList.parse(JSON.parse((await visit(acme.subdomain, "/releases.json?page=3")).body));
    expect(list.releases.map(({ title }) => title)).toEqual(["Post 3", "Post 2", "Post 1"]);
    expect(list.pagination).toEqual({ page: 3, pages: 3, total: 23 });
    expect(list.releases[0]?.url).toContain(`://${acme.subdomain}.localhost:`);
  });
  test("is empty, not missing, before the first post", async () => {
    const { id, subdomain } = await openWorkspace();
    const { status, page } = await read(subdomain, "/releases");
    expect([status, page.querySelector("main h2")?.textContent]).toEqual([200, "Nothing published yet"]);
    await newPost(owner, id);
    expect((await read(subdomain, "/releases")).page.querySelectorAll(".entry")).toHaveLength(1);
  });
});

describe("a release", () => {
  test("reads like an article, with its title, date, author, tags and content", async () => {
    const { id, subdomain } = await openWorkspace();
    const blocks = [
      { type: "header", data: { text: "Why", level: 2 } },
      { type: "image", data: { file: { url: "/storage/v1/object/public/post-images/x/y.png" }, caption: "A cat" } },
      { type: "code", data: { code: "a < b" } },
    ];
    const { slug } = await newPost(owner, id, { title: "Dark <mode> & more", tags: ["docs", "mine"], blocks });
    await changePost(await idOf(slug, id), { author_name: "Grace Hopper" });
    const { page } = await read(subdomain, `/releases/${slug}`);
    const article = page.querySelector("article")!;
    expect(article.querySelector("h1")?.textContent).toBe("Dark <mode> & more");
    expect(article.querySelector(".author")?.textContent).toBe("By Grace Hopper");
    expect([...article.querySelectorAll(".tag")].map((tag) => tag.textContent)).toEqual(["Documentation", "mine"]);
    expect(article.querySelector(".body h2")?.textContent).toBe("Why");
    expect(article.querySelector("pre")?.textContent).toBe("a < b");
    expect(article.querySelector("img")?.getAttribute("src")).toBe("/storage/v1/object/public/post-images/x/y.png");
    expect(page.querySelector("meta[property='og:image']")?.getAttribute("content")).toMatch(/^http:\/\/[^/]+\/storage\/v1\//);
    expect(page.title).toBe("Dark <mode> & more · Acme");
    expect(JSON.parse(page.querySelector("script")!.textContent!)).toMatchObject({
      "@type": "BlogPosting",
      headline: "Dark <mode> & more",
    });
    const answer = releaseAnswer.parse(JSON.parse((await visit(subdomain, `/releases/${slug}.json`)).body));
    expect(answer.release.content_html).toContain(`src="http://${subdomain}.localhost:`);
    expect((await visit(subdomain, `/releases/${slug}.md`)).body).toContain("# Dark <mode> & more\n");
  });

  test("shows a change at once, and follows its older addresses and capital letters with 301", async () => {
    const { id, subdomain } = await openWorkspace();
    const { slug } = await newPost(owner, id, { title: "First name" });
    expect((await visit(subdomain, `/releases/${slug}`)).status).toBe(200);
    await sql`update public.posts set slug = 'second-name' where workspace_id = ${id}`;
    for (const [path, to] of [
      ["/releases/first-name", "/releases/second-name"],
      ["/releases/First-Name", "/releases/second-name"],
      ["/releases/SECOND-NAME", "/releases/second-name"],
      ["/releases/first-name.json", "/releases/second-name.json"],
      ["/releases/second-name/", "/releases/second-name"],
    ] as const) {
      const { status, headers } = await visit(subdomain, path);
      expect([path, status, headers.location]).toEqual([path, 301, to]);
    }
    const bare = await visit(null, `/releases/first-name?workspace=${subdomain}`);
    expect([bare.status, bare.headers.location]).toEqual([301, `/releases/second-name?workspace=${subdomain}`]);
    await changePost(await idOf("second-name", id), { title: "Changed" });
    expect((await visit(subdomain, "/releases/second-name")).body).toContain("Changed");
  });

  test.each([
    "/releases/no-such",
    "/releases/a/b",
    "/releases/%2e%2e%2fx",
    "/releases/%00",
    "/releases/widget.js",
    "/releases/x.xml",
    `/releases/${"a".repeat(300)}`,
    "/releases/_/api/x",
  ])("is not at %s", async (path) => {
    const { subdomain } = await openWorkspace();
    const { status, headers } = await visit(subdomain, path);
    expect([status, headers["cache-control"]]).toEqual([404, "no-store"]);
  });
});

const idOf = async (slug: string, workspace: string): Promise<string> =>
  (await sql<{ id: string }[]>`select id from public.posts where slug = ${slug} and workspace_id = ${workspace}`)[0]!.id;

describe("no text of a post", () => {
  test("runs or escapes on any surface, whatever stands in the database", async () => {
    const { id, subdomain } = await openWorkspace();
    const everywhere = (text: string) => [
      { type: "paragraph", data: { text } },
      { type: "header", data: { text, level: 2 } },
      { type: "list", data: { style: "unordered", items: [{ content: text, items: [{ content: text }] }] } },
      { type: "image", data: { file: { url: text }, caption: text } },
      { type: "code", data: { code: text } },
      { type: "quote", data: { text, caption: text } },
      { type: "table", data: { content: [[text]], withHeadings: true } },
      { type: "checklist", data: { items: [{ text }] } },
      { type: "raw", data: { html: text, text } },
    ];
    const storable = xssPayloads.map((text) => text.replaceAll("\0", ""));
    const { slug } = await newPost(owner, id, { title: "Hostile", blocks: storable.flatMap(everywhere) });
    const title = '</title></script><script>alert(1)</script><img src=x onerror="alert(1)">]]>';
    await changePost(await idOf(slug, id), {
      title,
      excerpt: title,
      author_name: title,
      tags: sql.array(["<b>x</b>", '"><img>']) as never,
    });
    await sql`update public.workspaces set name = ${title.slice(0, 100)}, logo_url = '/storage/v1/object/public/logos/"onerror="x' where id = ${id}`;
    for (const path of ["/releases", `/releases/${slug}`, "/releases/no-such", "/releases?tag=%3Cb%3Ex%3C%2Fb%3E"]) {
      const { page } = await read(subdomain, path);
      expect([...page.querySelectorAll("script")].filter(({ type }) => type !== "application/ld+json")).toEqual([]);
      expect(page.querySelectorAll("iframe, object, embed, base, link[rel=stylesheet], form:not([role=search]), svg script").length).toBe(
        0,
      );
      for (const element of page.querySelectorAll("*")) {
        for (const { name, value } of element.attributes) {
          expect(name).not.toMatch(/^on|^style$|^srcdoc$/);
          if (name === "href" || name === "src") expect(value).toMatch(/^(?:https?:|mailto:|\/(?!\/)|#content$)/);
        }
      }
    }
    for (const path of ["/releases/rss.xml", "/releases/atom.xml", "/sitemap.xml"]) {
      const { body, headers } = await visit(subdomain, path);
      const { window } = new JSDOM("");
      const xml = new window.DOMParser().parseFromString(body, "text/xml");
      expect(xml.querySelector("parsererror")?.textContent).toBeUndefined();
      expect(xml.querySelectorAll("script, img").length).toBe(0);
      expect(headers["content-type"]).toMatch(/xml/);
    }
    for (const path of ["/releases.json", `/releases/${slug}.json`, "/releases.feed.json", "/releases/widget.json"]) {
      const { body, headers } = await visit(subdomain, path);
      expect(() => JSON.parse(body) as unknown).not.toThrow();
      expect([headers["content-type"], headers["x-content-type-options"]]).toEqual([expect.stringContaining("json"), "nosniff"]);
    }
  });
});

describe("caching", () => {
  const paths = [
    "/releases",
    "/releases/dark-mode",
    "/releases.json",
    "/releases/dark-mode.json",
    "/releases/dark-mode.md",
    "/releases/rss.xml",
    "/releases/atom.xml",
    "/releases.feed.json",
    "/releases/widget.json",
    "/sitemap.xml",
    "/robots.txt",
  ];

  test("a reader who has it hears 304, until something changed", async () => {
    const { id, subdomain } = await openWorkspace();
    const post = await newPost(owner, id);
    for (const path of paths) {
      const first = await visit(subdomain, path);
      expect([path, first.status, first.headers["cache-control"]]).toEqual([
        path,
        200,
        "public, max-age=0, s-maxage=60, stale-while-revalidate=600",
      ]);
      const again = await visit(subdomain, path, { headers: { "if-none-match": first.headers.etag! } });
      expect([path, again.status, again.body, again.headers.etag]).toEqual([path, 304, "", first.headers.etag]);
      const weak = await visit(subdomain, path, { headers: { "if-none-match": `"x", W/${first.headers.etag}` } });
      expect([path, weak.status]).toEqual([path, 304]);
    }
    const tag = (await visit(subdomain, "/releases")).headers.etag!;
    await changePost(post.id, { title: "Changed" });
    expect((await visit(subdomain, "/releases", { headers: { "if-none-match": tag } })).status).toBe(200);
    await setPublic(id, false);
    expect((await visit(subdomain, "/releases", { headers: { "if-none-match": tag } })).status).toBe(404);
  });

  test("HEAD answers as GET does, without the body", async () => {
    const { id, subdomain } = await openWorkspace();
    await newPost(owner, id);
    for (const path of [...paths, "/releases/no-such"]) {
      const [get, head] = [await visit(subdomain, path), await visit(subdomain, path, { method: "HEAD" })];
      expect([path, head.status, head.body, head.headers.etag, head.headers["content-type"]]).toEqual([
        path,
        get.status,
        "",
        get.headers.etag,
        get.headers["content-type"],
      ]);
    }
  });

  test.each(["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])("%s is not taken", async (method) => {
    const { subdomain } = await openWorkspace();
    const { status, headers } = await visit(subdomain, "/releases", { method });
    expect([status, headers.allow]).toEqual([405, "GET, HEAD"]);
  });

  test("no answer for one host is one for another: it says so, and each is different", async () => {
    const [acme, globex] = [await openWorkspace(), await openWorkspace()];
    const replies = [
      await visit(acme.subdomain, "/releases.json"),
      await visit(globex.subdomain, "/releases.json"),
      await visit(null, "/releases.json"),
    ];
    for (const { headers } of replies) expect(headers.vary).toContain("X-Forwarded-Host");
    expect(new Set(replies.map(({ body }) => body)).size).toBe(3);
    // What a client claims about the host is not believed.
    const spoofed = await visit(acme.subdomain, "/releases.json", { headers: { "x-forwarded-host": `${globex.subdomain}.localhost` } });
    expect(spoofed.body).toBe(replies[0]!.body);
  });

  test("no cookie is set, and none changes anything", async () => {
    const { subdomain } = await openWorkspace();
    const reply = await visit(subdomain, "/releases", { headers: { cookie: "tc-auth=whatever", authorization: "Bearer x" } });
    expect([reply.status, reply.headers["set-cookie"]]).toEqual([200, undefined]);
  });
});

describe("every page", () => {
  test("is strict about what it may do", async () => {
    const { subdomain } = await openWorkspace();
    for (const path of ["/releases", "/releases/no-such"]) {
      const { headers, page } = await read(subdomain, path);
      const policy = headers["content-security-policy"] as string;
      expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; img-src 'self' https:;/);
      expect(policy).toContain("frame-ancestors 'none'");
      const style = new TextEncoder().encode(page.querySelector("style")!.textContent!);
      const hash = Buffer.from(await crypto.subtle.digest("SHA-256", style)).toString("base64");
      expect(policy).toContain(`'sha256-${hash}'`);
      expect(headers["x-content-type-options"]).toBe("nosniff");
      expect(headers["referrer-policy"]).toBe("strict-origin-when-cross-origin");
    }
  });
  test("of nobody asks whose changelog it shall be, with status 404", async () => {
    const { status, body } = await visit(null, "/releases");
    const { document } = new JSDOM(body).window;
    expect(status).toBe(404);
    expect(document.querySelector("form")?.getAttribute("action")).toBe("/releases");
    expect(document.querySelector("input")?.getAttribute("name")).toBe("workspace");
  });
  test.each([
    "/releases?workspace=",
    "/releases?workspace=a.b",
    "/releases?workspace=%00",
    "/releases?workspace=<x>",
    `/releases?workspace=${"a".repeat(500)}`,
    "/releases/x?workspace=no-such-one",
  ])("%s is a plain 404", async (path) => {
    expect((await visit(null, path)).status).toBe(404);
  });
});

describe("the widget's data", () => {
  test("carries settings with every default and at most maxPosts posts", async () => {
    const { id, subdomain } = await openWorkspace();
    for (let n = 1; n <= 7; n++)
      await newPost(owner, id, { title: `Post ${n}`, publishedAt: new Date(Date.UTC(2026, 0, n)).toISOString() });
    const fetched = async () => widgetData.parse(JSON.parse((await visit(null, `/releases/widget.json?workspace=${subdomain}`)).body));
    const first = await fetched();
    expect(first.posts.map(({ title }) => title)).toEqual(["Post 7", "Post 6", "Post 5", "Post 4", "Post 3"]);
    expect(first.settings).toEqual({
      appearance: { theme: "light" },
      positioning: { position: "bottom-right" },
      behaviour: { autoOpenNewPosts: true, animation: "fade", delay: 0 },
      customisation: { widgetSize: "sm", cornerRadius: 6, fontFamily: "system" },
      contentSettings: { maxPosts: 5, showPostAuthor: true, showImages: true },
    });
    await sql`insert into public.widget_settings (workspace_id, settings) values (${id}, ${sql.json({ appearance: { theme: "dark" }, contentSettings: { maxPosts: 2, showPostAuthor: false } })})`;
    const second = await fetched();
    expect([second.posts.length, second.settings.appearance.theme, second.posts[0]?.author_name]).toEqual([2, "dark", null]);
  });

  test("may be read by the workspace's own page and its allowed origins, by nobody else", async () => {
    const { id, subdomain } = await openWorkspace();
    await sql`update public.workspaces set allowed_origins = ${sql.array(["https://acme.example", "https://www.acme.example:8443"])} where id = ${id}`;
    const from = (origin: string) => visit(null, `/releases/widget.json?workspace=${subdomain}`, { headers: { origin } });
    const own = `http://${(await visit(subdomain, "/releases.json")).body.match(/"url":"http:\/\/([^/]+)/)![1]}`;
    for (const origin of ["https://acme.example", "https://www.acme.example:8443", own]) {
      const { status, headers } = await from(origin);
      expect([origin, status, headers["access-control-allow-origin"], headers["access-control-allow-credentials"]]).toEqual([
        origin,
        200,
        origin,
        undefined,
      ]);
      expect(headers.vary).toContain("Origin");
    }
    for (const origin of [
      "https://evil.example",
      "http://acme.example",
      "https://acme.example.evil.example",
      "https://evilacme.example",
      "https://acme.example:444",
      "null",
      "https://ACME.example/",
    ]) {
      const { status, headers, body } = await from(origin);
      expect([origin, status, headers["access-control-allow-origin"]]).toEqual([origin, 403, undefined]);
      expect(headers.vary).toContain("Origin");
      expect(body).not.toContain("posts");
    }
    expect(
      (await visit(subdomain, "/releases.json", { headers: { origin: "https://acme.example" } })).headers["access-control-allow-origin"],
    ).toBeUndefined();
  });
});

describe("feeds", () => {
  test("keep ids and dates honest while a post is published, edited, moved and withdrawn", async () => {
    const { id, subdomain } = await openWorkspace();
    const post = await newPost(owner, id, { publishedAt: "2026-01-01T00:00:00Z" });
    const entry = async () => {
      const { window } = new JSDOM("");
      const xml = new window.DOMParser().parseFromString((await visit(subdomain, "/releases/atom.xml")).body, "text/xml");
      const of = (name: string) => xml.querySelector(`entry > ${name}`)?.textContent;
      return {
        id: of("id"),
        published: of("published"),
        updated: of("updated"),
        title: of("title"),
        link: xml.querySelector("entry > link")?.getAttribute("href"),
      };
    };
    const first = await entry();
    expect(first).toMatchObject({ id: `urn:uuid:${post.id}`, published: "2026-01-01T00:00:00.000Z" });
    expect(await entry()).toEqual(first);
    await sql`update public.posts set title = 'Edited', slug = 'moved' where id = ${post.id}`;
    const edited = await entry();
    expect(edited).toMatchObject({
      id: first.id,
      published: first.published,
      title: "Edited",
      link: expect.stringMatching(/\/releases\/moved$/),
    });
    expect(Date.parse(edited.updated!)).toBeGreaterThan(Date.parse(first.updated!));
    await changePost(post.id, { status: "archived", archived_at: new Date().toISOString() });
    expect((await entry()).id).toBeUndefined();
  });

  test("carry full content with absolute addresses", async () => {
    const { id, subdomain } = await openWorkspace();
    await newPost(owner, id, { blocks: [{ type: "image", data: { file: { url: "/storage/v1/object/public/post-images/x/y.png" } } }] });
    const feed = JSON.parse((await visit(subdomain, "/releases.feed.json")).body) as { items: { content_html: string; url: string }[] };
    expect(feed.items[0]?.content_html).toContain(`src="http://${subdomain}.localhost:`);
    for (const path of ["/releases/rss.xml", "/releases/atom.xml"])
      expect((await visit(subdomain, path)).body).toContain(`src=&quot;http://${subdomain}.localhost:`);
  });
});
