import { expect, test } from "vitest";
import type { Endpoint } from "#contract/endpoint.ts";
import { endpoints } from "#contract/endpoints.ts";
import { errorCatalogue } from "#contract/errors.ts";
import { describeApi } from "#contract/openapi.ts";

interface Operation {
  operationId: string;
  summary: string;
  security: object[];
  parameters: { name: string; in: string; required: boolean; schema: object }[];
  requestBody?: { required: boolean; content: Record<string, { schema: { properties?: object; oneOf?: object[]; anyOf?: object[] } }> };
  responses: Record<string, { description: string; content?: Record<string, { schema: object }> }>;
}
interface Document {
  openapi: string;
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
}

const text = JSON.stringify(describeApi(endpoints, "https://tidings.example"));
const document = JSON.parse(text) as Document;
const all = Object.values(endpoints).flatMap((area) => Object.values(area)) as unknown as Endpoint[];
const operationOf = ({ method, path }: Endpoint) => document.paths[path]![method.toLowerCase()]!;

test("the document is OpenAPI 3.1 of this installation and names every call once", () => {
  expect([document.openapi, document.servers]).toEqual(["3.1.0", [{ url: "https://tidings.example" }]]);
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  expect(operations).toHaveLength(all.length);
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(all.length);
});

test.each(all.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))("%s is described", (_, endpoint) => {
  const { summary, security, parameters, requestBody, responses } = operationOf(endpoint);
  expect(summary).toBe(endpoint.summary);
  expect(security.length > 0).toBe(endpoint.access !== "public");
  const inPath = parameters.filter((parameter) => parameter.in === "path");
  expect(inPath.map(({ name }) => name).sort()).toEqual([...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort());
  expect(inPath.every(({ required }) => required)).toBe(true);
  expect(requestBody !== undefined).toBe([endpoint.body, endpoint.multipart, endpoint.raw].some((one) => one !== undefined));
  for (const { schema } of Object.values(requestBody?.content ?? {})) {
    if (endpoint.raw)
      expect(schema).toEqual({}); // in the sender's own shape
    else expect(Object.keys(schema.properties ?? schema.oneOf ?? schema.anyOf ?? {}).length).toBeGreaterThan(0);
  }
  const success = responses[endpoint.status]!;
  const { schema } = success.content?.[endpoint.download ?? "application/json"] ?? {};
  if (endpoint.download === "text/csv") expect(schema).toEqual({ type: "string" });
  else if (endpoint.status !== 302) expect(schema).toHaveProperty("properties");
  for (const code of endpoint.errors ?? []) expect(responses[errorCatalogue[code].status]!.description).toContain(code);
});

test("the document refers only to what is in it", () => {
  const references = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, name]) => name);
  expect(new Set(references)).toEqual(new Set(["#/components/schemas/Error"]));
});

test("a call about a workspace may answer that there is none, wherever it names it", () => {
  const named = (endpoint: Endpoint) => JSON.stringify([operationOf(endpoint).parameters, operationOf(endpoint).requestBody ?? null]);
  const about = all.filter((endpoint) => typeof endpoint.access !== "string" || /"workspace_?id"/i.test(named(endpoint)));
  expect(about.length).toBeGreaterThan(20);
  for (const endpoint of about) expect(operationOf(endpoint).responses["404"]?.description, endpoint.path).toContain("not_found");
});
