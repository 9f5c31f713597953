import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { Concurrency } from "./concurrency.ts";
import { SharedCache } from "./shared-cache.ts";

vi.hoisted(() => vi.stubGlobal("Deno", { createHttpClient: () => ({}) }));
const module = "handler"; // not type-checked: tsc has no Deno types
const { createHandler } = (await import(`../gateway/${module}.ts`)) as {
  createHandler(parts: object, log: (line: { status: number }) => void): (request: Request, info: object) => Promise<Response>;
};

const soon = () => new Promise((resolve) => setTimeout(resolve, 5));

let asked: Headers[] = [];
const errors = vi.spyOn(console, "error").mockReturnValue();
beforeEach(() => {
  asked = [];
  errors.mockClear();
  vi.stubGlobal("fetch", (_: string, { headers }: RequestInit) => {
    asked.push(new Headers(headers));
    return new Promise(() => {});
  });
});
afterEach(() => vi.unstubAllGlobals());
const unhandled: unknown[] = [];
const tellOf = (reason: unknown) => void unhandled.push(reason);
beforeAll(() => void process.on("unhandledRejection", tellOf));
afterAll(() => void process.off("unhandledRejection", tellOf));

interface Asking {
  signal?: AbortSignal | null;
  method?: string;
  headers?: Record<string, string>;
}

function gateway({ full = false } = {}) {
  const served: string[] = [];
  const sent: (number | undefined)[] = [];
  const parts = {
    functionPort: () => 1,
    pages: new SharedCache(),
    concurrency: { functions: new Concurrency("functions"), services: new Concurrency("services") },
    isDiskFull: async () => full,
    async service(_: Request, address: string) {
      served.push(address);
      return Response.json({});
    },
    async realtime(_: Request, __: string, body: Uint8Array | null) {
      sent.push(body?.byteLength);
      await soon();
      return Response.json({});
    },
    ...{
      publicUrl: "http://localhost:3000",
      listensOn: "127.0.0.1",
      isFrontDoor: (peer: string) => peer === "127.0.0.1",
      trustedProxies: 1,
      vitePort: null,
    },
  };
  const lines: number[] = [];
  const handle = createHandler(parts, ({ status }) => void lines.push(status));
  const info = { remoteAddr: { hostname: "127.0.0.1" } };
  const ask = (host: string, address: string, path = "/releases", { signal = null, method = "GET", headers = {} }: Asking = {}) =>
    handle(new Request(`http://${host}${path}`, { method, headers: { host, "x-forwarded-for": address, ...headers }, signal }), info);
  const broadcast = (address: string, body: string) => {
    const headers = { host: "localhost", "x-forwarded-for": address, "content-length": String(body.length) };
    return handle(new Request("http://localhost/realtime/v1/api/broadcast", { method: "POST", headers, body }), info);
  };
  return { ask, broadcast, lines, served, sent };
}

async function settled(count: number) {
  await vi.waitFor(() => expect(asked.length).toBeGreaterThanOrEqual(count), { timeout: 10_000 });
  await soon();
}

describe("requests under way at once", () => {
  test("are eight of one address, of IPv6 of one network, and each address is told to the functions", async () => {
    const { ask } = gateway();
    for (let at = 0; at < 60; at++) void ask("acme.localhost", `2001:db8::${at.toString(16)}`);
    await soon();
    const first = Array.from({ length: 8 }, (_, at) => `2001:db8::${at.toString(16)}`);
    expect(asked.map((headers) => headers.get("x-forwarded-for"))).toEqual(first);
    void ask("acme.localhost", "2001:db8:0:1::1");
    await settled(9);
    expect(asked).toHaveLength(9);
  });

  test.each([
    ["a token", (name: string) => ({ authorization: `Bearer ${name}` })],
    ["a cookie", (name: string) => ({ cookie: `session=${name}` })],
  ])("are limited to six per person, known by %s, from any address", async (_, by) => {
    const { ask } = gateway();
    for (let at = 0; at < 20; at++) void ask("localhost", `192.0.2.${at}`, "/api/posts/1", { headers: by("a") });
    await settled(6);
    expect(asked).toHaveLength(6);
    for (let at = 0; at < 20; at++) void ask("localhost", "192.0.2.100", "/api/posts/1", { headers: by("b") });
    await settled(12);
    expect(asked).toHaveLength(12);
    void ask("localhost", "192.0.2.100", "/api/posts/1", { headers: by("c") }); // b's waiting requests take no slots of the address
    await settled(13);
    expect(asked).toHaveLength(13);
  });

  test("are limited per originating person for calls of functions", async () => {
    const { ask } = gateway();
    for (let at = 0; at < 60; at++) void ask("localhost", "127.0.0.1", "/api/posts/1", { headers: { authorization: `Bearer ${at}` } });
    await settled(60);
    expect(asked).toHaveLength(60);
  });
});

test("services get the address, not its network", async () => {
  const { ask, served } = gateway();
  await ask("localhost", "2001:db8::7", "/auth/v1/settings");
  expect(served).toEqual(["2001:db8::7"]);
});

test("an upload to a full disk is rejected in Storage's format; reading and listing work", async () => {
  const { ask, served } = gateway({ full: true });
  const object = "/storage/v1/object/logos/a.png";
  for (const method of ["POST", "PUT"]) {
    const answer = await ask("localhost", "192.0.2.1", object, { method });
    expect([answer.status, await answer.json()]).toEqual([
      507,
      {
        statusCode: "507",
        error: "storage_full",
        message: "There's no space left on this server. Tell your administrator, and try again later.",
      },
    ]);
  }
  expect(served).toEqual([]);
  for (const method of ["GET", "DELETE"]) await ask("localhost", "192.0.2.1", object, { method });
  expect(served).toHaveLength(2);
});

test("an HTTP broadcast has the same limit and reaches Realtime as a whole", async () => {
  const { ask, broadcast, sent } = gateway();
  const answers = Array.from({ length: 300 }, (_, at) => broadcast("192.0.2.1", "x".repeat(20_000 + at)));
  await soon();
  expect(sent.length).toBeLessThan(100);
  expect((await ask("localhost", "192.0.2.2", "/realtime/v1/websocket")).status).toBe(200);
  const statuses = (await Promise.all(answers)).map(({ status }) => status);
  expect([statuses.filter((status) => status === 200).length > 100, statuses.filter((status) => status === 429).length > 0]).toEqual([
    true,
    true,
  ]);
  expect(sent).toContain(20_000);
});

describe.each([
  ["to read", "acme.localhost", "/releases"],
  ["for a name that nobody may know", "changes.example", "/releases"],
])("who waits %s", (_, host, path) => {
  const busy = async () => {
    const made = gateway();
    for (let at = 0; at < 8; at++) void made.ask(host, "2001:db8::1", path);
    await soon();
    return made;
  };

  test("behind two hundred of the same address is rejected, other addresses aren't", async () => {
    const { ask } = await busy();
    for (let at = 0; at < 200; at++) void ask(host, "2001:db8::2", path);
    const refused = await ask(host, "2001:db8::3", path);
    expect([refused.status, refused.headers.get("retry-after"), (await refused.json()).code]).toEqual([429, "1", "rate_limited"]);
    void ask(host, "192.0.2.9", path);
    await soon();
    expect([asked.length, errors.mock.calls]).toEqual([9, []]);
  });

  test("and disconnects isn't forwarded, and isn't an error", async () => {
    const { ask, lines } = await busy();
    const client = new AbortController();
    const gone = Array.from({ length: 200 }, () => ask(host, "2001:db8::1", path, { signal: client.signal }));
    await soon();
    client.abort();
    expect(new Set((await Promise.all(gone)).map(({ status }) => status))).toEqual(new Set([499]));
    expect([asked.length, lines.length, errors.mock.calls]).toEqual([8, 200, []]);
  });
});

test.each(["GET", "POST"])("a %s without a response within a minute times out and is logged once", async (method) => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  vi.stubGlobal("fetch", (_: string, { signal }: RequestInit) => {
    return new Promise((_resolve, reject) => signal!.addEventListener("abort", () => reject(signal!.reason as Error)));
  });
  const { ask } = gateway();
  const answer = ask("acme.localhost", "192.0.2.1", "/releases/widget/config", { method });
  await vi.advanceTimersByTimeAsync(59_000);
  const early = await Promise.race([answer, Promise.resolve("not yet")]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect([early, (await answer).status, unhandled]).toEqual(["not yet", 503, []]);
});
