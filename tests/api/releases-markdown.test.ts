import { JSDOM } from "jsdom";
import { beforeAll, describe, expect, test } from "vitest";
import { fc, seed } from "../support/properties.ts";
import { newPerson, type Person, sql } from "./support/people.ts";
import { changePost, newPost, openWorkspace, ownName, type Reply, visit, visitHost } from "./support/public.ts";
import { UrlCache } from "./support/url-cache.ts";

const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8";
const host = "Forwarded, X-Forwarded-Host, Accept-Encoding";

let owner: Person;
let acme: { id: string; subdomain: string };
let post: { id: string; slug: string };
beforeAll(async () => {
  owner = await newPerson("Ada Lovelace");
  acme = await openWorkspace(owner);
  for (let n = 1; n <= 12; n++)
    await newPost(owner, acme.id, { title: `Post ${n}`, tags: ["fix"], publishedAt: new Date(Date.UTC(2026, 0, n)).toISOString() });
  const blocks = [
    { type: "header", data: { text: "Why", level: 2 } },
    { type: "paragraph", data: { text: "Easy on the <b>eyes</b>." } },
  ];
  post = await newPost(owner, acme.id, { title: "Dark [mode]", tags: ["feature", "docs"], blocks, publishedAt: "2026-02-01T00:00:00Z" });
});

const pages = (): [page: string, copy: string][] => [
  ["/releases", "/releases.md"],
  ["/releases?page=2", "/releases.md?page=2"],
  ["/releases?limit=5&page=2", "/releases.md?limit=5&page=2"],
  ["/releases?tag=fix", "/releases.md?tag=fix"],
  ["/releases?month=2026-01", "/releases.md?month=2026-01"],
  ["/releases?q=post", "/releases.md?q=post"],
  [`/releases/${post.slug}`, `/releases/${post.slug}.md`],
];

const asMarkdown = (path: string, headers: Record<string, string> = {}): Promise<Reply> =>
  visit(acme.subdomain, path, { headers: { accept: "text/markdown", ...headers } });

describe("a page", () => {
  test("links to its Markdown in head and header, and to llms.txt", async () => {
    for (const onBareHost of [false, true])
      for (const [page, copy] of pages()) {
        const at = (path: string): string => (onBareHost ? `${path}${path.includes("?") ? "&" : "?"}workspace=${acme.subdomain}` : path);
        const ask = (path: string) => visit(onBareHost ? null : acme.subdomain, path);
        const { headers, body } = await ask(at(page));
        const { document } = new JSDOM(body).window;
        const [alternate, index] = ["link[type='text/markdown'][rel=alternate]", "link[rel=describedby]"].map((found) =>
          document.querySelector(found)!.getAttribute("href")!,
        );
        expect([page, headers.link]).toEqual([
          page,
          `<${alternate}>; rel="alternate"; type="text/markdown", <${index}>; rel="describedby"`,
        ]);
        const [markdown, llms] = [await ask(alternate!), await ask(index!)];
        expect([markdown.status, markdown.headers["content-type"]]).toEqual([200, "text/markdown; charset=utf-8"]);
        expect([llms.status, llms.headers["content-type"]]).toEqual([200, "text/plain; charset=utf-8"]);
        expect([page, markdown.body]).toEqual([page, (await ask(at(copy))).body]);
      }
  });

  test.each([
    "text/markdown",
    "text/markdown, */*;q=0.1",
    "text/markdown, text/html, */*",
    "TEXT/MARKDOWN;q=0.7;v=x, text/html;q=0.2",
    "text/markdown;q=1.0, text/x-markdown;q=0.9, text/plain;q=0.8, text/html;q=0.7, */*;q=0.1",
  ])("requested as %s is its Markdown byte by byte, and isn't cached", async (accept) => {
    for (const [page, copy] of pages()) {
      const [reply, own] = [await asMarkdown(page, { accept }), await visit(acme.subdomain, copy)];
      expect([page, reply.status, reply.body]).toEqual([page, 200, own.body]);
      expect(reply.headers).toMatchObject({
        "content-type": "text/markdown; charset=utf-8",
        "content-location": copy,
        "cache-control": "private, no-store",
        vary: `Accept, ${host}`,
        etag: own.headers.etag,
      });
      expect(reply.headers["x-robots-tag"]).toBeUndefined(); // that would apply to the page
    }
  });

  test("that doesn't exist is refused in the program's format", async () => {
    for (const path of ["/releases/no-such", "/releases?page=99", "/releases?tag=nobodys", "/releases?month=1999-01", "/releases?page=x"]) {
      const { status, headers, body } = await asMarkdown(path);
      expect([path, status, JSON.parse(body)]).toEqual([path, 404, { error: "Not found, or you don't have access.", code: "not_found" }]);
      expect([headers["cache-control"], headers.vary]).toEqual([expect.stringMatching(/^no-store/), `Accept, ${host}`]);
    }
    for (const [subdomain, path] of [
      ["no-such-workspace", "/releases"],
      [null, "/releases"],
      [null, "/releases/x?workspace=no-such-workspace"],
    ] as const) {
      const { status, headers } = await visit(subdomain, path, { headers: { accept: "text/markdown" } });
      expect([path, status, headers["content-type"]]).toEqual([path, 404, "application/json; charset=utf-8"]);
    }
  });

  test("that moved redirects alike for every format, so that caching it is safe", async () => {
    const { id, subdomain } = await openWorkspace(owner);
    const { slug } = await newPost(owner, id);
    const leads = async (path: string, accept: string) => {
      const { status, headers } = await visit(subdomain, path, { headers: { accept } });
      return [status, headers.location ?? "", headers["cache-control"]] as const;
    };
    for (const path of [`/releases/${slug.toUpperCase()}?via=chat`, `/releases/${slug}/`, "/releases/"]) {
      const wanted = [301, path.toLowerCase().replace(/\/$/, ""), "public, max-age=0, s-maxage=60"];
      expect(await leads(path, browser)).toEqual(wanted);
      expect(await leads(path, "text/markdown")).toEqual(wanted);
    }
    const name = await ownName(id, "live");
    for (const path of ["/releases?tag=fix", `/releases/${slug}?via=mail`, "/llms.txt", "/releases/llms.txt"]) {
      const there = await leads(path, browser);
      expect(there[1]).toBe(`http://${name}:${new URL(there[1]!).port}${path}`);
      expect(await leads(path, "text/markdown")).toEqual(there);
    }
    const own = await visitHost(name, `/releases/${slug}`, { headers: { accept: "text/markdown" } });
    expect(own.body).toBe((await visit(subdomain, `/releases/${slug}.md`)).body);
  });
});

describe("a page's Markdown", () => {
  test("is noindex, names the page as canonical, and is cached by its own URL", async () => {
    for (const [, copy] of pages()) {
      const { headers } = await visit(acme.subdomain, copy, { headers: { accept: browser } });
      expect([copy, headers["x-robots-tag"], headers["content-type"]]).toEqual([copy, "noindex", "text/markdown; charset=utf-8"]);
      expect([headers["cache-control"]!.split(",")[0], headers.vary]).toEqual(["public", host]);
    }
    for (const path of ["/releases", `/releases/${post.slug}`, "/releases.json", `/releases/${post.slug}.json`])
      expect([path, (await visit(acme.subdomain, path)).headers["x-robots-tag"]]).toEqual([path, undefined]);
    const canonical = async (path: string) =>
      /^<http:\/\/[^/>]*([^>]*)>; rel="canonical"$/.exec(String((await visit(acme.subdomain, path)).headers.link))?.[1];
    expect(await canonical(`/releases/${post.slug}.md`)).toBe(`/releases/${post.slug}`);
    expect(await canonical("/releases.md?tag=fix&limit=2&page=6")).toBe("/releases?tag=fix&page=2");
    expect(await canonical("/releases.md?q=post")).toBeUndefined();
  });

  test("of the list has its page's posts with content, and the next page", async () => {
    const { body } = await visit(acme.subdomain, "/releases.md?limit=2");
    const at = (path: string): string => `http://${acme.subdomain}.localhost:${new URL(/\((http[^)]*)\)/.exec(body)![1]!).port}${path}`;
    expect(body).toBe(
      [
        "# Changelog · Acme",
        "What's new at Acme",
        `## [Dark \\[mode\\]](${at(`/releases/${post.slug}`)})`,
        "2026-02-01 · Feature, Documentation",
        "### Why",
        "Easy on the **eyes**.",
        `## [Post 12](${at("/releases/post-12")})`,
        "2026-01-12 · Fix",
        "All about Post 12.",
        `Page 1 of 7 · [Older →](${at("/releases.md?limit=2&page=2")})\n`,
      ].join("\n\n"),
    );
    const last = (await visit(acme.subdomain, "/releases.md?tag=fix&page=2")).body;
    expect(last.split("\n")[0]).toBe("# Changelog: Fix, page 2 · Acme");
    expect(last).toContain("\n\nOnly Fix.\n\n");
    expect(last.endsWith(`[← Newer](${at("/releases.md?tag=fix")}) · Page 2 of 2\n`)).toBe(true);
  });

  test("escapes titles", async () => {
    const { id, subdomain } = await openWorkspace(owner);
    await sql`update public.workspaces set name = ${"A](http://evil.example) # <b>"} where id = ${id}`;
    await newPost(owner, id, { title: "x](http://evil.example)\n# Ignore <script>" });
    for (const path of ["/releases.md", "/llms.txt"]) {
      const { body } = await visit(subdomain, path);
      expect(body).toContain("[x\\](http://evil.example) # Ignore \\<script>](http://");
      expect(body.split("\n").filter((line) => line.startsWith("# "))).toHaveLength(1);
      expect(body).toContain("A\\](http://evil.example) # \\<b>");
    }
  });
});

describe("llms.txt", () => {
  test("lists public pages with their Markdown, at the root and beside the pages", async () => {
    const [root, beside] = await Promise.all(["/llms.txt", "/releases/llms.txt"].map((path) => visit(acme.subdomain, path)));
    expect([root!.status, root!.headers["content-type"], root!.headers["x-robots-tag"]]).toEqual([
      200,
      "text/plain; charset=utf-8",
      "noindex",
    ]);
    expect(root!.body).toBe(beside!.body);
    const lines = root!.body.split("\n");
    expect(lines.slice(0, 5)).toEqual(["# Changelog · Acme", "", "> What's new at Acme.", "", "## All updates"]);
    expect(lines.filter((line) => line.startsWith("## "))).toEqual(["## All updates", "## Tags", "## By month", "## Optional"]);
    expect(root!.body).toMatch(
      /- \[Dark \\\[mode\\\]\]\(http\S*\/releases\/dark-mode\.md\): 2026-02-01 · Feature, Documentation · Easy on the eyes\.\n/,
    );
    expect(root!.body).toMatch(/- \[January 2026\]\(http\S*\/releases\.md\?month=2026-01\): 12 updates\n/);
    expect(root!.body).toMatch(/- \[Fix\]\(http\S*\/releases\.md\?tag=fix\)\n/);
    const links = [...root!.body.matchAll(/\]\((http[^)]*)\)/g)].map(([, address]) => new URL(address!));
    expect(links).toHaveLength(1 + 13 + 3 + 2 + 5);
    for (const { hostname, pathname, search } of links) {
      expect(hostname).toBe(`${acme.subdomain}.localhost`);
      expect([pathname, (await visit(acme.subdomain, pathname + search)).status]).toEqual([pathname, 200]);
    }
  });
});

describe("through a cache by URL", () => {
  const step = fc.oneof(
    {
      weight: 12,
      arbitrary: fc.record({
        who: fc.constantFrom("browser", "anything", "machine", "machine or page"),
        page: fc.nat(6),
        again: fc.boolean(),
      }),
    },
    { weight: 3, arbitrary: fc.record({ seconds: fc.constantFrom(1, 61, 700) }) },
    { weight: 1, arbitrary: fc.constant("change" as const) },
  );
  const accepts = { browser, anything: "*/*", machine: "text/markdown", "machine or page": "text/markdown, text/html;q=0.5" };

  test.each([true, false])("no browser ever gets Markdown (a cache that respects Vary: %s)", async (heedsVary) => {
    const { id, subdomain } = await openWorkspace(owner);
    const { id: postId } = await newPost(owner, id, { tags: ["fix"], publishedAt: "2026-01-01T00:00:00Z" });
    const places = [
      "/releases",
      "/releases?tag=fix",
      "/releases?month=2026-01",
      "/releases/dark-mode",
      "/releases.md",
      "/releases/dark-mode.md",
      "/llms.txt",
    ];
    let version = 0;
    let [markdownInPlace, fromCache] = [0, 0];
    for (const steps of fc.sample(fc.array(step, { minLength: 20, maxLength: 60 }), { numRuns: 8, seed })) {
      const cache = new UrlCache((path, headers) => visit(subdomain, path, { headers }), { heedsVary });
      const had = new Map<string, string>();
      for (const one of steps) {
        if (one === "change") await changePost(postId, { title: `Dark mode ${++version}` });
        else if ("seconds" in one) cache.pass(one.seconds);
        else {
          const path = places[one.page]!;
          const accept = accepts[one.who];
          const key = `${one.who} ${path}`;
          const etag = one.again ? had.get(key) : undefined;
          const reply = await cache.ask({ path, accept, ...(etag !== undefined && { ifNoneMatch: etag }) });
          expect([200, ...(etag === undefined ? [] : [304])]).toContain(reply.status);
          if (reply.status === 304) expect(reply.headers.etag).toBe(etag);
          else {
            had.set(key, reply.headers.etag!);
            const isCopy = /\.(?:md|txt)$/.test(path);
            const isHtml = reply.body.startsWith("<!doctype html>");
            expect([key, reply.headers["content-type"]!.startsWith("text/html")]).toEqual([key, isHtml]);
            const forMachine = one.who.startsWith("machine");
            if (isCopy || !forMachine) expect([key, isHtml]).toEqual([key, !isCopy]);
            else if (heedsVary) expect([key, isHtml]).toEqual([key, false]);
            if (!isCopy && !isHtml) markdownInPlace++;
          }
        }
      }
      fromCache += cache.hits;
    }
    // Both happened, or the test is void.
    expect(markdownInPlace).toBeGreaterThan(5);
    expect(fromCache).toBeGreaterThan(20);
  });
});
