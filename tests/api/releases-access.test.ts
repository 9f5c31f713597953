import { createHmac, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accessEndpoints } from "#contract/access.ts";
import { postEndpoints } from "#contract/posts.ts";
import type { Audience } from "#contract/rules/audience.ts";
import type { Access } from "#contract/rules/reader-access.ts";
import { identifiedWidgetData } from "#contract/releases.ts";
import { v1AccessEndpoints } from "#contract/v1/access.ts";
import { v1ReaderEndpoints } from "#contract/v1/readers.ts";
import { resources } from "../../edge-functions/releases/resources.tsx";
import { as, type Client } from "./support/client.ts";
import { pictures } from "./support/images.ts";
import { newKey, newSubdomain, newTeam, signedInBrowser, sql, type Team } from "./support/people.ts";
import { newPost, openWorkspace, ownName, readPage, type Reply, sendForm, visit, visitHost } from "./support/public.ts";

const secretWord = "xylophone";
const password = "open sesame";

interface Place {
  id: string;
  subdomain: string;
  postId: string;
  slug: string;
  team: Team;
  owner: Client;
}

async function newPlace(): Promise<Place> {
  const team = await newTeam();
  const owner = await signedInBrowser(team.owner);
  const uploads = await Promise.all([1, 2].map(() => upload(owner, team.workspaceId)));
  const [shown = "", cover = ""] = uploads.map((reply) => as(postEndpoints.uploadImage, reply).file.url);
  const [{ subdomain } = { subdomain: "" }] = await sql<{ subdomain: string }[]>`
    update public.workspaces set public_changelog_enabled = true where id = ${team.workspaceId} returning subdomain`;
  const { id, slug } = await newPost(team.owner, team.workspaceId, {
    title: `${secretWord} mode`,
    tags: ["fix"],
    blocks: [
      { type: "paragraph", data: { text: "All about it." } },
      { type: "image", data: { file: { url: shown, width: 9, height: 9 }, alt: "", caption: "" } },
    ],
  });
  await sql`
    update public.posts set details = '{"version": "1.5.0"}', cover_image = ${sql.json({ url: cover, alt: "", width: 9, height: 9 })} where id = ${id}`;
  return { id: team.workspaceId, subdomain, postId: id, slug, team, owner };
}

function upload(owner: Client, workspaceId: string) {
  const form = new FormData();
  form.set("image", new File([pictures.png], "picture.png", { type: "image/png" }));
  return owner.send("POST", `/api/workspaces/${workspaceId}/editor/image-upload`, { body: form });
}

async function setAccess({ id, owner }: Place, access: Access, more: Record<string, unknown> = {}) {
  const body = { access, ...(access === "password" && { password }), ...more };
  return as(accessEndpoints.save, await owner.put(`/api/workspaces/${id}/access`, body));
}

const showTo = async ({ postId, owner }: Place, audience: Audience | null) =>
  as(postEndpoints.update, await owner.put(`/api/posts/${postId}`, { details: { audience } }));

const keyIn = (link: string): string => link.slice(link.lastIndexOf("/") + 1);
const cookieOf = ({ headers }: Reply): string => headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
const open = (subdomain: string, key: string): Promise<Reply> => visit(subdomain, `/releases/access/${key}`);
const enter = (subdomain: string, typed: string, more: [string, string][] = []): Promise<Reply> =>
  sendForm(subdomain, "/releases/access", [["password", typed], ...more]);

const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
const inAnHour = (): number => Math.floor(Date.now() / 1_000) + 3_600;
function signed(secret: string, claims: object, header: object = { alg: "HS256", typ: "JWT" }): string {
  const said = `${base64url(header)}.${base64url(claims)}`;
  return `${said}.${createHmac("sha256", secret).update(said).digest("base64url")}`;
}

let acme: Place;
let other: Place;
beforeAll(async () => {
  [acme, other] = await Promise.all([newPlace(), newPlace()]);
});

/** Every address of the changelog: from the routes, and what its pages, feeds and lists link to. */
async function everyAddress({ subdomain, slug }: Place): Promise<string[]> {
  const routes = Object.keys(resources).map((route) => route.replace("{slug}", slug).replace("{versions}", "1.0.0...2.0.0"));
  const filtered = ["/releases?tag=fix", "/releases?q=mode", "/releases.json?q=mode", "/releases?page=2", "/releases/rss.xml?tag=fix"];
  const found = new Set([...routes, ...filtered, "/releases/subscribe.html", "/releases/never-was", "/old/path", `/RELEASES/${slug}`]);
  for (const path of routes) {
    const { body } = await visit(subdomain, path);
    for (const [, linked = ""] of body.matchAll(/(?:href="|http:\/\/[^"<>\s/]+)(\/[^"<>\s)]*)/g))
      if (!/^\/(?:storage|fonts)\//.test(linked)) found.add(linked.replaceAll("&amp;", "&"));
  }
  return [...found];
}

/** Titles and slugs, apart from the slug that the reader asked for. */
const tells = ({ body, headers }: Reply, path = ""): boolean => {
  const said = (body + String(headers.location ?? "")).toLowerCase();
  return said.replaceAll(path.toLowerCase().includes(acme.slug) ? acme.slug : "\0", "").includes(secretWord);
};

describe("every address of a private changelog", () => {
  let addresses: string[];
  beforeAll(async () => {
    await setAccess(acme, "public");
    addresses = await everyAddress(acme);
  });

  test("is known to this test", async () => {
    expect(addresses.length).toBeGreaterThan(30);
    const replies = await Promise.all(addresses.map((path) => visit(acme.subdomain, path)));
    expect(replies.filter((reply) => tells(reply)).length).toBeGreaterThan(12);
  });

  test.each(["link", "password", "token", "members"] as const)("tells nothing of its posts without access, by %s", async (access) => {
    const former = keyIn((await setAccess(acme, "link")).link ?? "");
    await setAccess(acme, access, { renew: true });
    const foreign = keyIn((await setAccess(other, "link")).link ?? "");
    const strangers: Record<string, string>[] = [
      {},
      { cookie: `tc-reader-${acme.subdomain}=${former}` },
      { cookie: `tc-reader-${acme.subdomain}=${foreign}; tc-reader-${other.subdomain}=${foreign}` },
      { cookie: `tc-reader-${acme.subdomain}=${"A".repeat(48)}` },
    ];
    for (const headers of strangers) {
      for (const path of addresses) {
        const reply = await visit(acme.subdomain, path, { headers });
        expect([path, reply.status, tells(reply, path)]).toEqual([path, 403, false]);
        expect(reply.headers["cache-control"]).toContain("no-store");
      }
    }
    for (const path of ["/releases.json", "/releases/rss.xml"]) {
      for (const query of [`key=${former}`, `key=${foreign}`, "access_token=a.b.c"]) {
        expect((await visit(acme.subdomain, `${path}?${query}`)).status).toBe(403);
        expect((await visit(null, `${path}?workspace=${acme.subdomain}&${query}`)).status).toBe(403);
      }
    }
  });

  test("tells all with it, and nothing to shared caches", async () => {
    const { link } = await setAccess(acme, "link");
    const cookie = cookieOf(await open(acme.subdomain, keyIn(link!)));
    for (const path of ["/releases", "/releases.json", "/releases/rss.xml", `/releases/${acme.slug}`, `/releases/${acme.slug}.md`]) {
      const reply = await visit(acme.subdomain, path, { headers: { cookie } });
      expect([path, reply.status, tells(reply)]).toEqual([path, 200, true]);
      expect(reply.headers["cache-control"]).toBe("private, no-store");
      expect(reply.headers["x-robots-tag"]).toBe("noindex");
      expect(reply.headers["cache-tag"]).toBeUndefined();
      expect(tells(await visit(acme.subdomain, path), path)).toBe(false);
    }
  });
});

test("a post for some readers is at no address of a public changelog", async () => {
  await setAccess(acme, "public");
  const addresses = await everyAddress(acme);
  expect((await Promise.all(addresses.map((path) => visit(acme.subdomain, path)))).filter((reply) => tells(reply)).length).toBeGreaterThan(
    12,
  );
  for (const audience of ["internal", { attribute: "plan", exists: false }] as const) {
    await showTo(acme, audience);
    for (const path of addresses) expect([path, tells(await visit(acme.subdomain, path), path)]).toEqual([path, false]);
  }
  await showTo(acme, null);
  expect(tells(await visit(acme.subdomain, "/releases"))).toBe(true);
});

test.each(["link", "members"] as const)("feed addresses on a page for %s work without a cookie until access ends", async (access) => {
  const { link } = await setAccess(acme, access, { renew: true });
  const own = as(accessEndpoints.enter, await acme.owner.get(`/api/workspaces/${acme.id}/access/link`)).url;
  const cookie = cookieOf(await open(acme.subdomain, keyIn(link ?? own)));
  const { page } = await readPage(acme.subdomain, "/releases", { cookie });
  const feeds = [...page.querySelectorAll(".foot a")].map((one) => one.getAttribute("href")!);
  expect(feeds).toHaveLength(3);
  const statuses = async () => (await Promise.all(feeds.map((path) => visit(acme.subdomain, path)))).map(({ status }) => status);
  expect(await statuses()).toEqual([200, 200, 200]);
  await setAccess(acme, access, { renew: true });
  expect(await statuses()).toEqual([403, 403, 403]);
});

describe("images of a private changelog", () => {
  const imagesIn = ({ body }: Reply): string[] => body.match(/\/releases\/images\/[\w-]+/g) ?? [];
  const show = (path: string, subdomain: string | null = acme.subdomain) => visit(subdomain, path);

  async function everyImage(): Promise<string[]> {
    await setAccess(acme, "public");
    const addresses = await everyAddress(acme);
    const { link } = await setAccess(acme, "link");
    const cookie = cookieOf(await open(acme.subdomain, keyIn(link!)));
    const replies = await Promise.all(addresses.map((path) => visit(acme.subdomain, path, { headers: { cookie } })));
    expect(replies.filter(({ body }) => body.includes("/post-images/"))).toEqual([]);
    expect(replies.filter((reply) => imagesIn(reply).length > 0).length).toBeGreaterThan(8);
    return [...new Set(replies.flatMap(imagesIn))];
  }

  test("have sealed addresses in every page, feed and file, which new access ends", async () => {
    const images = await everyImage();
    expect(images).toHaveLength(4); // two images, for a day and for feeds
    for (const path of images) {
      const { status, headers, body } = await show(path);
      expect([status, headers["content-type"], Number(headers["content-length"])]).toEqual([200, "image/png", pictures.png.length]);
      expect(headers["cache-control"]).toBe("private, max-age=86400, immutable");
      expect(headers["cross-origin-resource-policy"]).toBe("cross-origin");
      expect(body).toContain("PNG");
      const forged = path.slice(0, -8) + (path.endsWith("AAAAAAAA") ? "BBBBBBBB" : "AAAAAAAA");
      expect((await show(forged)).status).toBe(404);
    }
    await setAccess(acme, "link", { renew: true });
    for (const path of images) expect((await show(path, null)).status).toBe(404);
  });

  test("expire, and aren't shown while the changelog is off", async () => {
    const [image = ""] = await everyImage();
    const [row] = await sql<{ past: string }[]>`
      select private.image_address(${acme.id}, split_part(private.image_path(${image.slice("/releases/images/".length)}), '/', 2),
        now() - interval '1 second') as past`;
    expect((await show(row!.past)).status).toBe(404);
    await sql`update public.workspaces set public_changelog_enabled = false where id = ${acme.id}`;
    expect((await show(image)).status).toBe(404);
    await sql`update public.workspaces set public_changelog_enabled = true where id = ${acme.id}`;
    expect((await show(image)).status).toBe(200);
  });
});

describe("a reader whom the product identifies", () => {
  const path = "/releases/widget.json?tags=fix&locale=de";
  let secret: string;
  let signedFor: (more?: object, header?: object) => string;
  const post = (token: string) => visit(acme.subdomain, path, { method: "POST", body: token, headers: { "content-type": "text/plain" } });
  const titles = async (token: string) => identifiedWidgetData.parse(JSON.parse((await post(token)).body)).posts.map(({ title }) => title);
  beforeAll(async () => {
    secret = (await setAccess(acme, "public")).token_secret;
    signedFor = (more = {}, header) =>
      signed(
        secret,
        { aud: `tidings:${acme.subdomain}`, exp: inAnHour(), sub: "user-1", attrs: { plan: "pro", seats: 12 }, ...more },
        header,
      );
    await showTo(acme, {
      all: [
        { attribute: "plan", in: ["pro"] },
        { attribute: "seats", gte: 10 },
      ],
    });
  });
  afterAll(() => showTo(acme, null));

  test("sees the posts for them, whole, in an answer that isn't stored", async () => {
    const { status, headers, body } = await post(signedFor());
    expect([status, headers["cache-control"], headers["cdn-cache-control"], headers["x-robots-tag"]]).toEqual([
      200,
      "private, no-store",
      undefined,
      undefined,
    ]);
    const { posts } = identifiedWidgetData.parse(JSON.parse(body));
    expect(posts).toMatchObject([
      {
        title: `${secretWord} mode`,
        url: expect.stringMatching(/\/releases$/),
        content: expect.arrayContaining([["p", {}, "All about it."]]),
      },
    ]);
  });

  test("sees no post for others, and none for the team", async () => {
    for (const attrs of [{ plan: "free", seats: 12 }, { plan: "pro", seats: "12" }, { plan: "pro" }, {}, undefined])
      expect(await titles(signedFor({ attrs }))).toEqual([]);
    await showTo(acme, "internal");
    expect(await titles(signedFor({ attrs: { internal: true } }))).toEqual([]);
    await showTo(acme, {
      all: [
        { attribute: "plan", in: ["pro"] },
        { attribute: "seats", gte: 10 },
      ],
    });
  });

  test("that isn't identified gets the same bytes as everyone", async () => {
    const foreign = (await setAccess(other, "public")).token_secret;
    const { body } = await visit(acme.subdomain, path);
    const [head, claims, mac] = signedFor().split(".");
    const attrs = Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`a${at}`, at]));
    const wrong = [
      ...["", "none", ".", "a.b.c", "é", "x".repeat(9_000), `${head}.${claims}.`, `${head}.${claims}`, `${head}.${base64url({})}.${mac}`],
      signed(foreign, { aud: `tidings:${acme.subdomain}`, exp: inAnHour(), sub: "user-1", attrs: { plan: "pro", seats: 12 } }),
      ...[
        { aud: `tidings:${other.subdomain}` },
        { aud: undefined },
        { exp: inAnHour() - 7_200 },
        { exp: inAnHour() + 86_400 },
        { exp: undefined },
      ],
      ...[{ sub: undefined }, { sub: "" }, { sub: 1 }, { sub: "x".repeat(201) }],
      ...[attrs, { plan: "pro", seats: 12, nested: {} }, { plan: "pro", seats: 12, list: [] }, ["pro"], "pro"].map((given) => ({
        attrs: given,
      })),
    ].map((given) => (typeof given === "string" ? given : signedFor(given)));
    wrong.push(signedFor({}, { alg: "none" }), signedFor({}, { alg: "HS512" }), signedFor({}, {}));
    for (const token of wrong) {
      const reply = await post(token);
      expect([token.slice(0, 80), reply.status, reply.headers["cache-control"], reply.body]).toEqual([
        token.slice(0, 80),
        200,
        "private, no-store",
        body,
      ]);
    }
    expect(tells(await visit(acme.subdomain, path))).toBe(false);
    expect(await titles(signedFor())).toEqual([`${secretWord} mode`]);
  });

  test("has seen on one device what another showed, if the workspace remembers it", async () => {
    const { api } = await newKey(acme.team.owner, acme.id);
    const sub = "user/2 ü";
    const token = signedFor({ sub });
    const seen = (time: string, who = token) =>
      visit(acme.subdomain, `/releases/widget.json?seen=${time}`, { method: "POST", body: who, headers: { "content-type": "text/plain" } });
    const mark = async () => identifiedWidgetData.parse(JSON.parse((await post(token)).body)).seen_up_to;
    const unseen = async () => as(v1ReaderEndpoints.unseen, await api.get(`/api/v1/readers/${encodeURIComponent(sub)}/unseen`));
    await newPost(acme.team.owner, acme.id, { title: "For everyone", publishedAt: new Date().toISOString() });

    await seen("2026-01-31T09:00:00.000Z");
    expect(await mark()).toBeUndefined();
    secret = (await setAccess(acme, "public", { remembers_readers: true })).token_secret;
    expect(await mark()).toBeNull();
    expect(await unseen()).toEqual({ seen_up_to: null, unseen: 0 });
    await seen("2026-01-31T09:00:00.000Z");
    for (const wrong of ["2026-01-30T09:00:00.000Z", "tomorrow", "infinity", "2026-99-99T00:00:00Z"])
      expect((await seen(wrong)).body).toBe("{}");
    for (const stranger of ["none", signedFor({ sub: "user-3" })]) await seen("2026-02-01T09:00:00.000Z", stranger);
    expect(await mark()).toBe("2026-01-31T09:00:00.000Z");
    expect(await unseen()).toEqual({ seen_up_to: "2026-01-31T09:00:00.000Z", unseen: 1 });
    await seen("2126-01-31T09:00:00.000Z");
    expect(Date.parse((await mark())!)).toBeLessThanOrEqual(Date.now());
    expect((await unseen()).unseen).toBe(0);
    expect(
      JSON.stringify(await sql`select encode(reader, 'escape') as reader from private.reader_marks where workspace_id = ${acme.id}`),
    ).not.toContain("user");

    as(v1ReaderEndpoints.erase, await api.delete(`/api/v1/readers/${encodeURIComponent(sub)}`));
    expect(await mark()).toBeNull();
    await setAccess(acme, "public", { remembers_readers: false });
    expect((await sql`select from private.reader_marks where workspace_id = ${acme.id}`).length).toBe(0);
  });

  test("enters a private changelog by the same token, and no other", async () => {
    const { token_secret } = await setAccess(acme, "token");
    const own = { aud: `tidings:${acme.subdomain}`, exp: inAnHour(), sub: "user-1", attrs: { plan: "pro", seats: 12 } };
    expect(await titles(signed(token_secret, own))).toEqual([`${secretWord} mode`]);
    expect((await post(signed(secret, own))).status).toBe(403);
    secret = (await setAccess(acme, "public")).token_secret;
  });
});

describe("the password", () => {
  test("opens the page where the reader was going, by a cookie for 30 days", async () => {
    await setAccess(acme, "password");
    const { page } = await readPage(acme.subdomain, `/releases/${acme.slug}`);
    expect(page.querySelector("h1")?.textContent).toMatch(/changelog is private$/);
    expect(page.querySelector<HTMLInputElement>("input[name=to]")?.value).toBe(`/releases/${acme.slug}`);
    const entered = await enter(acme.subdomain, password, [["to", `/releases/${acme.slug}`]]);
    expect([entered.status, entered.headers.location]).toEqual([303, `/releases/${acme.slug}`]);
    expect(entered.headers["set-cookie"]?.[0]).toMatch(/; Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000$/);
    expect((await enter(acme.subdomain, password, [["forget", "1"]])).headers["set-cookie"]?.[0]).not.toContain("Max-Age");
    expect((await visit(acme.subdomain, `/releases/${acme.slug}`, { headers: { cookie: cookieOf(entered) } })).status).toBe(200);
  });

  test.each(["//evil.example", "/\\evil.example", "https://evil.example", "javascript:alert(1)"])("doesn't redirect to %s", async (to) => {
    await setAccess(acme, "password");
    expect((await enter(acme.subdomain, password, [["to", to]])).headers.location).toBe("/releases");
  });

  test("that is wrong is told at the field, and keeps where the reader was going", async () => {
    await setAccess(acme, "password");
    const { status, body } = await enter(acme.subdomain, "open barley", [["to", "/releases?tag=fix"]]);
    expect(status).toBe(422);
    expect(body).toContain("This password isn&#39;t right.".replace("&#39;", body.includes("&#39;") ? "&#39;" : "'"));
    expect(body).toContain('value="/releases?tag=fix"');
  });

  test("ends the access of those who knew the former one, and stays without a new one", async () => {
    await setAccess(acme, "password");
    const headers = { cookie: cookieOf(await enter(acme.subdomain, password)) };
    const kept = await acme.owner.put(`/api/workspaces/${acme.id}/access`, { access: "password" });
    expect([kept.status, (await visit(acme.subdomain, "/releases", { headers })).status]).toEqual([200, 200]);
    await setAccess(acme, "password", { password: "another one" });
    expect((await visit(acme.subdomain, "/releases", { headers })).status).toBe(403);
    expect((await enter(acme.subdomain, password)).status).toBe(422);
  });

  test("signing out forgets the cookie", async () => {
    const left = await sendForm(acme.subdomain, "/releases/access", [["action", "leave"]]);
    expect([left.status, left.headers["set-cookie"]?.[0]]).toEqual([
      303,
      `tc-reader-${acme.subdomain}=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0`,
    ]);
  });

  test.each([
    [{}, "Please enter a password"],
    [{ password: "1234567" }, "Please use at least 8 characters"],
  ])("is required to set it up: %j", async (typed, sentence) => {
    await setAccess(acme, "public");
    const { status, body } = await acme.owner.put(`/api/workspaces/${acme.id}/access`, { access: "password", ...typed });
    expect([status, (body as { fields?: unknown }).fields]).toEqual([422, { password: sentence }]);
  });
});

describe("tokens of the workspace's product", () => {
  let secret: string;
  beforeAll(async () => {
    secret = (await setAccess(acme, "token")).token_secret!;
  });
  const claims = (more: object = {}) => ({ aud: `tidings:${acme.subdomain}`, exp: inAnHour(), ...more });
  const show = (token: string, path = "/releases.json") => visit(acme.subdomain, `${path}?access_token=${token}`);

  test("open the page once, then by a cookie, and the widget on another origin", async () => {
    const reply = await visit(acme.subdomain, `/releases?tag=fix&access_token=${signed(secret, claims())}`);
    expect([reply.status, reply.headers.location]).toEqual([303, "/releases?tag=fix"]);
    expect(tells(await visit(acme.subdomain, "/releases?tag=fix", { headers: { cookie: cookieOf(reply) } }))).toBe(true);
    const shown = await visit(null, `/releases/widget.json?workspace=${acme.subdomain}&key=${signed(secret, claims())}`);
    expect(tells(shown)).toBe(true);
    const [image = ""] = shown.body.match(/\/releases\/images\/[\w-]+/) ?? [];
    expect((await visit(null, image)).headers["cross-origin-resource-policy"]).toBe("cross-origin");
  });

  test("are refused if they are forged, expired, too long-lived or of another workspace", async () => {
    const foreign = (await setAccess(other, "token")).token_secret!;
    const [head, , mac] = signed(secret, claims()).split(".");
    const wrong = [
      signed(foreign, claims()),
      signed(secret, claims({ aud: `tidings:${other.subdomain}` })),
      signed(secret, claims({ aud: undefined })),
      signed(secret, claims({ exp: inAnHour() - 7_200 })),
      signed(secret, claims({ exp: inAnHour() + 86_400 })),
      signed(secret, claims({ exp: undefined })),
      signed(secret, claims({ exp: "soon" })),
      signed(secret, claims(), { alg: "none" }),
      `${base64url({ alg: "none" })}.${base64url(claims())}.`,
      `${head}.${base64url(claims({ exp: inAnHour() + 60 }))}.${mac}`,
      `${signed(secret, claims())}${"x".repeat(5_000)}`,
    ];
    for (const token of wrong) expect([token.slice(0, 60), (await show(token)).status]).toEqual([token.slice(0, 60), 403]);
  });

  test("end with their secret", async () => {
    const token = signed(secret, claims());
    await setAccess(acme, "token", { renew: true });
    expect((await show(token)).status).toBe(403);
    expect((await setAccess(acme, "link")).token_secret).not.toBe(secret);
  });
});

describe("members", () => {
  test("enter by their own link, as long as they are members", async () => {
    await setAccess(acme, "members");
    const { team } = acme;
    const { url } = as(accessEndpoints.enter, await (await signedInBrowser(team.viewer)).get(`/api/workspaces/${acme.id}/access/link`));
    const entered = await visit(acme.subdomain, `/releases/access/${keyIn(url)}?to=${encodeURIComponent(`/releases/${acme.slug}`)}`);
    expect([entered.status, entered.headers.location]).toEqual([303, `/releases/${acme.slug}`]);
    const headers = { cookie: cookieOf(entered) };
    expect((await visit(acme.subdomain, "/releases", { headers })).status).toBe(200);
    await sql`delete from public.members where workspace_id = ${acme.id} and user_id = ${team.viewer.id}`;
    expect((await visit(acme.subdomain, "/releases", { headers })).status).toBe(403);
  });
});

describe("switching", () => {
  test("takes effect at once, on the workspace's domain too", async () => {
    const host = await ownName(acme.id, "live");
    await setAccess(acme, "public");
    expect((await visitHost(host, "/releases")).status).toBe(200);
    await setAccess(acme, "password");
    expect((await visitHost(host, "/releases")).status).toBe(403);
    await setAccess(acme, "public");
    expect((await visitHost(host, "/releases")).status).toBe(200);
    await sql`delete from public.domains where workspace_id = ${acme.id}`;
  });

  test("makes old links, domains and subdomains ask for access, and tell nothing of what exists", async () => {
    const { id, subdomain: former } = await openWorkspace(acme.team.owner);
    const place = { ...acme, id };
    const [post, other] = [
      await newPost(acme.team.owner, id, { title: "Moved" }),
      await newPost(acme.team.owner, id, { title: "Renamed" }),
    ];
    await sql`insert into public.post_redirects (workspace_id, host, path, post_id) values (${id}, 'old.example', '/changelog/moved', ${post.id})`;
    await sql`update public.posts set slug = 'its-present-name' where id = ${other.id}`;
    const subdomain = newSubdomain();
    await acme.owner.post(`/api/workspaces/${id}/subdomain`, { subdomain });
    const [live, lost] = [await ownName(id, "live"), await ownName(id, "lost")];
    const hosts = [`${subdomain}.localhost`, `${former}.localhost`, live, lost];
    const pairs = [
      ["/changelog/moved", "/changelog/never"],
      [`/releases/${other.slug}`, "/releases/never"],
      [`/releases/${post.slug}.json`, "/releases/never.json"],
      [`/releases/${post.slug}.png`, "/releases/never.png"],
    ] as const;
    const outcomes = async (paths: readonly string[]) => {
      const replies = hosts.flatMap((host) => paths.map((path) => visitHost(host, path, { headers: { accept: "text/html" } })));
      return (await Promise.all(replies)).map(({ status, headers, body }) => [
        status,
        headers.location,
        body.replaceAll(/moved|renamed|never/g, "x"),
      ]);
    };
    expect((await outcomes(["/changelog/moved"])).map(([status]) => status)).toEqual([301, 301, 301, 301]);
    await setAccess(place, "link");
    for (const [known, unknown] of pairs) {
      const found = await outcomes([known]);
      expect([known, found.map(([status, location]) => [status, location])]).toEqual([known, hosts.map(() => [403, undefined])]);
      expect(found).toEqual(await outcomes([unknown]));
    }
  });

  test("doesn't give back access that had ended", async () => {
    const former = keyIn((await setAccess(acme, "link")).link!);
    await setAccess(acme, "public");
    await setAccess(acme, "link");
    expect((await open(acme.subdomain, former)).status).toBe(403);
  });

  test("is in the audit log, also by a key and of a new password", async () => {
    await setAccess(acme, "public");
    await setAccess(acme, "members");
    await setAccess(acme, "members", { emails_content: true });
    await setAccess(acme, "members", { emails_content: true, renew: true });
    const { api } = await newKey(acme.team.admin, acme.id, { scopes: ["access:write"] });
    as(v1AccessEndpoints.save, await api.put("/api/v1/access", { access: "password", password }));
    await setAccess(acme, "password", { password: "another one" });
    expect(as(v1AccessEndpoints.read, await api.get("/api/v1/access"))).toMatchObject({ access: "password", emails_content: false });
    const lines = await sql<{ details: object }[]>`
      select details from private.audit_log where workspace_id = ${acme.id} and kind = 'access_changed' order by id desc limit 5`;
    expect(lines.map(({ details }) => details)).toEqual([
      { password: "changed" },
      { access: ["members", "password"], emails_content: [true, false] },
      { ended: true },
      { emails_content: [false, true] },
      { access: ["public", "members"] },
    ]);
  });

  test("an unlisted changelog is readable, but not for search engines", async () => {
    await setAccess(acme, "unlisted");
    const page = await visit(acme.subdomain, "/releases");
    expect([page.status, page.headers["x-robots-tag"]]).toEqual([200, "noindex"]);
    expect((await visit(acme.subdomain, "/sitemap.xml")).status).toBe(404);
    expect((await visit(acme.subdomain, "/robots.txt")).body).not.toContain("Sitemap");
  });

  test("an unpublished changelog stays unpublished for those with the link", async () => {
    const key = keyIn((await setAccess(acme, "link")).link!);
    await sql`update public.workspaces set public_changelog_enabled = false where id = ${acme.id}`;
    expect((await open(acme.subdomain, key)).status).toBe(404);
    await sql`update public.workspaces set public_changelog_enabled = true where id = ${acme.id}`;
  });
});

test("emails about a private changelog contain titles alone, unless they may contain posts", async () => {
  const { owner, id, subdomain } = { ...acme, ...(await openWorkspace(acme.team.owner)) };
  const post = await newPost(acme.team.owner, id, { title: "For readers" });
  const file = `${randomUUID()}.png`;
  await sql`
    update public.posts set content_raw = jsonb_set(content_raw, '{blocks,1}', ${sql.json({ type: "image", data: { file: { url: `/storage/v1/object/public/post-images/${id}/${file}` } } })}, true) where id = ${post.id}`;
  const place = { ...acme, id, subdomain, owner };
  const emailed = async () => (await sql`select title, excerpt, content_raw, images from public.mail_posts(${[post.id]})`)[0];
  await setAccess(place, "password");
  expect(await emailed()).toEqual({ title: "For readers", excerpt: "", content_raw: { blocks: [] }, images: null });
  await setAccess(place, "password", { emails_content: true });
  expect(await emailed()).toMatchObject({
    excerpt: "All about For readers.",
    images: { [file]: expect.stringMatching(/^\/releases\/images\/[\w-]+$/) },
  });
});
