import { randomBytes, randomUUID } from "node:crypto";
import fs from "node:fs";
import http from "node:http";
import https from "node:https";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import tls from "node:tls";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { jsonBodyMaxBytes, multipartBodyMaxBytes } from "#contract/body-limits.ts";
import { hostAnswer } from "#contract/rules/host-question.ts";
import { type FrontDoor, type ShownCertificate, startFrontDoor } from "../support/caddy.ts";
import { freePort, readyStack, type RunningStack, startStack } from "../support/stack.ts";
import { type HostedStandIn, startHostedStandIn } from "./support/hosted-stand-in.ts";
import { makePlace, type Place } from "./support/writers.ts";

let stack: RunningStack;
let standIn: HostedStandIn;
let place: Place;
let post: { id: string; slug: string };
let subdomain: string;
const ownName = "changelog.acme.example";
const doors = new Map<string, FrontDoor>();
const files = fs.mkdtempSync(path.join(os.tmpdir(), "tidings-files-"));
const script = "assets/app-0123abcd.js";

function makeFiles(): void {
  for (const folder of ["web/assets", "widget"]) fs.mkdirSync(path.join(files, folder), { recursive: true });
  fs.writeFileSync(path.join(files, "web/index.html"), "<!doctype html><title>Tidings</title>");
  fs.writeFileSync(path.join(files, "web/icon.svg"), "<svg/>");
  fs.writeFileSync(path.join(files, "web", script), "export {};");
  fs.writeFileSync(path.join(files, "web", `${script}.br`), "made ahead of time");
  fs.writeFileSync(path.join(files, "widget/widget.js"), "void 0;");
}

const call = (address: string, body: object) =>
  fetch(stack.url + address, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${place.token}` },
    body: JSON.stringify(body),
  });

async function giveName(sql: postgres.Sql, workspaceId: string, host: string, state: "dns" | "certificate" | "live"): Promise<void> {
  await sql`insert into public.workspace_add_ons (workspace_id, add_on) values (${workspaceId}, 'custom-domain') on conflict do nothing`;
  await sql`
    insert into public.domains (host, workspace_id, shown, state, live_at)
    values (${host}, ${workspaceId}, ${host}, ${state}, ${state === "live" ? new Date() : null})`;
}

async function publish(): Promise<void> {
  const sql = postgres(stack.dbUrl, { max: 1, onnotice: () => {} });
  [{ subdomain }] = (await sql`update public.workspaces set public_changelog_enabled = true returning subdomain`) as unknown as [
    { subdomain: string },
  ];
  await giveName(sql, place.workspaceId, "unproven.acme.example", "dns");
  await sql.end();
  const blocks = [{ type: "paragraph", data: { text: "Read through the front door." } }];
  const answer = await call("/api/posts", { title: "Größer & besser", workspace_id: place.workspaceId, blocks, status: "published" });
  ({ post } = (await answer.json()) as { post: typeof post });
}

beforeAll(async () => {
  makeFiles();
  const [port, ...others] = await Promise.all(Array.from({ length: 7 }, freePort));
  const [one, two] = [others.slice(0, 3), others.slice(3)].map(([https, http, ask]) => ({ https: https!, http: http!, ask: ask! }));
  // both doors are the same origin to the functions: localhost at the first one's port
  stack = await startStack({ port, args: ["serve"], env: { TIDINGS_PUBLIC_URL: `https://localhost:${one!.https}`, TIDINGS_FAST: "1" } });
  place = await makePlace(stack);
  await publish();
  standIn = await startHostedStandIn(stack);
  doors.set("the stack of one machine", await startFrontDoor({ supabaseUrl: stack.url, ports: one!, files }));
  doors.set("hosted Supabase", await startFrontDoor({ supabaseUrl: standIn.url, ports: two!, files }));
});
afterAll(async () => {
  for (const door of doors.values()) await door.stop();
  await standIn?.stop();
  await stack?.stop();
  fs.rmSync(files, { recursive: true, force: true });
});

describe.each(["the stack of one machine", "hosted Supabase"])("the front door of %s", (behind) => {
  const ask: FrontDoor["request"] = (...all) => doors.get(behind)!.request(...all);
  const workspace = () => `${subdomain}.localhost`;

  test("serves releases as HTML with their own policy", async () => {
    for (const pathAndQuery of ["/releases", `/releases/${post.slug}`]) {
      const answer = await ask(workspace(), pathAndQuery);
      expect([answer.status, answer.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
      expect(answer.headers["content-security-policy"]).toMatch(/^default-src 'none'; style-src 'sha256-/);
      expect(answer.text).toContain("Größer &amp; besser");
    }
    for (const pathname of ["/releases/nothing-here", "/RELEASES", "/releases-elsewhere"]) {
      const nowhere = await ask(workspace(), pathname);
      expect([pathname, nowhere.status, nowhere.headers["content-type"]]).toEqual([pathname, 404, "text/html; charset=utf-8"]);
    }
    for (const pathname of ["/releases/nothing-here.md", "/releases/gone.xml"]) {
      const nothing = await ask(workspace(), pathname);
      expect([pathname, nothing.status, JSON.parse(nothing.text).code]).toEqual([pathname, 404, "not_found"]);
    }
    const escaped = await ask(workspace(), `/releases/${post.slug.replace("g", "%67")}`);
    expect([escaped.status, escaped.text]).toEqual([200, expect.stringContaining("Größer &amp; besser")]);
  });

  test("allows a page's inline style only by the hash that the door sends", async () => {
    const direct = await fetch(`${stack.url}/releases?workspace=${subdomain}`);
    const answer = await ask(workspace(), "/releases");
    expect(answer.headers["content-security-policy"]).toBe(direct.headers.get("content-security-policy"));
  });

  test("sends neither style nor frame permission for anything but pages", async () => {
    const { headers } = await ask(workspace(), "/releases.json");
    expect(headers["content-security-policy"]).toMatch(/^default-src 'none'; style-src 'none'; /);
    expect(headers["content-security-policy"]).not.toContain("frame-src");
  });

  test("serves the app, ?workspace= and the API on the bare host only, not on workspaces' hosts", async () => {
    expect((await ask("localhost", `/releases?workspace=${subdomain}`)).text).toContain("Größer");
    expect((await ask("localhost", "/api/config")).status).toBe(200);
    expect((await ask("localhost", "/.well-known/oauth-protected-resource/api/mcp")).status).toBe(200);
    expect((await ask("localhost", "/.well-known/openid-configuration")).status).toBe(404);
    expect((await ask("localhost", "/auth/confirm?x=1")).text).toContain("<title>Tidings</title>");
    for (const pathname of [
      ...["/api/config", "/auth/v1/settings", "/rest/v1/posts", "/ws/presence/a/b", "/index.html", "/healthz"],
      "/.well-known/oauth-authorization-server",
    ]) {
      const answer = await ask(workspace(), pathname);
      expect([pathname, answer.status, JSON.parse(answer.text).code]).toEqual([pathname, 404, "not_found"]);
    }
    const root = await ask(workspace(), "/");
    expect([root.status, root.headers.location]).toEqual([302, "/releases"]);
    expect((await ask(workspace(), "/?tag=fix&utm_source=x")).headers.location).toBe("/releases?tag=fix&utm_source=x");
  });

  test("lets cross-origin isolated sites embed public files", async () => {
    for (const host of ["localhost", workspace()])
      expect((await ask(host, "/storage/v1/object/public/logos/nothing.png")).headers["cross-origin-resource-policy"]).toBe("cross-origin");
    expect((await ask("localhost", "/storage/v1/object/logos/nothing.png")).headers["cross-origin-resource-policy"]).toBeUndefined();
  });

  test("rejects resumable uploads, which would outlive their session, in every spelling of the URL", async () => {
    const headers = { apikey: stack.publishableKey, authorization: `Bearer ${place.token}`, "content-type": "application/json" };
    const name = `post-images/${place.workspaceId}/${randomUUID()}.png`;
    for (const begin of ["object/upload/sign/", "object/upload/%73ign/", "object/upload//sign/", "upload/resumable/"]) {
      const answer = await ask("localhost", `/storage/v1/${begin}${name}`, { method: "POST", headers, body: "{}" });
      expect([begin, answer.status, JSON.parse(answer.text).code]).toEqual([begin, 404, "not_found"]);
    }
  });

  test("doesn't serve development pages", async () => {
    for (const pathname of ["/dev/mail", "/dev/mail.json", "/dev/widget-host"]) expect((await ask("localhost", pathname)).status).toBe(404);
    for (const pathname of ["/dev/mail", "/dev/mail.json", "/dev/widget-host"])
      expect((await fetch(stack.url + pathname)).status).toBe(404);
  });

  test("sets Secure session cookies, and accepts writes only from its own origin", async () => {
    const body = JSON.stringify({ email: "nobody@example.com", password: "wrong password" });
    const headers = { "content-type": "application/json", origin: "https://evil.example" };
    const answer = await ask("localhost", "/api/auth/login", { method: "POST", headers, body });
    expect([answer.status, JSON.parse(answer.text).code]).toEqual([403, "cross_origin"]);
  });

  test("sends security headers and a request id that the client can't choose with every response", async () => {
    for (const pathname of ["/", "/api/config", "/assets/nothing.js", `/releases?workspace=${subdomain}`]) {
      const { headers } = await ask("localhost", pathname, { headers: { "x-request-id": "chosen-by-the-client" } });
      expect(headers["x-content-type-options"]).toBe("nosniff");
      expect(headers["strict-transport-security"]).toBe("max-age=31536000");
      expect(headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
      expect(headers.server).toBeUndefined();
    }
  });

  test("limits request bodies, with a larger limit for files than for JSON", async () => {
    const send = (type: string, size: number, pathname = "/api/posts") =>
      ask("localhost", pathname, {
        method: "POST",
        headers: { "content-type": type, authorization: `Bearer ${place.token}` },
        body: Buffer.alloc(size, " "),
      });
    const tooLarge = await send("application/json", jsonBodyMaxBytes + 1);
    expect([tooLarge.status, JSON.parse(tooLarge.text).code]).toEqual([413, "body_too_large"]);
    expect((await send("multipart/form-data; boundary=x", multipartBodyMaxBytes + 1)).status).toBe(413);
    expect((await send("multipart/form-data; boundary=x", jsonBodyMaxBytes + 1, "/storage/v1/object/nowhere/x.png")).status).not.toBe(413);
  });

  test("times out an incomplete request after ten seconds", { timeout: 30_000 }, async () => {
    const { port, authority } = doors.get(behind)!;
    const began = performance.now();
    const socket = tls.connect({ host: "127.0.0.1", port, servername: "localhost", ca: authority });
    socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n");
    await new Promise((resolve) =>
      socket
        .on("close", resolve)
        .on("error", () => {})
        .resume(),
    );
    const seconds = (performance.now() - began) / 1_000;
    expect(seconds).toBeGreaterThan(5);
    expect(seconds).toBeLessThan(20);
  });

  test("proxies WebSockets: a client that joins a post gets the participants", async () => {
    const heard = await joinPresence(doors.get(behind)!, `/ws/presence/${place.workspaceId}/${post.id}`, place.token);
    expect(heard).toContain("presence-update");
  });

  test("answers /healthz and /readyz with 503 while Postgres is down and 200 afterwards", async () => {
    for (const pathname of ["/healthz", "/readyz"]) expect((await ask("localhost", pathname)).status).toBe(200);
    let status = 200;
    // Retry: Postgres may restart before the request.
    for (let round = 0; round < 10 && status !== 503; round += 1) {
      const { postgres: pid } = (await readyStack(stack.dataDir)).pids;
      if (pid > 0) process.kill(pid, "SIGKILL");
      for (const end = Date.now() + 2_000; status !== 503 && Date.now() < end; await wait(5))
        ({ status } = await ask("localhost", "/healthz"));
    }
    expect(status).toBe(503);
    for (const pathname of ["/healthz", "/readyz"])
      await expect.poll(async () => (await ask("localhost", pathname)).status, { timeout: 10_000 }).toBe(200);
  });

  test("issues a certificate for a workspace with a public page and for no other name", async () => {
    await expect(ask("nobody-has-this.localhost", "/releases")).rejects.toThrow();
  });
});

describe.each(["the stack of one machine", "hosted Supabase"])("a workspace's own domain at the front door of %s", (behind) => {
  const ask: FrontDoor["request"] = (...all) => doors.get(behind)!.request(...all);
  const below = () => `${subdomain}.localhost`;
  const origin = () => `https://${ownName}:${doors.get("the stack of one machine")!.port}`;
  const visit = async (pathname: string, headers: Record<string, string> = {}) => await ask(ownName, pathname, { headers });

  let sql: postgres.Sql;
  beforeAll(() => {
    sql = postgres(stack.dbUrl, { max: 1, onnotice: () => {} });
  });
  afterAll(async () => {
    await sql`delete from public.domains where host = ${ownName}`;
    await sql.end();
  });

  test("gets no certificate while unverified, one when verified, and readers' redirect when live", async () => {
    await expect(visit("/releases")).rejects.toThrow();
    await expect(ask("unproven.acme.example", "/releases")).rejects.toThrow();
    await giveName(sql, place.workspaceId, ownName, "certificate");
    const first = await visit("/releases.json");
    expect([first.status, (await ask(below(), "/releases")).status]).toEqual([200, 200]);
    const ids = (text: string) => text.match(/urn:uuid:[\da-f-]{36}/g);
    const before = ids((await ask(below(), "/releases/rss.xml")).text);
    await sql`update public.domains set state = 'live', live_at = now() where host = ${ownName}`;
    const page = await visit(`/releases/${post.slug}`);
    expect([page.status, page.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    expect(page.text).toContain(`<link rel="canonical" href="${origin()}/releases/${post.slug}"`);
    for (const address of ["/releases", `/releases/${post.slug}?via=mail`, "/sitemap.xml"]) {
      const { status, headers } = await ask(below(), address);
      expect([status, headers.location]).toEqual([301, origin() + address]);
    }
    for (const host of [below(), ownName]) {
      const feed = await ask(host, "/releases/rss.xml");
      expect([feed.status, ids(feed.text), feed.text.includes(`${origin()}/releases/${post.slug}`)]).toEqual([200, before, true]);
    }
    expect((await visit("/robots.txt")).text).toContain(`Sitemap: ${origin()}/sitemap.xml`);
    expect((await visit("/sitemap.xml")).text).toContain(`<loc>${origin()}/releases/${post.slug}</loc>`);
  });

  test("serves public pages only", async () => {
    const root = await visit("/?tag=fix");
    expect([root.status, root.headers.location]).toEqual([302, "/releases?tag=fix"]);
    expect((await visit("/widget.js")).status).toBe(200);
    for (const pathname of [
      ...["/app", "/index.html", "/assets/app-0123abcd.js", "/api/config", "/auth/v1/settings", "/rest/v1/posts", "/ws/presence/a/b"],
      ...["/functions/v1/api/config", "/storage/v1/object/logos/a.png", "/realtime/v1/websocket", "/healthz", "/readyz", "/dev/mail"],
    ]) {
      const answer = await visit(pathname);
      expect([pathname, answer.status, JSON.parse(answer.text).code]).toEqual([pathname, 404, "not_found"]);
    }
  });

  test("sends security headers, and HSTS without subdomains", async () => {
    const { headers } = await visit("/releases");
    expect(headers["strict-transport-security"]).toBe("max-age=31536000");
    expect(headers["content-security-policy"]).toMatch(/^default-src 'none'; style-src /);
    expect([headers["x-page-policy"], headers["x-content-type-options"]]).toEqual([undefined, "nosniff"]);
    const again = await visit("/releases", { "if-none-match": String(headers.etag) });
    expect([again.status, again.headers["content-security-policy"]]).toEqual([304, undefined]);
  });

  test("gives no access to another host named in a request, and doesn't change that host's pages", async () => {
    for (const [header, value, wanted] of [
      ["host", "evil.example", 404],
      ["forwarded", "host=evil.example", 200],
      ["x-forwarded-host", "evil.example", 200],
    ] as const) {
      const { status, text } = await visit("/releases", { [header]: value });
      expect([header, status, text.includes("evil.example")]).toEqual([header, wanted, false]);
    }
    expect((await visit("/api/config", { host: below() })).status).toBe(404);
    expect((await visit("/releases")).text).toContain(`href="${origin()}/releases"`);
  });

  test("redirects http to https", async () => {
    const location = await new Promise((resolve, reject) => {
      const options = { host: "127.0.0.1", port: doors.get(behind)!.httpPort, path: "/releases?a=b", headers: { host: ownName } };
      http.get(options, ({ statusCode, headers }) => resolve([statusCode, headers.location])).on("error", reject);
    });
    expect(location).toEqual([308, `https://${ownName}/releases?a=b`]);
  });
});

test("a client can't spoof its IP address or host through the front door", async () => {
  const door = doors.get("the stack of one machine")!;
  const answer = await door.request("localhost", "/releases.json", {
    headers: { forwarded: `host=${subdomain}.localhost`, "x-forwarded-host": `${subdomain}.localhost` },
  });
  expect(answer.status).toBe(404);
});

describe("certificates while functions and database are down", () => {
  let behind: RunningStack | undefined;
  let door: FrontDoor | undefined;
  let askPort: number;
  let open: string, closed: string, unseen: string;
  const own = { open: "changelog.acme.example", unseen: "never-read.acme.example", unproven: "unproven.acme.example" };
  // A domain other than localhost, whose certificates live for hours.
  const domain = "tidings.example";
  let last: ShownCertificate[];

  const visit = (name: string) =>
    door!.request(name, "/releases").then(
      ({ status }) => status,
      () => "no certificate",
    );
  const permission = async (domain: string) => (await fetch(`http://127.0.0.1:${askPort}/?domain=${encodeURIComponent(domain)}`)).status;
  /** Retry for half a minute: a busy front door may time out. */
  async function again<Seen>(look: () => Promise<Seen>, isRight: (seen: Seen) => boolean): Promise<Seen> {
    for (let tries = 1; ; tries += 1) {
      const seen = await look();
      if (isRight(seen) || tries === 60) return seen;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
  const visited = (name: string, status: number) =>
    again(
      () => visit(name),
      (seen) => seen === status,
    );
  const certificateOf = async (name: string): Promise<ShownCertificate> => {
    const seen = await again(
      () => door!.certificateOf(name).catch((error: Error) => error),
      (one) => !(one instanceof Error),
    );
    if (seen instanceof Error) throw seen;
    return seen;
  };
  const shown = () => Promise.all([open, own.open].map(certificateOf));
  const ranOut = async (certificates: readonly ShownCertificate[]) => {
    const end = Math.max(...certificates.map(({ until }) => until.getTime())) + 1_000; // lifetimes are in seconds
    await new Promise((resolve) => setTimeout(resolve, end - Date.now()));
  };

  beforeAll(async () => {
    const [port, https, http, ask] = (await Promise.all(Array.from({ length: 4 }, freePort))) as [number, number, number, number];
    askPort = ask;
    behind = await startStack({ port, args: ["serve"], env: { TIDINGS_PUBLIC_URL: `https://${domain}:${https}`, TIDINGS_FAST: "1" } });
    const places = [await makePlace(behind), await makePlace(behind), await makePlace(behind)];
    const sql = postgres(behind.dbUrl, { max: 1, onnotice: () => {} });
    const rows = await sql<{ id: string; subdomain: string }[]>`
      update public.workspaces set public_changelog_enabled = true returning id, subdomain`;
    [open, closed, unseen] = places.map(({ workspaceId }) => `${rows.find(({ id }) => id === workspaceId)!.subdomain}.${domain}`) as [
      string,
      string,
      string,
    ];
    await giveName(sql, places[0]!.workspaceId, own.open, "certificate");
    await giveName(sql, places[0]!.workspaceId, own.unseen, "certificate");
    await giveName(sql, places[0]!.workspaceId, own.unproven, "dns");
    door = await startFrontDoor({ supabaseUrl: behind.url, ports: { https, http, ask }, files, domain, lifetime: "10s" });
    for (const name of [open, closed, own.open]) expect([name, await visited(name, 200)]).toEqual([name, 200]);
    for (const name of [own.unproven, `nobody-has-this.${domain}`, "nobody-has-this.example"])
      expect([name, await visit(name)]).toEqual([name, "no certificate"]);
    await sql`update public.workspaces set public_changelog_enabled = false where id = ${places[1]!.workspaceId}`;
    await sql.end();
    expect(await Promise.all([open, closed, own.open, own.unproven].map(permission))).toEqual([200, 404, 200, 404]);

    // While everything runs, an expiring certificate is renewed without an error for readers.
    const before = await shown();
    await ranOut(before);
    for (const name of [open, own.open]) expect([name, await visited(name, 200)]).toEqual([name, 200]);
    last = await shown();
    for (const { id } of before) expect(last.map((one) => one.id)).not.toContain(id);

    await behind.stop();
    behind = undefined;
    await ranOut(last);
  });
  afterAll(async () => {
    await door?.stop();
    await behind?.stop();
  });

  test("are renewed for names that had one", async () => {
    for (const name of [open, own.open]) {
      expect([name, await permission(name)]).toEqual([name, 200]);
      expect([name, await visited(name, 503)]).toEqual([name, 503]);
      expect(last.map(({ id }) => id)).not.toContain((await certificateOf(name)).id);
    }
  });

  test("are refused for every other name", async () => {
    for (const name of [unseen, own.unseen, own.unproven, `nobody-has-this.${domain}`, "nobody-has-this.example"]) {
      expect([name, await permission(name), await visit(name)]).toEqual([name, 503, "no certificate"]);
    }
  });

  test.each(["", "..", "*", "?", "[a-z]*", "localhost/../../local/x", "*.tidings.example", "wildcard_.tidings.example"])(
    "the permission check refuses the name %j",
    async (name) => {
      expect(await permission(name)).toBe(503);
    },
  );
});

describe("an intermediary's refusal", () => {
  test.each([404, 403, 200, 301, 500])("doesn't decide about a certificate with its answer %i", async (status) => {
    const between = http.createServer((_, response) =>
      response.writeHead(status, { location: "/", "content-type": "text/html" }).end("gone"),
    );
    await new Promise<void>((resolve) => between.listen(0, "127.0.0.1", resolve));
    const ports = { https: await freePort(), http: await freePort(), ask: await freePort() };
    const door = await startFrontDoor({ supabaseUrl: `http://127.0.0.1:${(between.address() as AddressInfo).port}`, ports, files });
    expect((await fetch(`http://127.0.0.1:${ports.ask}/?domain=acme.localhost`)).status).toBe(503);
    expect((await fetch(`http://127.0.0.1:${ports.ask}/?domain=localhost`)).status).toBe(200);
    await door.stop();
    between.close();
  });
});

describe("the front door with one certificate for all workspaces", () => {
  test("allows their subdomains without asking the function, which still decides about own domains", async () => {
    const port = await freePort();
    const ports = { https: await freePort(), http: await freePort(), ask: await freePort() };
    const supabaseUrl = `http://127.0.0.1:${port}`;
    const asked: string[] = [];
    const behind = http.createServer((request, response) => {
      const domain = new URL(request.url ?? "", supabaseUrl).searchParams.get("domain");
      if (domain === null) return void response.writeHead(200).end("{}");
      asked.push(domain);
      const isKnown = domain === ownName;
      response.writeHead(isKnown ? 200 : 404, { [hostAnswer.header]: isKnown ? hostAnswer.known : hostAnswer.unknown }).end();
    });
    await new Promise<void>((resolve) => behind.listen(port, "127.0.0.1", resolve));
    // replaces the DNS challenge: the door's own authority
    const door = await startFrontDoor({ supabaseUrl, ports, files, workspacesTls: "issuer internal" });
    await expect.poll(() => door.certificateOf("acme.localhost").catch(() => null), { timeout: 20_000 }).not.toBeNull();
    const shown = await Promise.all(["acme.localhost", "globex.localhost", ownName].map((name) => door.certificateOf(name)));
    expect(shown.map(({ names }) => names)).toEqual(["DNS:*.localhost", "DNS:*.localhost", `DNS:${ownName}`]);
    expect(asked).toEqual([ownName]);
    await expect(door.certificateOf("evil.example")).rejects.toThrow();
    expect(asked).toEqual([ownName, "evil.example"]);
    await door.stop();
    behind.close();
  });
});

describe("the front door behind a CDN, with a stack that listens on a network address", () => {
  let elsewhere: RunningStack;
  let door: FrontDoor;
  let origin: string;
  beforeAll(async () => {
    const [port, https, http, ask] = (await Promise.all(Array.from({ length: 4 }, freePort))) as [number, number, number, number];
    origin = `https://localhost:${https}`;
    const env = { TIDINGS_PUBLIC_URL: origin, TIDINGS_TRUSTED_PROXIES: "2", TIDINGS_RATE_LIMIT_SCALE: "0.01" };
    elsewhere = await startStack({ port, args: ["serve", "--host", "127.0.0.2", "--front-door", "127.0.0.1"], env });
    door = await startFrontDoor({ supabaseUrl: elsewhere.url, ports: { https, http, ask }, files, cdnRanges: "127.0.0.1/32 192.0.2.0/24" });
  });
  afterAll(async () => {
    await door?.stop();
    await elsewhere?.stop();
  });
  const post = async (pathname: string, headers: Record<string, string>, body: object) =>
    (
      await door.request("localhost", pathname, {
        method: "POST",
        headers: { "content-type": "application/json", origin, ...headers },
        body: JSON.stringify(body),
      })
    ).status;

  test("reaches services and functions", async () => {
    expect(elsewhere.url).toMatch(/^http:\/\/127\.0\.0\.2:/);
    for (const pathname of ["/healthz", "/api/config", "/auth/v1/settings"]) {
      const { status } = await door.request("localhost", pathname, { headers: { apikey: elsewhere.publishableKey } });
      expect([pathname, status]).toEqual([pathname, 200]);
    }
    const account = { fullName: "Ann", companyName: "Nile", email: "ann@example.com", password: "correct horse" };
    expect(await post("/api/auth/signup", {}, account)).toBe(201);
    expect((await fetch(`${elsewhere.url}/api/config`)).status).toBe(200);
  });

  test("rate-limits each client separately behind the CDN, whatever headers a client sends", async () => {
    const signIn = (from: string, pathname: string) =>
      post(
        pathname,
        { "x-forwarded-for": from, apikey: elsewhere.publishableKey },
        { email: `${randomUUID()}@example.com`, password: "x" },
      );
    for (const [pathname, refused] of [
      ["/api/auth/login", 401],
      ["/auth/v1/token?grant_type=password", 400],
    ] as const) {
      const net = pathname.startsWith("/api") ? "198.51.100" : "203.0.113";
      expect(await signIn(`${net}.1`, pathname)).toBe(refused);
      expect(await signIn(`${net}.1`, pathname)).toBe(429);
      expect(await signIn(`${net}.77, ${net}.1`, pathname)).toBe(429);
      expect(await signIn(`${net}.2`, pathname)).toBe(refused);
    }
  });
});

test("the front door forwards only the client's IP from a CDN, and no such header from other clients", async () => {
  const behind = http.createServer((request, response) => response.end(JSON.stringify(request.headers)));
  await new Promise<void>((resolve) => behind.listen(0, "127.0.0.1", resolve));
  const supabaseUrl = `http://127.0.0.1:${(behind.address() as AddressInfo).port}`;
  const headers = {
    "x-forwarded-for": "198.51.100.7, 203.0.113.9",
    "sb-forwarded-for": "198.51.100.8",
    "x-forwarded-host": "evil.example",
    "x-forwarded-proto": "http",
    forwarded: "host=evil.example",
  };
  for (const [cdnRanges, addresses, caller] of [
    ["127.0.0.0/8 192.0.2.1", "198.51.100.7, 203.0.113.9, 127.0.0.1", "203.0.113.9"], // a client can write every entry but the last
    ["192.0.2.0/24", "127.0.0.1", "127.0.0.1"],
    [undefined, "127.0.0.1", "127.0.0.1"],
  ] as const) {
    const ports = { https: await freePort(), http: await freePort(), ask: await freePort() };
    const door = await startFrontDoor({ supabaseUrl, ports, files, cdnRanges });
    const { text } = await door.request("localhost", "/api/config", { headers });
    await door.stop();
    expect([cdnRanges, JSON.parse(text)]).toEqual([
      cdnRanges,
      expect.objectContaining({
        "x-forwarded-for": addresses,
        "sb-forwarded-for": caller,
        "x-forwarded-host": `localhost:${ports.https}`,
        "x-forwarded-proto": "https",
        forwarded: `host=localhost:${ports.https};proto=https`,
      }),
    ]);
  }
  behind.close();
});

test("the front door serves a stored file with its stored type and headers", async () => {
  const storage = http.createServer((_, response) => response.writeHead(200, { "content-type": "image/png" }).end("<script>"));
  await new Promise<void>((resolve) => storage.listen(0, "127.0.0.1", resolve));
  const ports = { https: await freePort(), http: await freePort(), ask: await freePort() };
  const door = await startFrontDoor({ supabaseUrl: `http://127.0.0.1:${(storage.address() as AddressInfo).port}`, ports, files });
  for (const pathname of ["/storage/v1/object/public/logos/a.png", "/storage/v1/object/logos/a.png"]) {
    const { headers } = await door.request("localhost", pathname);
    expect([pathname, headers["content-type"], headers["x-content-type-options"]]).toEqual([pathname, "image/png", "nosniff"]);
  }
  await door.stop();
  storage.close();
});

describe("the front door", () => {
  test("answers 503 with the contract's body when the backend is down", async () => {
    const ports = { https: await freePort(), http: await freePort(), ask: await freePort() };
    const door = await startFrontDoor({ supabaseUrl: `http://127.0.0.1:${await freePort()}`, ports, files });
    const answer = await door.request("localhost", "/api/config");
    await door.stop();
    expect([answer.status, JSON.parse(answer.text).code, answer.headers["retry-after"]]).toEqual([503, "unavailable", "1"]);
  });

  test("answers the same after its timeout when the backend hangs", async () => {
    const stuck = await startHostedStandIn(stack);
    stuck.hang();
    const ports = { https: await freePort(), http: await freePort(), ask: await freePort() };
    const door = await startFrontDoor({ supabaseUrl: stuck.url, ports, files, patience: "500ms" });
    const began = performance.now();
    const answer = await door.request("localhost", "/api/config");
    expect([answer.status, JSON.parse(answer.text).code]).toEqual([503, "unavailable"]);
    expect(performance.now() - began).toBeLessThan(5_000);
    await door.stop();
    await stuck.stop();
  });
});

function joinPresence({ port, authority }: FrontDoor, pathname: string, token: string): Promise<string> {
  const join = Buffer.from(JSON.stringify({ type: "join", userId: randomUUID(), fullName: "Ann" }));
  const mask = randomBytes(4);
  const frame = Buffer.concat([Buffer.from([0x81, 0x80 | join.length]), mask, join.map((byte, index) => byte ^ mask[index % 4]!)]);
  return new Promise((resolve, reject) => {
    const request = https.request({
      host: "127.0.0.1",
      port,
      path: pathname,
      ca: authority,
      servername: "localhost",
      headers: {
        host: `localhost:${port}`,
        connection: "Upgrade",
        upgrade: "websocket",
        "sec-websocket-version": "13",
        "sec-websocket-key": randomBytes(16).toString("base64"),
        "sec-websocket-protocol": `presence.v1, jwt.${token}`,
      },
    });
    request.on("upgrade", (_answer, socket) => {
      socket.on("data", (data: Buffer) => {
        socket.destroy();
        resolve(data.toString("utf8"));
      });
      socket.write(frame);
    });
    request.on("response", (answer) => reject(new Error(`refused with ${answer.statusCode}`)));
    request.on("error", reject).end();
  });
}
