import { expect, test } from "vitest";
import { jsonBodyMaxBytes, mcpBodyMaxBytes, multipartBodyMaxBytes } from "#contract/body-limits.ts";
import { bodyLimitOf, limitBody } from "./body-limit.ts";
import { forwardedHeaders } from "./forwarded.ts";

test.each(["application/json", "application/json; charset=utf-8", "text/plain", "application/x-www-form-urlencoded", "", null])(
  "%s has the limit of a JSON call",
  (type) => expect(bodyLimitOf(type, "/api/posts")).toBe(jsonBodyMaxBytes),
);
test.each(["multipart/form-data; boundary=x", "image/png", "application/octet-stream"])("%s has the limit of a file", (type) =>
  expect(bodyLimitOf(type, "/api/images")).toBe(multipartBodyMaxBytes),
);
test("only an assistant's JSON can be as large as an image", () => {
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

test("a body with a Content-Length over the limit is rejected unread", () =>
  expect(limitBody(post("{}", { "content-length": String(jsonBodyMaxBytes + 1) }))).toBeNull());

test("a body without a Content-Length is cut off at the limit", async () => {
  const body = limitBody(post(streamOf(jsonBodyMaxBytes + 1)));
  await expect(new Response(body?.stream).arrayBuffer()).rejects.toThrow();
  expect(body?.exceeded()).toBe(true);
});

test("a body at the limit passes", async () => {
  const body = limitBody(post(streamOf(jsonBodyMaxBytes)));
  expect((await new Response(body?.stream).arrayBuffer()).byteLength).toBe(jsonBodyMaxBytes);
  expect(body?.exceeded()).toBe(false);
});

const half = (bytes: number) => new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(new Uint8Array(bytes)) });

test.each([
  ["a short body", post(half(10), { "content-length": "100" })],
  ["a long body", post(half(10), { "content-length": "100000" })],
  ["a body without a length", post(half(10))],
])("%s that stalls times out", async (_, request) => {
  const body = limitBody(request, 40);
  await expect(body?.bytes()).rejects.toThrow("stopped arriving");
  expect([body?.stalled(), body?.exceeded()]).toEqual([true, false]);
});

test.each([
  ["a short body", half(10), 100],
  ["a long body", half(10), 100_000],
])("%s ends when its sender disconnects", async (_, stream, length) => {
  const connection = new AbortController();
  const sent = post(stream, { "content-type": "image/png", "content-length": String(length) });
  const body = limitBody(new Request(sent, { signal: connection.signal }), 3_600_000)!;
  const read = body.bytes();
  connection.abort(new Error("disconnected"));
  await expect(read).rejects.toThrow("disconnected");
  expect([body.stalled(), body.exceeded()]).toEqual([false, false]);
});

test("a slow body that keeps coming is awaited", async () => {
  let left = 12;
  const slow = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      if (left-- > 0) controller.enqueue(new Uint8Array(1));
      else controller.close();
    },
  });
  const body = limitBody(post(slow), 120);
  expect((await body?.bytes())?.byteLength).toBe(12);
  expect(body?.stalled()).toBe(false);
});

test("forwarded headers of a client are overwritten", () => {
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
