import net from "node:net";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { nodeNetwork } from "../../../tests/support/node-network.ts";
import { postPublicUrl } from "./post-public-url.ts";
import { isPublicAddress, type Network, publicAddresses, requirePublicUrl } from "./network.ts";

const asked: string[] = [];
const connected: string[] = [];
const network = (names: Record<string, string[][]> = {}) => nodeNetwork(names, { asked, connected });

let server: net.Server | undefined;
const sockets = new Set<net.Socket>();
afterEach(() => {
  asked.length = connected.length = 0;
  for (const socket of sockets) socket.destroy();
  server?.close();
});

async function saying(say: (socket: net.Socket) => void): Promise<{ url: URL; heard: () => string }> {
  let heard = "";
  server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("data", (piece: Buffer) => {
      const before = heard;
      heard += piece.toString();
      if (!before.endsWith("{}") && heard.endsWith("{}")) say(socket);
    });
  });
  await new Promise<void>((resolve) => server!.listen(0, "127.0.0.1", resolve));
  return { url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?a=1`), heard: () => heard };
}
const body = new TextEncoder().encode("{}");
const post = (url: URL, timeoutMs = 10_000, headers: Record<string, string> = {}) =>
  postPublicUrl(network(), { url, headers, body }, { toPrivate: true, timeoutMs: timeoutMs });
const answering = async (bytes: string | Buffer, timeoutMs?: number) => {
  const { url } = await saying((socket) => socket.end(bytes));
  return await post(url, timeoutMs);
};

describe("a response", () => {
  test("is read over a plain connection, from a valid HTTP request", async () => {
    const { url, heard } = await saying((socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok and more"));
    expect(await post(url, 10_000, { "webhook-id": "msg" })).toMatchObject({ status: 200, answer: "ok", after: undefined });
    expect(heard()).toMatch(/^POST \/hook\?a=1 HTTP\/1\.1\r\nhost: 127\.0\.0\.1:\d+\r\nwebhook-id: msg\r\ncontent-length: 2\r\n/);
  });

  test.each([
    [
      "chunks",
      "HTTP/1.1 500 No\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhe l\r\n3;x=y\r\nlo!\r\n0\r\n\r\n",
      { status: 500, answer: "he llo!" },
    ],
    ["no length, until the end", "HTTP/1.0 404 No\r\n\r\nnot here", { status: 404, answer: "not here" }],
    ["no body", "HTTP/1.1 204 Nothing\r\n\r\n", { status: 204, answer: "" }],
    ["interim answers before it", "HTTP/1.1 100 Go on\r\n\r\nHTTP/1.1 103 Hints\r\n\r\nHTTP/1.1 202 Later\r\n\r\n", { status: 202 }],
    ["a wish to be left alone", "HTTP/1.1 429 Slow\r\nRetry-After: 120\r\n\r\n", { status: 429, after: 120 }],
    ["a wish of a year, which is a day", "HTTP/1.1 503 Slow\r\nretry-after: 31536000\r\n\r\n", { status: 503, after: 86_400 }],
    ["a wish that is none", "HTTP/1.1 503 Slow\r\nretry-after: soon\r\n\r\n", { status: 503, after: undefined }],
    ["a redirect, which is not followed", "HTTP/1.1 301 Moved\r\nlocation: http://127.0.0.1/\r\n\r\n", { status: 301 }],
    ["chunks that lie about their length", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nffffffffff\r\nabc", { answer: "abc" }],
    ["signs that Postgres does not take", "HTTP/1.1 200 OK\r\n\r\na\0b\u001b[31mc\ud83d", { answer: "ab[31mc\ufffd" }],
  ])("with %s is understood", async (_, bytes, answer) => expect(await answering(bytes)).toMatchObject(answer));

  test("returns Retry-After as a date in seconds", async () => {
    const { after } = await answering(`HTTP/1.1 503 x\r\nretry-after: ${new Date(Date.now() + 90_000).toUTCString()}\r\n\r\n`);
    expect(after).toBeGreaterThan(80);
    expect(after).toBeLessThanOrEqual(90);
  });

  test("of 10 MB is truncated: 2 kB are kept, at most 64 kB read", async () => {
    let closed = -1;
    const { url } = await saying((socket) => {
      socket.on("close", () => (closed = socket.bytesWritten));
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 10000000\r\n\r\n");
      const more = () => void (socket.destroyed || socket.write("é".repeat(32_000), more));
      more();
    });
    const { status, answer } = await post(url, 10_000);
    expect(status).toBe(200);
    expect(new TextEncoder().encode(answer).length).toBeLessThanOrEqual(2_048);
    await expect.poll(() => closed).toBeGreaterThan(0);
    expect(closed).toBeLessThan(10_000_000);
  });

  test("that never ends counts by its status after two seconds", async () => {
    const { url } = await saying((socket) => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nbegun"));
    const { status, answer, ms } = await post(url, 20_000);
    expect([status, answer]).toEqual([200, "begun"]);
    expect(ms).toBeLessThan(15_000);
  });
});

describe("it fails where", () => {
  test.each<[string, (socket: net.Socket) => void, RegExp]>([
    ["the connection is reset", (socket) => socket.resetAndDestroy(), /./],
    ["it is closed at once", (socket) => socket.end(), /closed before a response/],
    ["it is closed within the head", (socket) => socket.end("HTTP/1.1 200 OK\r\ncont"), /closed before a response/],
    ["it isn't HTTP", (socket) => socket.end("SSH-2.0-OpenSSH_9.6\r\n\r\n"), /valid HTTP/],
    ["it is HTTP/2", (socket) => socket.end("HTTP/2 200\r\n\r\n"), /valid HTTP/],
    [
      "the head has no end",
      (socket) => void (socket.write("HTTP/1.1 200 OK\r\n"), socket.end("x: y\r\n".repeat(5_000))),
      /longer than 16 kB/,
    ],
    ["there are only announcements", (socket) => socket.end("HTTP/1.1 100 Go on\r\n\r\n".repeat(9)), /only interim responses/],
  ])("%s", async (_, say, reason) => {
    const { url } = await saying(say);
    await expect(post(url)).rejects.toThrow(reason);
  });

  test.each<[string, (socket: net.Socket) => void]>([
    ["nothing comes", () => {}],
    ["the head comes a sign at a time", (socket) => void setInterval(() => socket.write("x"), 50).unref()],
  ])("%s", async (_, say) => {
    const { url } = await saying(say);
    await expect(post(url, 700)).rejects.toThrow("no response within 1 s");
  });

  test("the host is down", async () => {
    const { url } = await saying(() => {});
    await new Promise((resolve) => server!.close(resolve));
    await expect(post(url)).rejects.toThrow("ECONNREFUSED");
  });

  test("a header contains a line break", async () => {
    const { url, heard } = await saying((socket) => socket.end("HTTP/1.1 200 OK\r\n\r\n"));
    await expect(post(url, 10_000, { "webhook-id": "a\r\nx: y" })).rejects.toThrow("be used in a request");
    expect(heard()).toBe("");
  });
});

test.each([
  ...["127.0.0.1", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "198.18.0.1", "192.0.2.1"],
  ...["192.88.99.1", "203.0.113.9", "224.0.0.1", "240.0.0.1", "255.255.255.255"],
  ...["::1", "::", "::7f00:1", "::127.0.0.1", "::ffff:7f00:1", "::ffff:10.0.0.1", "fd00::1", "fe80::1", "fec0::1", "ff02::1"],
  ...["64:ff9b::a00:1", "64:ff9b:1::1", "2002:a00:1::", "2001:db8::1", "2001::1", "3fff::1", "5f00::1", "100::1", "4000::1"],
  ...["localhost", "", "1", "127.1"],
])("%s isn't a public address", (address) => expect(isPublicAddress(address)).toBe(false));

test.each(["8.8.8.8", "1.1.1.1", "2606:4700::1111", "::ffff:8.8.8.8"])("%s is a public address", (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test.each([
  ...["http://hooks.example/", "ftp://hooks.example/", "https://hooks.example:444/", "https://hooks.example:22/"],
  ...["https://127.0.0.1/", "https://127.1/", "https://0x7f.1/", "https://2130706433/", "https://017700000001/", "https://10.0.0.1/"],
  ...["https://[::1]/", "https://[::ffff:7f00:1]/", "https://[::ffff:127.0.0.1]/", "https://[::7f00:1]/", "https://169.254.169.254/latest"],
  ...[
    "https://localhost/",
    "https://localhost./",
    "https://LOCALHOST./",
    "https://a.localhost/",
    "https://intranet/",
    "https://db.internal/",
  ],
  ...["https://printer.local./", "https://router.lan/", "https://１２７.0.0.1/"],
])("the address %s is rejected", (url) => {
  expect(() => requirePublicUrl(new URL(url))).toThrow();
});

describe("a name", () => {
  const find = (names: Record<string, string[][]>, url = "https://hooks.example/") =>
    publicAddresses(network(names), new URL(url), AbortSignal.timeout(1_000));

  test("is resolved for both address families, without the trailing dot", async () => {
    const names = { "A hooks.example": [["8.8.8.8"]], "AAAA hooks.example": [["2606:4700::1111"]] };
    expect(await find(names, "https://hooks.example.:8443/")).toEqual(["8.8.8.8", "2606:4700::1111"]);
    expect(asked).toEqual(["A hooks.example", "AAAA hooks.example"]);
  });

  test.each(["127.0.0.1", "10.0.0.1", "::1", "::ffff:7f00:1", "169.254.169.254", "not an address"])(
    "behind which there is %s, even beside others, is refused",
    async (address) => {
      const kind = address.includes(":") ? "AAAA" : "A";
      const names: Record<string, string[][]> = { "A hooks.example": [["8.8.8.8"]] };
      names[`${kind} hooks.example`] = [["8.8.4.4", address].filter((one) => kind === "A" || one === address)];
      await expect(find(names)).rejects.toThrow("private network");
    },
  );

  test("distinguishes an unknown name from a DNS failure", async () => {
    await expect(find({})).rejects.toThrow("Domain not found");
    const dead: Network = { ...network(), resolve: () => Promise.reject(new Error("SERVFAIL")) };
    await expect(publicAddresses(dead, new URL("https://hooks.example/"), AbortSignal.timeout(100))).rejects.toThrow("didn't answer");
  });

  test("DNS rebinding: a name that resolves to this machine later never connects to it", async () => {
    const { url } = await saying((socket) => socket.end("HTTP/1.1 200 OK\r\n\r\n"));
    const names = { "A hooks.example": [["8.8.8.8"], ["127.0.0.1"]] };
    const rebinding = network(names);
    const send = () =>
      postPublicUrl(rebinding, { url: new URL(`https://hooks.example/`), headers: {}, body }, { toPrivate: false, timeoutMs: 500 });
    expect(url.hostname).toBe("127.0.0.1");
    await expect(send()).rejects.toThrow();
    expect(connected).toEqual(["8.8.8.8"]);
    expect(asked).toHaveLength(2);
    await expect(send()).rejects.toThrow("private network");
    expect(connected).toEqual(["8.8.8.8"]);
  });
});
