import { beforeAll, describe, expect, test } from "vitest";
import { newPerson, type Person } from "./support/people.ts";
import { changePost, newPost, openWorkspace, setPublic, visit } from "./support/public.ts";

let owner: Person;
beforeAll(async () => {
  owner = await newPerson("Ada Lovelace");
});

describe("a public page's caching", () => {
  const paths = [
    "/releases",
    "/releases/dark-mode",
    "/releases.json",
    "/releases/dark-mode.json",
    "/releases/dark-mode.md",
    "/releases.md",
    "/llms.txt",
    "/releases/llms.txt",
    "/releases/rss.xml",
    "/releases/atom.xml",
    "/releases.feed.json",
    "/releases/widget.json",
    "/sitemap.xml",
    "/robots.txt",
  ];

  test("answers 304 until something changes", async () => {
    const { id, subdomain } = await openWorkspace(owner);
    const post = await newPost(owner, id);
    for (const path of paths) {
      const first = await visit(subdomain, path);
      expect([path, first.status]).toEqual([path, 200]);
      const again = await visit(subdomain, path, { headers: { "if-none-match": first.headers.etag! } });
      expect([path, again.status, again.body, again.headers.etag]).toEqual([path, 304, "", first.headers.etag]);
      const weak = await visit(subdomain, path, { headers: { "if-none-match": `"x", ${first.headers.etag!.replace("W/", "")}` } });
      expect([path, weak.status]).toEqual([path, 304]);
    }
    const tag = (await visit(subdomain, "/releases")).headers.etag!;
    await changePost(post.id, { title: "Changed" });
    expect((await visit(subdomain, "/releases", { headers: { "if-none-match": tag } })).status).toBe(200);
    await setPublic(id, false);
    expect((await visit(subdomain, "/releases", { headers: { "if-none-match": tag } })).status).toBe(404);
  });

  test("gives the gateway's copy the first response's headers and body, until the next change", async () => {
    const { id, subdomain } = await openWorkspace(owner);
    const post = await newPost(owner, id);
    const read = async (path: string) => {
      const { status, headers, body } = await visit(subdomain, path);
      const { date: _, "x-request-id": requestId, ...same } = headers;
      return { requestId, answer: { status, same, body } };
    };
    const firsts = new Map<string, string>();
    for (const path of paths) {
      const [first, again] = [await read(path), await read(path)];
      expect(again.answer).toEqual(first.answer);
      expect(again.requestId).not.toBe(first.requestId);
      firsts.set(path, first.answer.body);
    }
    await changePost(post.id, { title: "Changed" });
    for (const path of paths.filter((one) => !/sitemap|robots/.test(one)))
      expect([path, (await read(path)).answer.body === firsts.get(path)]).toEqual([path, false]);
    await setPublic(id, false);
    expect((await read("/releases")).answer.status).toBe(404);
  });

  test("allows a minute, and longer while revalidating; cross-origin data is cached by shared caches only", async () => {
    const { id, subdomain } = await openWorkspace(owner);
    await newPost(owner, id);
    const more = "stale-while-revalidate=600, stale-if-error=3600";
    for (const path of [...paths, "/releases/dark-mode.widget.json"]) {
      const first = await visit(subdomain, path);
      const again = await visit(subdomain, path, { headers: { "if-none-match": first.headers.etag! } });
      const said = [first, again].map(({ status, headers }) => [path, status, headers["cache-control"], headers["cdn-cache-control"]]);
      const caching = path.endsWith("widget.json")
        ? ["public, max-age=0, s-maxage=60", `public, max-age=60, ${more}`]
        : [`public, max-age=0, s-maxage=60, ${more}`, undefined];
      expect(said).toEqual([
        [path, 200, ...caching],
        [path, 304, ...caching],
      ]);
    }
  });

  test("has one tag for compressed and plain responses, with Vary in both", async () => {
    const { id, subdomain } = await openWorkspace(owner);
    await newPost(owner, id);
    for (const path of ["/releases", "/releases/widget.json"]) {
      const whole = await visit(subdomain, path);
      const short = await visit(subdomain, path, { headers: { "accept-encoding": "gzip" } });
      expect([short.headers["content-encoding"], short.headers.etag, short.headers.vary]).toEqual([
        "gzip",
        whole.headers.etag,
        whole.headers.vary,
      ]);
      expect(whole.headers.etag).toMatch(/^W\//);
      expect(whole.headers.vary).toMatch(/, Accept-Encoding$/);
    }
  });

  test("answers HEAD like GET, without the body", async () => {
    const { id, subdomain } = await openWorkspace(owner);
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

  test.each(["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])("%s is refused", async (method) => {
    const { subdomain } = await openWorkspace(owner);
    const { status, headers } = await visit(subdomain, "/releases", { method });
    expect([status, headers.allow]).toEqual([405, "GET, HEAD"]);
  });

  test("separates hosts: each response differs and has Vary", async () => {
    const [acme, globex] = [await openWorkspace(owner), await openWorkspace(owner)];
    const replies = [
      await visit(acme.subdomain, "/releases.json"),
      await visit(globex.subdomain, "/releases.json"),
      await visit(null, "/releases.json"),
    ];
    for (const { headers } of replies) expect(headers.vary).toBe("Forwarded, X-Forwarded-Host, Accept-Encoding");
    expect(new Set(replies.map(({ body }) => body)).size).toBe(3);
    const spoofed = await visit(acme.subdomain, "/releases.json", { headers: { "x-forwarded-host": `${globex.subdomain}.localhost` } });
    expect(spoofed.body).toBe(replies[0]!.body);
  });

  test("lists in Vary everything a response depends on, also for errors and redirects", async () => {
    const { id, subdomain } = await openWorkspace(owner);
    const { slug } = await newPost(owner, id);
    const host = "Forwarded, X-Forwarded-Host, Accept-Encoding";
    for (const [path, status, vary] of [
      ["/releases", 200, `Accept, ${host}`],
      [`/releases/${slug}`, 200, `Accept, ${host}`],
      [`/releases/${slug}.md`, 200, host],
      [`/releases/${slug.toUpperCase()}`, 301, host],
      ["/releases/", 301, host],
      ["/favicon.ico", 301, host],
      ["/releases/no-such", 404, `Accept, ${host}`],
      ["/releases/no-such.md", 404, host],
      ["/releases/widget.json", 200, `Origin, ${host}`],
      [`/releases/${slug}.widget.json`, 200, `Origin, ${host}`],
      [`/releases/${slug.toUpperCase()}.widget.json`, 301, `Origin, ${host}`],
    ] as const)
      expect([path, ...(({ status, headers }) => [status, headers.vary])(await visit(subdomain, path))]).toEqual([path, status, vary]);
    const refused = await visit(subdomain, "/releases/widget.json", { headers: { origin: "https://evil.example" } });
    expect([refused.status, refused.headers.vary]).toEqual([403, `Origin, ${host}`]);
    const [tag] = [(await visit(subdomain, "/releases/widget.json")).headers.etag!];
    const known = await visit(subdomain, "/releases/widget.json", { headers: { "if-none-match": tag } });
    expect([known.status, known.headers.vary]).toEqual([304, `Origin, ${host}`]);
  });

  test("has tags to purge a workspace or a post from a shared cache", async () => {
    const { id, subdomain } = await openWorkspace(owner);
    const post = await newPost(owner, id);
    for (const path of paths) {
      const { headers } = await visit(subdomain, path);
      const keys = [`workspace-${id}`, ...(/\/dark-mode/.test(path) ? [`post-${post.id}`] : [])];
      expect([path, headers["cache-tag"], headers["surrogate-key"]]).toEqual([path, keys.join(","), keys.join(" ")]);
    }
    expect((await visit(subdomain, "/releases/DARK-MODE")).headers["cache-tag"]).toBe(`workspace-${id}`);
    expect((await visit(subdomain, "/releases/no-such")).headers["cache-tag"]).toBeUndefined();
  });

  test("sets no cookie and ignores all", async () => {
    const { subdomain } = await openWorkspace(owner);
    const reply = await visit(subdomain, "/releases", { headers: { cookie: "tc-auth=whatever", authorization: "Bearer x" } });
    expect([reply.status, reply.headers["set-cookie"]]).toEqual([200, undefined]);
  });
});
