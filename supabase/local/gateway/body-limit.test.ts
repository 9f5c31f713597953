import { expect, test } from "vitest";
import { jsonBodyMaxBytes, mcpBodyMaxBytes, multipartBodyMaxBytes } from "#contract/body-limits.ts";
import { bodyLimitOf, limitBody } from "./body-limit.ts";
import { forwardedHeaders } from "./forwarded.ts";

test.each(["application/json", "application/json; charset=utf-8", "text/plain", "application/x-www-form-urlencoded", "", null])(
  "%s may be as large as a JSON call",
  (type) => expect(bodyLimitOf(type, "/api/posts")).toBe(jsonBodyMaxBytes),
);
test.each(["multipart/form-data; boundary=x", "image/png", "application/octet-stream"])("%s may be as large as a file", (type) =>
  expect(bodyLimitOf(type, "/api/images")).toBe(multipartBodyMaxBytes),
);
test("an assistant's message may hold an image, and nothing else may that is JSON", () => {
  expect(bodyLimitOf("application/json", "/api/mcp")).toBe(mcpBodyMaxBytes);
  for (const path of ["/api/mcp/", "/api/mcpx", "/", "/api/v1/posts"]) expect(bodyLimitOf("application/json", path)).toBe(jsonBodyMaxBytes);
});

const streamOf = (bytes: number) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (let left = bytes; left > 0; left -= 65_536) controller.enqueue(new Uint8Array(Math.min(left, 65_536)));
      controller.close();
    },
  });
const post = (body: BodyInit, headers: Record<string, string> = {}) =>
  new Request("http://localhost/", {
    method: "POST",
    body,
    headers: { "content-type": "application/json", ...headers },
    duplex: "half",
  } as RequestInit);

test("a body that says it is too large is refused unread", () =>
  expect(limitBody(post("{}", { "content-length": String(jsonBodyMaxBytes + 1) }), "a")).toBeNull());

test("a body without a length is cut off where it grows too large", async () => {
  const body = limitBody(post(streamOf(jsonBodyMaxBytes + 1)), "a");
  await expect(new Response(body?.stream).arrayBuffer()).rejects.toThrow();
  expect(body?.exceeded()).toBe(true);
});

test("a body at the limit passes whole", async () => {
  const body = limitBody(post(streamOf(jsonBodyMaxBytes)), "a");
  expect((await new Response(body?.stream).arrayBuffer()).byteLength).toBe(jsonBodyMaxBytes);
  expect(body?.exceeded()).toBe(false);
});

/** Some bytes, and then nothing more. */
const half = (bytes: number) => new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(new Uint8Array(bytes)) });

test.each([
  ["a short body", post(half(10), { "content-length": "100" })],
  ["a long body", post(half(10), { "content-length": "100000" })],
  ["a body without a length", post(half(10))],
])("%s that stops coming is given up", async (_, request) => {
  const body = limitBody(request, "a", 40);
  await expect(body?.bytes()).rejects.toThrow("stopped coming");
  expect([body?.stalled(), body?.exceeded()]).toEqual([true, false]);
});

test.each([
  ["a short body", half(10), 100],
  ["a long body", half(10), 100_000],
  ["a body that waits for its turn", streamOf(100_000), 100_000],
])("%s ends at once when its sender disconnects", async (_, stream, length) => {
  const connection = new AbortController();
  const { pace } = held();
  const sent = post(stream, { "content-type": "image/png", "content-length": String(length) });
  const body = limitBody(new Request(sent, { signal: connection.signal }), "a", 3_600_000, pace)!;
  const read = body.bytes();
  connection.abort(new Error("disconnected"));
  await expect(read).rejects.toThrow("disconnected");
  expect([body.stalled(), body.exceeded()]).toEqual([false, false]);
});

test("a body that comes slowly, but goes on, is waited for", async () => {
  let left = 12;
  const slow = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      if (left-- > 0) controller.enqueue(new Uint8Array(1));
      else controller.close();
    },
  });
  const body = limitBody(post(slow), "a", 120);
  expect((await body?.bytes())?.byteLength).toBe(12);
  expect(body?.stalled()).toBe(false);
});

/** Of a pace that lets nobody go on until it is told to: who waits. */
function held() {
  const waiting: { who: string; bytes: number; goOn: () => void }[] = [];
  const take = (who: string, bytes: number) => new Promise<void>((goOn) => void waiting.push({ who, bytes, goOn }));
  return { pace: { take }, waiting };
}
const ofFile = (bytes: number) => post(streamOf(bytes), { "content-type": "image/png", "content-length": String(bytes) });

test("a long body comes in piece by piece, as fast as those of all together may", async () => {
  const { pace, waiting } = held();
  const read = limitBody(ofFile(100_000), "a", 30_000, pace)!.bytes();
  await expect.poll(() => waiting.map(({ who, bytes }) => [who, bytes])).toEqual([["a", 65_536]]);
  waiting[0]!.goOn();
  await expect.poll(() => waiting.length).toBe(2);
  waiting[1]!.goOn();
  expect((await read).byteLength).toBe(100_000);
});

test("one of an ordinary length waits for no turn", async () => {
  const { pace, waiting } = held();
  expect((await limitBody(ofFile(60_000), "a", 30_000, pace)!.bytes()).byteLength).toBe(60_000);
  expect(waiting).toEqual([]);
});

test("who waits for a turn is not said to have stopped sending", async () => {
  const { pace, waiting } = held();
  const body = limitBody(ofFile(100_000), "a", 20, pace)!;
  const read = body.bytes();
  await expect.poll(() => waiting.length).toBe(1);
  await new Promise((resolve) => setTimeout(resolve, 60)); // three times the silence that a sender may keep
  expect(body.stalled()).toBe(false);
  waiting[0]!.goOn();
  await expect.poll(() => waiting.length).toBe(2);
  waiting[1]!.goOn();
  expect((await read).byteLength).toBe(100_000);
});

test("what a client says about itself is replaced by what the gateway knows", () => {
  const sent = new Headers({
    "x-forwarded-for": "6.6.6.6",
    "x-forwarded-host": "evil.example",
    "x-request-id": "mine",
    forwarded: "for=6.6.6.6",
    "x-real-ip": "6.6.6.6",
    "sb-forwarded-for": "6.6.6.6",
    connection: "keep-alive, x-secret-hop",
    "x-secret-hop": "1",
    cookie: "a=b",
    authorization: "Bearer t",
  });
  const headers = Object.fromEntries(
    forwardedHeaders(sent, { requestId: "id-1", host: "acme.localhost:3000", clientAddress: "127.0.0.1", scheme: "http" }),
  );
  expect(headers).toEqual({
    cookie: "a=b",
    authorization: "Bearer t",
    "x-request-id": "id-1",
    "x-forwarded-host": "acme.localhost:3000",
    "x-forwarded-proto": "http",
    "x-forwarded-for": "127.0.0.1",
  });
});
