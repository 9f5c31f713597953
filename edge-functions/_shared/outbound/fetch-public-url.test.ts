import { once } from "node:events";
import net, { type AddressInfo } from "node:net";
import { deflateSync, gzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import { nodeNetwork } from "../../../tests/support/node-network.ts";
import { NotPublic, TooLong, TooSlow, Unreachable } from "./network.ts";
import { fetchPublicUrl, type PublicRequest } from "./fetch-public-url.ts";

type Say = (socket: net.Socket, head: string, times: number) => void;

let server: net.Server | undefined;
const sockets = new Set<net.Socket>();
const asked: string[] = [];
const connected: string[] = [];
let heard: string[] = [];
afterEach(() => {
  asked.length = connected.length = 0;
  heard = [];
  for (const socket of sockets) socket.destroy();
  server?.close();
});

async function serving(say: Say): Promise<string> {
  server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    let text = "";
    socket.on("data", (piece: Buffer) => {
      text += piece.toString();
      const length = Number(/content-length: (\d+)/.exec(text)?.[1] ?? 0);
      if (text.includes("\r\n\r\n") && text.length === text.indexOf("\r\n\r\n") + 4 + length) say(socket, text, heard.push(text));
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
const network = () => nodeNetwork({}, { asked, connected });
const get = (url: string, { maxBytes = 1_000, timeoutMs: given = 15_000, ...more }: Partial<PublicRequest> & { timeoutMs?: number } = {}) =>
  fetchPublicUrl(network(), { ...more, url: new URL(url), maxBytes }, { toPrivate: true, timeoutMs: given });
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const said = async (bytes: string | Buffer, more: Parameters<typeof get>[1] = {}) =>
  await get(await serving((socket) => socket.end(bytes)), more);
const ok = (headers: string, body: string | Buffer) =>
  Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\n${headers}\r\n\r\n`), Buffer.from(body as string)]);
const chunked = (...pieces: string[]) => pieces.map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`).join("");

describe("a fetched response", () => {
  test("uses no more memory when it arrives byte by byte", async () => {
    const crumbs = 8_000;
    const bytes = ok("transfer-encoding: chunked", `${chunked(...Array.from({ length: crumbs }, () => "x"))}0\r\n\r\n`);
    const before = process.memoryUsage().arrayBuffers;
    const { body } = await said(bytes, { maxBytes: 10_000 });
    expect(body).toHaveLength(crumbs);
    expect(body.buffer.byteLength).toBe(crumbs);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(30_000_000); // the buffer was once copied per chunk
  });
  test.each<[string, string | Buffer, string]>([
    ["with a length", ok("content-length: 5", "hello and more"), "hello"],
    ["in chunks", ok("transfer-encoding: chunked", `${chunked("hel", "lo\r\n0\r\n", "!")}0\r\nx-after: y\r\n\r\n`), "hello\r\n0\r\n!"],
    ["in chunks that say more of themselves", ok("transfer-encoding: chunked", "5 ;a=b\r\nhello\r\n0\r\n\r\n"), "hello"],
    ["until the end", ok("connection: close", "hello"), "hello"],
    ["packed", ok("content-encoding: gzip", gzipSync("hello")), "hello"],
    ["packed otherwise", ok("content-encoding: deflate", deflateSync("hello")), "hello"],
    ["of nothing", "HTTP/1.1 204 No\r\n\r\n", ""],
  ])("%s is whole", async (_, bytes, body) => {
    const answer = await said(bytes);
    expect(text(answer.body)).toBe(body);
  });

  test("of many chunks is complete, up to the limit", async () => {
    const all = "0123456789".repeat(100_000);
    const answer = await said(ok("transfer-encoding: chunked", `${chunked(all.slice(0, 400_000), all.slice(400_000))}0\r\n\r\n`), {
      maxBytes: all.length,
    });
    expect(text(answer.body) === all).toBe(true);
  });

  test("has no body for an error status", async () => {
    const url = await serving((socket) => {
      socket.write("HTTP/1.1 404 No\r\nretry-after: 5\r\n\r\n");
      const more = () => void (socket.destroyed || socket.write("x".repeat(10_000), more));
      more();
    });
    const answer = await get(url);
    expect([answer.status, answer.headers.get("retry-after"), answer.body.length]).toEqual([404, "5", 0]);
  });
});

describe("it fails where", () => {
  test.each<[string, Say, RegExp, typeof Unreachable]>([
    ["the length announced is too much", (socket) => socket.write(ok("content-length: 1001", "x")), /longer than 1,000 bytes/, TooLong],
    ["it never ends", endless("connection: close"), /longer than 1,000 bytes/, TooLong],
    ["the chunks have no end", endless("transfer-encoding: chunked", chunked("x".repeat(100))), /longer than 1,000 bytes/, TooLong],
    [
      "little becomes much when it is unpacked",
      (socket) => socket.end(ok("content-encoding: gzip", gzipSync("x".repeat(500_000)))),
      /longer than 1,000 bytes/,
      TooLong,
    ],
    ["it is cut off", (socket) => socket.end(ok("content-length: 9", "x")), /closed before the response was complete/, Unreachable],
    [
      "it is cut off in a chunk",
      (socket) => socket.end(ok("transfer-encoding: chunked", "5\r\nhel")),
      /closed before the response was complete/,
      Unreachable,
    ],
    [
      "the last chunk is missing",
      (socket) => socket.end(ok("transfer-encoding: chunked", chunked("a"))),
      /closed before the response was complete/,
      Unreachable,
    ],
    ["a chunk has no size", (socket) => socket.end(ok("transfer-encoding: chunked", "xyz\r\n")), /valid HTTP/, Unreachable],
    ["a chunk is longer than it says", (socket) => socket.end(ok("transfer-encoding: chunked", "1\r\nabc\r\n")), /valid HTTP/, Unreachable],
    ["a length isn't a number", (socket) => socket.end(ok("content-length: -1", "abc")), /valid HTTP/, Unreachable],
    [
      "it has an unsupported compression",
      (socket) => socket.end(ok("content-encoding: br", "abc")),
      /unsupported compression/,
      Unreachable,
    ],
    ["what is packed is broken", (socket) => socket.end(ok("content-encoding: gzip", "no gzip")), /can't be decompressed/, Unreachable],
    [
      "what is packed ends early",
      (socket) => socket.end(ok("content-encoding: gzip", gzipSync("x").subarray(0, 12))),
      /can't be decompressed/,
      Unreachable,
    ],
    ["nothing is said", () => {}, /no response within 1 s/, TooSlow],
    ["it stops in the middle", (socket) => socket.write(ok("content-length: 9", "x")), /no response within 1 s/, TooSlow],
    [
      "it comes a sign at a time",
      (socket) => (socket.write(ok("content-length: 900", "x")), void setInterval(() => socket.write("x"), 30).unref()),
      /no response within 1 s/,
      TooSlow,
    ],
    [
      "what is packed stops in the middle",
      (socket) => socket.write(ok("content-encoding: gzip", gzipSync("x").subarray(0, 12))),
      /no response within 1 s/,
      TooSlow,
    ],
    [
      "it redirects in a loop",
      (socket) => socket.end("HTTP/1.1 302 Go\r\nlocation: /again\r\n\r\n"),
      /redirects too many times/,
      Unreachable,
    ],
    [
      "it redirects to another protocol",
      (socket) => socket.end("HTTP/1.1 302 Go\r\nlocation: file:///etc/passwd\r\n\r\n"),
      /https/,
      NotPublic,
    ],
    [
      "it redirects to an invalid URL",
      (socket) => socket.end("HTTP/1.1 302 Go\r\nlocation: http://[\r\n\r\n"),
      /redirects to an invalid URL/,
      Unreachable,
    ],
  ])("%s", async (_, say, reason, kind) => {
    const url = await serving(say);
    const timeoutMs = kind === TooSlow ? 600 : 15_000;
    const refusal: unknown = await get(url, { timeoutMs }).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(kind);
    expect((refusal as Error).message).toMatch(reason);
  });
});

function endless(header: string, piece = "x".repeat(100)): Say {
  return (socket) => {
    socket.write(ok(header, ""));
    const more = () => void (socket.destroyed || socket.write(piece, more));
    more();
  };
}

describe("a redirect", () => {
  const leading = (...to: string[]): Say => {
    return (socket, _, times) =>
      socket.end(times <= to.length ? `HTTP/1.1 ${times === 1 ? 301 : 307} Go\r\nlocation: ${to[times - 1]}\r\n\r\n` : ok("x: y", "there"));
  };

  test("is followed three times, with credentials on the same origin", async () => {
    const url = await serving(leading("/a", "b?c=d", "/e"));
    const answer = await get(`${url}/x`, { credentials: { authorization: "Bearer secret" } });
    expect([text(answer.body), answer.url.href]).toEqual(["there", `${url}/e`]);
    expect(heard.map((head) => head.split(" ")[1])).toEqual(["/x", "/a", "/b?c=d", "/e"]);
    expect(heard.filter((head) => head.includes("secret"))).toHaveLength(4);
  });

  test("to another origin drops the credentials for good", async () => {
    const url = await serving((socket, _, times) => leading(url.replace("127.0.0.1", "localhost"), `${url}/back`)(socket, _, times));
    await get(url, { credentials: { authorization: "Bearer secret" }, headers: { accept: "x" } });
    expect(heard.map((head) => [head.includes("secret"), head.includes("accept: x")])).toEqual([
      [true, true],
      [false, true],
      [false, true],
    ]);
  });

  test("of a POST isn't followed", async () => {
    const url = await serving(leading("/elsewhere"));
    expect((await get(url, { body: new TextEncoder().encode("key") })).status).toBe(301);
    expect(heard).toHaveLength(1);
  });
});

describe("on the internet", () => {
  const names = {
    "A feeds.example": [["8.8.8.8"]],
    "A other.example": [["9.9.9.9"]],
    "A inside.example": [["10.0.0.7"]],
    "A rebound.example": [["8.8.4.4"], ["127.0.0.1"]],
  };
  const publicly = async (url: string, say: Say, timeoutMs = 15_000) => {
    const port = Number(new URL(await serving(say)).port);
    const internet = nodeNetwork(structuredClone(names), { asked, connected }, { port });
    return await fetchPublicUrl(internet, { url: new URL(url), maxBytes: 1_000 }, { toPrivate: false, timeoutMs: timeoutMs });
  };
  const to = (location: string): Say => {
    return (socket, _, times) => socket.end(times === 1 ? `HTTP/1.1 302 Go\r\nlocation: ${location}\r\n\r\n` : ok("x: y", "there"));
  };

  test("a redirect is resolved, and connects to that address", async () => {
    const answer = await publicly("https://feeds.example/", to("https://other.example/feed"));
    expect([text(answer.body), answer.url.href]).toEqual(["there", "https://other.example/feed"]);
    expect(connected).toEqual(["8.8.8.8", "9.9.9.9"]);
  });

  test.each([
    ...["http://other.example/", "https://127.0.0.1/", "https://10.1.2.3/", "https://169.254.169.254/latest/meta-data/", "https://[::1]/"],
    ...["https://inside.example/", "https://localhost/", "https://other.example:22/", "//inside.example/", "https://2130706433/"],
  ])("a redirect to %s is not followed", async (location) => {
    await expect(publicly("https://feeds.example/", to(location))).rejects.toThrow(NotPublic);
    expect(connected).toEqual(["8.8.8.8"]);
    expect(heard).toHaveLength(1);
  });

  test("a name that resolves to this machine later is rejected", async () => {
    await expect(publicly("https://rebound.example/", to("https://rebound.example/again"))).rejects.toThrow("private network");
    expect(connected).toEqual(["8.8.4.4"]);
    expect(asked.filter((name) => name.startsWith("A "))).toEqual(["A rebound.example", "A rebound.example"]);
  });

  test.each(["https://inside.example/", "https://192.168.0.1/x.png", "http://feeds.example/", "ftp://feeds.example/"])(
    "%s isn't requested",
    async (url) => {
      await expect(publicly(url, to("/"))).rejects.toThrow(NotPublic);
      expect(connected).toEqual([]);
    },
  );
});
