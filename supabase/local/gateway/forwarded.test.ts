import { expect, test } from "vitest";
import { forwardedHeaders } from "./forwarded.ts";

const forwarded = { requestId: "request-1", host: "acme.localhost", clientAddress: "10.0.0.1", scheme: "https" } as const;

test("forwardedHeaders sets the gateway's values and drops secrets of functions", () => {
  const sent = new Headers({
    "x-forwarded-for": "10.9.9.9",
    "x-request-id": "made-up-by-a-client",
    forwarded: "for=10.9.9.9",
    connection: "close, x-hop",
    "x-hop": "1",
    authorization: "Bearer a.b.c",
  });
  expect(Object.fromEntries(forwardedHeaders(sent, forwarded))).toEqual({
    authorization: "Bearer a.b.c",
    "x-request-id": "request-1",
    "x-forwarded-host": "acme.localhost",
    "x-forwarded-proto": "https",
    "x-forwarded-for": "10.0.0.1",
  });
});
