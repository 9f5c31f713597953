import { Hono } from "hono";
import { expect, test } from "vitest";
import { z } from "zod";
import { endpoint } from "#contract/endpoint.ts";
import { describeApi } from "#contract/openapi/describe-api.ts";
import type { Env } from "./env.ts";
import { type ApiVariables, createBinder } from "./handle.ts";

const link = "https://tidings.example/docs/api#versions";
const old = endpoint("GET /api/v1/old", {
  summary: "An old call",
  access: "public",
  deprecated: { since: "2026-12-01", sunset: "2027-12-01", link },
  response: z.object({ old: z.boolean() }),
});

test("a deprecated call says so in its headers and in OpenAPI", async () => {
  const app = new Hono<ApiVariables>();
  const env = { supabaseUrl: "http://supabase.example", secretKey: "sb_secret_1", publicUrl: "https://tidings.example", jwks: [] };
  createBinder(app, env as unknown as Env).open(old, () => Promise.resolve({ old: true }));
  const { status, headers } = await app.request("/v1/old");
  expect([status, headers.get("deprecation"), headers.get("sunset"), headers.get("link")]).toEqual([
    200,
    "@1796083200",
    "Wed, 01 Dec 2027 00:00:00 GMT",
    `<${link}>; rel="deprecation"; type="text/html"`,
  ]);
  expect(describeApi({ old: { old } }, "https://tidings.example")["paths"]).toMatchObject({
    "/api/v1/old": { get: { deprecated: true, description: expect.stringContaining(`works until 2027-12-01: ${link}`) } },
  });
});
