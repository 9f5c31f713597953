import http from "node:http";
import { beforeAll, describe, expect, inject, test, vi } from "vitest";
import { readPicture } from "../../edge-functions/api/images/image-file.ts";
import { newPerson, newTeam, type Person, sql } from "./support/people.ts";
import { newPost, openWorkspace, readPage } from "./support/public.ts";

const { ports, url } = inject("stack");

function download(subdomain: string, path: string, headers: Record<string, string> = {}, method = "GET") {
  return new Promise<{ status: number; headers: http.IncomingHttpHeaders; bytes: Buffer }>((resolve, reject) => {
    const host = `${subdomain}.localhost:${ports.gateway}`;
    const request = http.request({ host: "127.0.0.1", port: ports.gateway, path, method, headers: { host, ...headers } }, (response) => {
      const pieces: Buffer[] = [];
      response.on("data", (piece: Buffer) => pieces.push(piece));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(pieces) }));
    });
    request.on("error", reject).end();
  });
}

const change = (id: string, columns: Record<string, string>) => sql`update public.posts set ${sql(columns)} where id = ${id}`;
async function publish(workspaceId: string, title: string): Promise<{ id: string; slug: string }> {
  const post = await newPost(owner, workspaceId, { title, state: "draft" });
  await change(post.id, { status: "published" });
  return post;
}

interface Row {
  path: string | null;
  is_due: boolean;
  last_error: string | null;
}
const rowOf = async (workspaceId: string, postId: string | null): Promise<Row | undefined> =>
  (
    await sql<
      Row[]
    >`select l.path, j.id is not null as is_due, j.last_error from private.link_pictures l left join private.jobs j on j.id = l.id
      where l.workspace_id = ${workspaceId} and l.post_id is not distinct from ${postId}`
  )[0];

const soon = { timeout: 20_000, interval: 200 };

async function drawn(workspaceId: string, postId: string | null): Promise<string> {
  const isDrawn = { path: expect.stringMatching(/\.png$/) as string, is_due: false };
  await vi.waitFor(async () => expect(await rowOf(workspaceId, postId)).toMatchObject(isDrawn), soon);
  return (await rowOf(workspaceId, postId))!.path!;
}

let owner: Person;
let acme: { id: string; subdomain: string };
beforeAll(async () => {
  owner = await newPerson("Ada Lovelace");
  acme = await openWorkspace(owner);
});

describe("a published post", () => {
  let post: { id: string; slug: string };
  beforeAll(async () => {
    post = await publish(acme.id, "Dark mode");
    await drawn(acme.id, post.id);
  });

  test("has a social image of the networks' size in its page's metadata", async () => {
    const { page } = await readPage(acme.subdomain, `/releases/${post.slug}`);
    const meta = (name: string) => page.querySelector(`meta[property="${name}"], meta[name="${name}"]`)?.getAttribute("content");
    const address = new URL(meta("og:image")!);
    expect([address.host.split(".")[0], address.pathname, meta("og:image:width"), meta("og:image:height"), meta("og:image:alt")]).toEqual([
      acme.subdomain,
      `/releases/${post.slug}.png`,
      "1200",
      "630",
      "Dark mode",
    ]);
    expect(meta("twitter:card")).toBe("summary_large_image");
    expect(JSON.parse(page.querySelector("script[type='application/ld+json']")!.textContent!)).toMatchObject({ image: address.href });

    const answer = await download(acme.subdomain, address.pathname + address.search);
    expect([answer.status, answer.headers["content-type"]]).toEqual([200, "image/png"]);
    expect(readPicture(answer.bytes, "png")).toMatchObject({ width: 1_200, height: 630 });
    expect(answer.headers["cache-control"]).toMatch(/^public, max-age=0, s-maxage=60/);
  });

  test("answers 304 to If-None-Match, and HEAD without a body", async () => {
    const path = `/releases/${post.slug}.png`;
    const { headers, bytes } = await download(acme.subdomain, path);
    const again = await download(acme.subdomain, path, { "if-none-match": headers.etag! });
    expect([again.status, again.bytes.length]).toEqual([304, 0]);
    const head = await download(acme.subdomain, path, {}, "HEAD");
    expect([head.status, head.headers["content-length"], head.bytes.length]).toEqual([200, String(bytes.length), 0]);
  });

  test("redirects its image from an older or misspelled slug to the current one", async () => {
    const answer = await download(acme.subdomain, `/releases/${post.slug.toUpperCase()}.png`);
    expect([answer.status, answer.headers.location]).toEqual([301, `/releases/${post.slug}.png`]);
  });
});

test("a workspace has its own social image, which its list uses and which replaces one not rendered yet", async () => {
  const { id, subdomain } = await openWorkspace(owner);
  await drawn(id, null);
  const { page } = await readPage(subdomain, "/releases");
  const address = new URL(page.querySelector("meta[property='og:image']")!.getAttribute("content")!);
  expect(address.pathname).toBe("/releases.png");
  const own = await download(subdomain, address.pathname + address.search);
  expect(readPicture(own.bytes, "png")).toMatchObject({ width: 1_200, height: 630 });
  const post = await publish(id, "Waiting");
  await sql`update private.link_pictures set path = null where post_id = ${post.id}`;
  const standing = await download(subdomain, `/releases/${post.slug}.png`);
  expect([standing.status, standing.bytes.equals(own.bytes)]).toEqual([200, true]);
});

describe("the renderer", () => {
  const ask = (path: string, init?: RequestInit) => fetch(`${url}/functions/v1/og${path}`, { method: "POST", ...init });

  test("is closed to the public", async () => {
    for (const authorization of [undefined, "Bearer ", "Bearer guessed", `Bearer ${owner.token}`])
      expect((await ask("/draw", { headers: authorization === undefined ? {} : { authorization } })).status).toBe(401);
    expect((await ask("/draw", { method: "GET" })).status).toBe(404);
    expect((await ask("/elsewhere")).status).toBe(404);
  });
});

describe("the social image of a preview", () => {
  const at = (id: string, query = "title=Not+yet") => `/api/workspaces/${id}/posts/preview/picture?${query}`;
  const ask = (path: string, headers: Record<string, string>) => fetch(url + path, { headers });

  test("is rendered for members only", async () => {
    const team = await newTeam();
    for (const { token } of [team.owner, team.editor, team.viewer]) {
      const answer = await ask(at(team.workspaceId), { authorization: `Bearer ${token}` });
      expect([answer.status, answer.headers.get("content-type"), answer.headers.get("cache-control")]).toEqual([
        200,
        "image/png",
        "no-store",
      ]);
      expect(readPicture(new Uint8Array(await answer.arrayBuffer()), "png")).toMatchObject({ width: 1_200, height: 630 });
    }
    expect((await ask(at(team.workspaceId), { authorization: `Bearer ${owner.token}` })).status).toBe(404);
    expect((await ask(at(team.workspaceId), {})).status).toBe(401);
    expect(await rowOf(team.workspaceId, null)).toMatchObject({ last_error: null });
    expect(await sql`select from private.link_pictures where workspace_id = ${team.workspaceId} and post_id is not null`).toHaveLength(0);
  });
});
