import { expect, test } from "vitest";
import { jsonBodyMaxBytes, multipartBodyMaxBytes } from "#contract/limits.ts";
import { bodyLimitOf, limitBody } from "../../supabase/local/gateway/body-limit.ts";
import { forwardedHeaders } from "../../supabase/local/gateway/forwarded.ts";

test.each(["application/json", "application/json; charset=utf-8", "text/plain", "application/x-www-form-urlencoded", "", null])(
  "%s may be as large as a JSON call",
  (type) => expect(bodyLimitOf(type)).toBe(jsonBodyMaxBytes),
);
test.each(["multipart/form-data; boundary=x", "image/png", "application/octet-stream"])("%s may be as large as a file", (type) =>
  expect(bodyLimitOf(type)).toBe(multipartBodyMaxBytes),
);

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
  expect(limitBody(post("{}", { "content-length": String(jsonBodyMaxBytes + 1) }))).toBeNull());

test("a body without a length is cut off where it grows too large", async () => {
  const body = limitBody(post(streamOf(jsonBodyMaxBytes + 1)));
  await expect(new Response(body?.stream).arrayBuffer()).rejects.toThrow();
  expect(body?.exceeded()).toBe(true);
});

test("a body at the limit passes whole", async () => {
  const body = limitBody(post(streamOf(jsonBodyMaxBytes)));
  expect((await new Response(body?.stream).arrayBuffer()).byteLength).toBe(jsonBodyMaxBytes);
  expect(body?.exceeded()).toBe(false);
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
