import { beforeAll, describe, expect, test } from "vitest";
import { widgetData } from "#contract/releases.ts";
import { countsOf } from "../support/counts.ts";
import { newPerson, type Person, sql } from "./support/people.ts";
import { newPost, openWorkspace, visit } from "./support/public.ts";

let owner: Person;
beforeAll(async () => {
  owner = await newPerson("Ada Lovelace");
});

describe("the widget's data", () => {
  test("has settings with every default and at most maxPosts posts", async () => {
    const { id, subdomain } = await openWorkspace(owner);
    for (let n = 1; n <= 7; n++)
      await newPost(owner, id, { title: `Post ${n}`, publishedAt: new Date(Date.UTC(2026, 0, n)).toISOString() });
    const fetched = async () => widgetData.parse(JSON.parse((await visit(null, `/releases/widget.json?workspace=${subdomain}`)).body));
    const first = await fetched();
    expect(first.posts.map(({ title }) => title)).toEqual(["Post 7", "Post 6", "Post 5", "Post 4", "Post 3"]);
    expect(first.settings).toEqual({
      appearance: { theme: "light" },
      positioning: { position: "bottom-right" },
      behaviour: { autoOpenNewPosts: true, animation: "fade", newFor: 0, delay: 0 },
      customisation: { widgetSize: "sm", cornerRadius: 6, fontFamily: "system" },
      contentSettings: { maxPosts: 5, showPostAuthor: true, showImages: true },
    });
    await sql`insert into public.widget_settings (workspace_id, settings) values (${id}, ${sql.json({ appearance: { theme: "dark" }, contentSettings: { maxPosts: 2, showPostAuthor: false } })})`;
    const second = await fetched();
    expect([second.posts.length, second.settings.appearance.theme, second.posts[0]?.author_name]).toEqual([2, "dark", null]);
  });

  test("finds a post by an older slug, and its view counts", async () => {
    const { id, subdomain } = await openWorkspace(owner);
    const { slug } = await newPost(owner, id);
    const origin = "https://acme.example";
    await sql`update public.workspaces set allowed_origins = ${sql.array([origin])} where id = ${id}`;
    await sql`update public.posts set slug = 'another-address' where workspace_id = ${id}`;
    const old = `/releases/${slug}.widget.json?workspace=${subdomain}`;
    const moved = await visit(null, old, { headers: { origin } });
    expect([moved.status, moved.headers.location, moved.headers["access-control-allow-origin"]]).toEqual([
      301,
      `/releases/another-address.widget.json?workspace=${subdomain}`,
      origin,
    ]);
    expect(moved.headers.vary).toMatch(/^Origin, /);
    expect((await visit(null, old, { headers: { origin: "https://evil.example" } })).status).toBe(403);
    await visit(null, `/releases/${slug}.gif?workspace=${subdomain}`, { headers: { "user-agent": "Mozilla/5.0 Firefox/140.0" } });
    await expect.poll(() => countsOf(sql, id, "view"), { timeout: 10_000 }).toEqual({ "view page": 1 });
  });

  test("can be read by the workspace's own page and its allowed origins only", async () => {
    const { id, subdomain } = await openWorkspace(owner);
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
  });
});
