import { beforeAll, describe, expect, test } from "vitest";
import { releaseAnswer } from "#contract/releases.ts";
import { newPerson, type Person, sql } from "./support/people.ts";
import { changePost, newPost, openWorkspace, readPage, visit } from "./support/public.ts";

let owner: Person;
beforeAll(async () => {
  owner = await newPerson("Ada Lovelace");
});

describe("a release", () => {
  test("is an article with title, date, author, tags and content", async () => {
    const { id, subdomain } = await openWorkspace(owner);
    const blocks = [
      { type: "header", data: { text: "Why", level: 2 } },
      { type: "image", data: { file: { url: "/storage/v1/object/public/post-images/x/y.png" }, caption: "A cat" } },
      { type: "code", data: { code: "a < b" } },
    ];
    const { id: post, slug } = await newPost(owner, id, { title: "Dark <mode> & more", tags: ["docs", "mine"], blocks });
    await changePost(post, { author_name: "Grace Hopper" });
    const { page } = await readPage(subdomain, `/releases/${slug}`);
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
    expect((await visit(subdomain, `/releases/${slug}.md`)).body).toContain("# Dark \\<mode> & more\n");
  });

  test("is found at its own workspace's URLs only, and by none of its slugs elsewhere", async () => {
    const [acme, globex] = await Promise.all([openWorkspace(owner), openWorkspace(owner)]);
    const secret = await newPost(owner, globex.id, { title: `Only of Globex ${globex.subdomain}` });
    const former = `former-${globex.subdomain}`;
    await sql`insert into public.post_slugs (workspace_id, post_id, slug) values (${globex.id}, ${secret.id}, ${former})`;
    await newPost(owner, acme.id, { title: "Of Acme" });
    const endings = ["", ".json", ".md", ".widget.json"];
    for (const ending of endings) {
      expect((await visit(globex.subdomain, `/releases/${secret.slug}${ending}`)).status).toBe(200);
      expect((await visit(globex.subdomain, `/releases/${former}${ending}`)).status).toBe(301);
    }
    for (const path of [secret.slug, former].flatMap((slug) => endings.map((ending) => `/releases/${slug}${ending}`)))
      for (const [host, query] of [
        [acme.subdomain, ""],
        [acme.subdomain, `?workspace=${globex.subdomain}`],
        [null, `?workspace=${acme.subdomain}`],
        [null, ""],
      ] as const) {
        const { status, headers, body } = await visit(host, path + query);
        expect([host, path, query, status, headers.location]).toEqual([host, path, query, 404, undefined]);
        expect(body).not.toContain("Only of Globex");
      }
    for (const path of ["/releases", "/releases.json", "/releases/rss.xml", "/releases/widget.json", "/sitemap.xml"])
      expect([path, (await visit(acme.subdomain, path)).body.includes(globex.subdomain)]).toEqual([path, false]);
  });

  test("shows a change immediately, and redirects older slugs and capital letters with 301", async () => {
    const { id, subdomain } = await openWorkspace(owner);
    const { id: post, slug } = await newPost(owner, id, { title: "First name" });
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
    await changePost(post, { title: "Changed" });
    expect((await visit(subdomain, "/releases/second-name")).body).toContain("Changed");
  });

  test("has the direction of its title", async () => {
    const { id, subdomain } = await openWorkspace(owner);
    const { slug } = await newPost(owner, id, { title: "מצב כהה: גרסה 2.0!" });
    const { page } = await readPage(subdomain, `/releases/${slug}`);
    const article = page.querySelector("article")!;
    expect(article.dir).toBe("auto");
    for (const own of article.querySelectorAll("[dir]")) own.remove();
    expect(article.textContent.trim()).toMatch(/^מצב כהה: גרסה 2\.0!/);
    expect((await readPage(subdomain, "/releases")).page.querySelector(".entry article")!.getAttribute("dir")).toBe("auto");
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
  ])("isn't at %s", async (path) => {
    const { subdomain } = await openWorkspace(owner);
    const { status, headers } = await visit(subdomain, path);
    expect([status, headers["cache-control"]]).toEqual([404, expect.stringMatching(/^no-store/)]);
    // Paths with a dot or of ours are answered as JSON for programs, others as HTML.
    expect(headers["content-type"]).toMatch(/\.|%2e|\/_\//.test(path) ? /^application\/json/ : /^text\/html/);
  });
});
