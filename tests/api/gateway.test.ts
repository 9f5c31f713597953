import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import http from "node:http";
import { connect } from "node:net";
import path from "node:path";
import { describe, expect, inject, test } from "vitest";
import { errorBody } from "#contract/error-body.ts";
import { pictures } from "./support/images.ts";
import { newPerson, newTeam } from "./support/people.ts";

const { url, publicUrl, publishableKey, ports, dataDir } = inject("stack");

interface Reply {
  status: number;
  headers: http.IncomingHttpHeaders;
  body: string;
}

function raw(path: string, options: http.RequestOptions = {}, body?: string): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const request = http.request({ host: "127.0.0.1", port: ports.gateway, path, ...options }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }));
    });
    request.on("error", reject).end(body);
  });
}

const at = (host: string) => ({ headers: { host: `${host}:${ports.gateway}` } });

describe("hosts:", () => {
  test("the app answers at localhost and 127.0.0.1", async () => {
    for (const host of ["localhost", "127.0.0.1"]) expect((await raw("/api/config", at(host))).status).toBe(200);
  });

  test("a workspace's host redirects to its releases and serves nothing else", async () => {
    const start = await raw("/", at("acme.localhost"));
    expect([start.status, start.headers.location]).toEqual([302, "/releases"]);
    expect((await raw("/?tag=fix", at("acme.localhost"))).headers.location).toBe("/releases?tag=fix");
    for (const path of ["/api/config", "/auth/v1/health", "/rest/v1/posts", "/dev/mail", "/healthz", "/index.html"]) {
      expect([path, (await raw(path, at("acme.localhost"))).status]).toEqual([path, 404]);
    }
  });

  test("an unknown host gets nothing, so DNS rebinding fails", async () => {
    for (const host of ["evil.example", "localhost.evil.example"]) expect((await raw("/api/config", at(host))).status).toBe(404);
  });
});

test("an invalid URL is a client error", async () => {
  for (const host of ["xn--.localhost", "xn--a.localhost:1", "localhost:99999"]) {
    const { status, body } = await raw("/releases", { headers: { host } });
    expect([host, status, errorBody.parse(JSON.parse(body)).code]).toEqual([host, 400, "invalid_address"]);
  }
  const log = readFileSync(path.join(dataDir, "logs/supervisor.log"), "utf8");
  expect(log).not.toContain("Invalid URL");
});

describe("a stored file's name with NUL", () => {
  async function ask(method: string, address: string, names?: object) {
    const { token } = await newPerson();
    const body = names ? JSON.stringify(names) : method === "POST" ? "x" : "";
    const headers = {
      apikey: publishableKey,
      authorization: `Bearer ${token}`,
      "content-type": names ? "application/json" : "image/png",
      "content-length": body.length,
    };
    return await raw(`/storage/v1${address}`, { method, headers }, body);
  }

  test.each([
    ["GET", "/object/public/post-images/a%00b.png"],
    ["GET", "/object/public/%00/a.png"],
    ["GET", "/object/post-images/a%00b.png"],
    ["GET", "/object/info/post-images/%00"],
    ["POST", "/object/post-images/a%00b.png"],
    ["GET", "/bucket/%00"],
    ["DELETE", "/object/post-images", { prefixes: ["a\0b.png"] }],
    ["POST", "/object/list/post-images", { prefix: "a\0b" }],
  ])("is refused: %s %s", async (method, address, names?: object) => {
    const answer = await ask(method, address, names);
    expect([answer.status, JSON.parse(answer.body).error]).toEqual([400, "InvalidKey"]);
  });

  test("isn't taken for another name in the same call", async () => {
    const answer = await ask("DELETE", "/object/post-images", { prefixes: ["\\u0000"] });
    expect([answer.status, answer.body]).toEqual([200, "[]"]);
  });
});

test("a stored file, a range of it and an error have their own content types in every browser", async () => {
  const { owner, workspaceId } = await newTeam();
  const { body } = await owner.api.upload<{ file: { url: string } }>(`/api/workspaces/${workspaceId}/editor/image-upload`, pictures.png);
  const file = body.file.url;
  const missing = file.replace(/[^/]+$/, "nothing.png");
  for (const [pathname, status, headers] of [
    [file, 200, {}],
    [file, 206, { range: "bytes=0-3" }],
    [file.replace("/public/", "/"), 200, { authorization: `Bearer ${owner.token}`, apikey: publishableKey }],
    [missing, 400, {}],
  ] as const)
    for (const host of pathname.includes("/public/") ? ["localhost", "acme.localhost"] : ["localhost"]) {
      const answer = await raw(pathname, { headers: { host, ...headers } });
      expect([pathname, answer.status, answer.headers["x-content-type-options"]]).toEqual([pathname, status, "nosniff"]);
    }
});

describe("a resumable upload, which would outlive its session,", () => {
  test.each([
    ["POST", "/object/upload/sign/post-images/"],
    ["POST", "/object/upload/%73ign/post-images/"],
    ["PUT", "/object/upload/sign/post-images/"],
    ["POST", "/upload/resumable/"],
    ["PATCH", "/upload/resumable/"],
  ])("can't be started: %s %s", async (method, begin) => {
    const { owner, workspaceId } = await newTeam();
    const headers = { apikey: publishableKey, authorization: `Bearer ${owner.token}`, "content-type": "application/json" };
    const answer = await raw(`/storage/v1${begin}${workspaceId}/${crypto.randomUUID()}.png`, { method, headers }, "{}");
    expect([answer.status, errorBody.parse(JSON.parse(answer.body)).code]).toEqual([404, "not_found"]);
  });
});

test.each(["TRACE", "TRACK"])("an unknown method %s is refused as a client error", async (method) => {
  for (const path of ["/api/config", "/auth/v1/settings", "/releases", "/"]) {
    const { status, headers, body } = await raw(path, { method });
    expect([path, status, (JSON.parse(body) as { code: string }).code]).toEqual([path, 405, "method_not_allowed"]);
    expect(headers.allow).toBe("GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS");
  }
});

describe("every response", () => {
  test("has an id that the client can't choose", async () => {
    const first = await raw("/api/config", { headers: { "x-request-id": "chosen" } });
    const second = await raw("/api/config");
    expect(first.headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
    expect(first.headers["x-request-id"]).not.toBe(second.headers["x-request-id"]);
  });

  test("is compressed when larger than a packet and accepted", async () => {
    const packed = { headers: { "accept-encoding": "gzip" } };
    const small = await raw("/api/config", packed);
    expect([small.headers["content-encoding"], small.headers["cache-control"]]).toEqual([
      undefined,
      expect.stringContaining("no-transform"),
    ]);
    expect(JSON.parse(small.body)).toBeTypeOf("object");
    expect((await raw("/api/openapi.json", packed)).headers["content-encoding"]).toBe("gzip");
  });

  test("arrives also when the client ends its side", async () => {
    for (const method of ["GET", "HEAD"])
      expect([method, (await raw("/api/config", { method, headers: { "content-length": "0" } })).status]).toEqual([method, 200]);
  });

  test("of an error has the contract's error body", async () => {
    const { status, body } = await raw("/functions/v1/nothing/here");
    expect(status).toBe(404);
    expect(errorBody.parse(JSON.parse(body)).code).toBe("not_found");
  });
});

describe("functions", () => {
  test("are reachable by name as on hosted, without the prefix", async () => {
    expect(await (await fetch(`${url}/functions/v1/api/config`)).json()).toEqual(await (await fetch(`${url}/api/config`)).json());
  });

  test("get the host and IP address that the gateway saw, not the client's claims", async () => {
    const { body } = await raw("/api/config", { headers: { "x-forwarded-host": "evil.example", "x-forwarded-proto": "https" } });
    expect(body).not.toContain("evil.example");
  });
});

describe("WebSockets", () => {
  const nowhere = `/ws/presence/${crypto.randomUUID()}/${crypto.randomUUID()}`;

  const headers = {
    connection: "Upgrade",
    upgrade: "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": "x3JJHMbDL1EzLkh9GBhXDw==",
  };

  test.each([
    ["localhost", "/api/config", 200],
    ["localhost", "/api/workspaces", 401],
    ["nobody.localhost", "/releases", 404],
  ])("are refused elsewhere: %s%s answers as without an upgrade", async (host, path, status) => {
    const [plain, asked] = [await raw(path, at(host)), await raw(path, { headers: { ...at(host).headers, ...headers } })];
    expect([plain.status, asked.status, asked.body.length]).toEqual([status, status, plain.body.length]);
  });

  test("pass a function's refusal on as an HTTP response", async () => {
    const { status, body } = await raw(nowhere, { headers });
    expect([status, errorBody.parse(JSON.parse(body)).code]).toEqual([401, "unauthenticated"]);
  });
});

describe("development pages:", () => {
  test("the email page is HTML that shows emails as text", async () => {
    const answer = await fetch(`${url}/dev/mail`);
    expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
  });

  test("the other site's page contains only the public snippet", async () => {
    const html = await (await fetch(`${url}/dev/widget-host?workspace=acme`)).text();
    expect(html).toContain(`<script async src="${publicUrl}/widget.js" data-workspace="acme"></script>`);
    expect(html.match(/<script/g)).toHaveLength(1);
  });

  test("a workspace's name in the URL is escaped", async () => {
    const html = await (await fetch(`${url}/dev/widget-host?workspace=${encodeURIComponent('"><script>alert(1)</script>')}`)).text();
    expect(html).not.toContain("<script>alert");
  });
});

const isBuilt =
  existsSync(new URL("../../dist/web/index.html", import.meta.url)) && existsSync(new URL("../../dist/widget/widget.js", import.meta.url));

describe.skipIf(!isBuilt)("built files", () => {
  test("cancelled while they are sent do the gateway no harm", async () => {
    const folder = path.resolve(import.meta.dirname, "../../dist/web/assets");
    const largest = readdirSync(folder).toSorted((a, b) => statSync(path.join(folder, b)).size - statSync(path.join(folder, a)).size)[0];
    const cancel = (afterMs: number) =>
      new Promise<void>((resolve, reject) => {
        const client = connect(ports.gateway, "127.0.0.1", () => {
          client.write(`GET /assets/${largest} HTTP/1.1\r\nhost: localhost:${ports.gateway}\r\n\r\n`);
          setTimeout(() => {
            client.resetAndDestroy();
            resolve();
          }, afterMs);
        });
        client.on("error", reject);
      });
    for (let turn = 0; turn < 200; turn++) await cancel(turn % 7);
    expect((await raw("/healthz")).status).toBe(200);
  });

  test("of the app are served for any page, and a missing file is a 404", async () => {
    const page = await raw("/workspace/1/dashboard", { headers: { accept: "text/html" } });
    expect([page.status, page.headers["content-type"], page.headers["cache-control"]]).toEqual([
      200,
      "text/html; charset=utf-8",
      "no-cache",
    ]);
    expect(page.headers["content-security-policy"]).toContain("default-src 'self'");
    for (const path of ["/missing.js", "/assets/missing-1.js", "/a.png"]) expect([path, (await raw(path)).status]).toEqual([path, 404]);
  });

  test("with a hash in the name are cached permanently", async () => {
    const [asset = ""] = /\/assets\/[^"]+\.js/.exec((await raw("/")).body) ?? [];
    expect((await raw(asset)).headers["cache-control"]).toBe("public, max-age=31536000, immutable");
  });

  test("answer HEAD without a body and refuse writes", async () => {
    const head = await raw("/widget.js", { method: "HEAD" });
    expect([head.status, head.body, Number(head.headers["content-length"]) > 0]).toEqual([200, "", true]);
    expect((await raw("/widget.js", { method: "POST" })).status).toBe(405);
  });

  test.each(["/../package.json", "/..%2f..%2fpackage.json", "/assets/..%2f..%2f..%2fpackage.json", "/%00", "/%"])(
    "stay inside their folder: %s",
    async (path) => {
      const { status, body } = await raw(path);
      expect(status === 404 || !body.includes("dependencies")).toBe(true);
    },
  );
});
