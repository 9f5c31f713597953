import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type Endpoint, isForKeys } from "#contract/endpoint.ts";
import { endpoints } from "#contract/endpoints.ts";
import { errorCatalogue } from "#contract/errors.ts";
import { describeApi, publicAreas } from "#contract/openapi/describe-api.ts";
import { propertyDocs } from "#contract/openapi/property-docs.ts";
import { webhookPayloads } from "#contract/webhooks.ts";

interface Operation {
  tags: string[];
  description?: string;
  operationId: string;
  summary: string;
  security: Record<string, string[]>[];
  parameters: { name: string; in: string; required: boolean; schema: object }[];
  requestBody?: { required: boolean; content: Record<string, { schema: Schema; example?: unknown }> };
  responses: Record<
    string,
    {
      description: string;
      headers?: object;
      content?: Record<string, { schema: Schema; example?: unknown }>;
    }
  >;
}
interface Schema {
  properties?: object;
  anyOf?: object[];
  oneOf?: object[];
}
interface Document {
  components: { schemas: Record<string, Schema> };
  tags: { name: string }[];
  webhooks?: Record<string, { post: Operation }>;
  openapi: string;
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
}

const text = JSON.stringify(describeApi(endpoints, "https://tidings.example"));
const document = JSON.parse(text) as Document;
const all = Object.values(endpoints).flatMap((area) => Object.values(area)) as unknown as Endpoint[];
const resolved = (schema: { $ref?: string } & Schema = {}): Schema =>
  schema.$ref === undefined ? schema : document.components.schemas[schema.$ref.replace(/^.*\//, "")]!;
const partsOf = (schema?: Schema) => Object.keys(resolved(schema).properties ?? resolved(schema).anyOf ?? resolved(schema).oneOf ?? {});
const operationOf = ({ method, path }: Endpoint) => document.paths[path]![method.toLowerCase()]!;

test("the document is valid OpenAPI 3.1 for this installation and lists every call once", () => {
  expect([document.openapi, document.servers]).toEqual(["3.1.0", [{ url: "https://tidings.example" }]]);
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  expect(operations).toHaveLength(all.length);
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(all.length);
});

test("the public document has the calls for keys and nothing of the app", () => {
  const { paths, tags } = JSON.parse(JSON.stringify(describeApi(publicAreas(endpoints), "https://tidings.example"))) as Document;
  expect(Object.keys(paths).filter((path) => !path.startsWith("/api/v1/"))).toEqual(["/api/mcp"]);
  expect(tags.filter(({ name }) => name.startsWith("App: "))).toEqual([]);
});

test("operation ids have no dots, as generated clients use them as names", () => {
  const ids = Object.values(document.paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
  expect(ids.filter((id) => !/^\w+$/.test(id))).toEqual([]);
});

describe("the public document", () => {
  const publicText = JSON.stringify(describeApi(publicAreas(endpoints), "https://tidings.example", webhookPayloads));
  const isSchema = (node: { properties?: unknown }): node is { properties: Record<string, { description?: string }> } =>
    typeof node?.properties === "object";

  test("describes every property and parameter", () => {
    const undescribed = new Set<string>();
    JSON.parse(publicText, (key, node: object | null) => {
      if (node && isSchema(node))
        for (const [name, { description }] of Object.entries(node.properties)) if (!description) undescribed.add(name);
      if (key === "parameters")
        for (const { name, description } of node as { name: string; description?: string }[]) if (!description) undescribed.add(name);
      return node;
    });
    expect([...undescribed]).toEqual([]);
  });

  test("uses every description", () => {
    expect(Object.values(propertyDocs).filter(([description]) => !publicText.includes(JSON.stringify(description)))).toEqual([]);
  });

  test("has short summaries", () => {
    const summaries = Object.values(publicAreas(endpoints)).flatMap((area) =>
      Object.values(area).map((call) => (call as Endpoint).summary),
    );
    expect(summaries.filter((summary) => summary.length > 60)).toEqual([]);
  });

  test.each(all.filter(({ access }) => isForKeys(access)).map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
    "has valid examples for %s",
    (_, endpoint) => {
      const { requestBody, responses } = operationOf(endpoint);
      const sent = requestBody?.content["application/json"]?.example;
      if (endpoint.body) expect(endpoint.body.safeParse(sent).error).toBeUndefined();
      const received = responses[endpoint.status]!.content?.["application/json"]?.example;
      if (!endpoint.download) expect(endpoint.response.safeParse(received).error).toBeUndefined();
    },
  );
});

test("every default matches its pattern", () => {
  const mismatches: unknown[] = [];
  JSON.parse(text, (_, value: { default?: unknown; pattern?: unknown } | null) => {
    const { default: given, pattern } = value ?? {};
    if (typeof given === "string" && typeof pattern === "string" && !new RegExp(pattern, "u").test(given)) mismatches.push(value);
    return value;
  });
  expect(mismatches).toEqual([]);
});

test.each(all.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))("%s has a description", (_, endpoint) => {
  const { summary, security, parameters, requestBody, responses } = operationOf(endpoint);
  expect(summary).toBe(endpoint.summary);
  expect(security.length > 0).toBe(endpoint.access !== "public");
  const inPath = parameters.filter((parameter) => parameter.in === "path");
  expect(inPath.map(({ name }) => name).sort()).toEqual([...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort());
  expect(inPath.every(({ required }) => required)).toBe(true);
  expect(requestBody !== undefined).toBe([endpoint.body, endpoint.multipart, endpoint.raw].some((one) => one !== undefined));
  for (const [type, { schema }] of Object.entries(requestBody?.content ?? {})) {
    if (endpoint.raw) expect(schema).toEqual({});
    else if (type === endpoint.orBareFile) expect(schema).toMatchObject({ format: "binary" });
    else expect(partsOf(schema)).not.toEqual([]);
  }
  const success = responses[endpoint.status]!;
  const { schema } = success.content?.[endpoint.download ?? "application/json"] ?? {};
  for (const type of endpoint.otherDownloads ?? [])
    expect(success.content?.[type]?.schema).toEqual({ type: type === "application/feed+json" ? "object" : "string" });
  if (endpoint.download !== undefined && endpoint.download !== "application/json") expect(schema).toEqual({ type: "string" });
  else if (endpoint.status !== 302) expect(partsOf(schema)).not.toEqual([]);
  for (const code of endpoint.errors ?? []) expect(responses[errorCatalogue[code].status]!.description).toContain(code);
});

test("protocol endpoints can return the protocol's own responses", () => {
  for (const endpoint of all.filter(({ protocol }) => protocol !== undefined)) {
    const { responses } = operationOf(endpoint);
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(["200", "202", "400", "401", "404"]));
    const rpc = { properties: { jsonrpc: { const: "2.0" }, error: { required: ["code", "message"] } } };
    expect(responses["400"]!.content!["application/json"]!.schema).toMatchObject(rpc);
    expect(responses["404"]!.content!["application/json"]!.schema).toMatchObject({ anyOf: [rpc, { $ref: expect.anything() }] });
  }
});

test("the document has no dangling references", () => {
  const references = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, name]) => name!);
  expect(references.filter((name) => !(name.replace("#/components/schemas/", "") in document.components.schemas))).toEqual([]);
});

test("calls about a workspace can return not_found", () => {
  const named = (endpoint: Endpoint) => JSON.stringify([operationOf(endpoint).parameters, operationOf(endpoint).requestBody ?? null]);
  const about = all.filter((endpoint) => typeof endpoint.access !== "string" || /"workspace_?id"/i.test(named(endpoint)));
  expect(about.length).toBeGreaterThan(20);
  for (const endpoint of about) expect(operationOf(endpoint).responses["404"]?.description, endpoint.path).toContain("not_found");
});

describe("for programs", () => {
  const calls = all.filter(({ access }) => isForKeys(access));

  test("API calls come first, under their own tags", () => {
    const paths = Object.keys(document.paths);
    const own = new Set(calls.map(({ path }) => path));
    expect(new Set(paths.slice(0, own.size))).toEqual(own);
    const tags = new Set(calls.flatMap((call) => operationOf(call).tags));
    expect(document.tags.slice(0, tags.size).map(({ name }) => name)).toEqual([...tags]);
    for (const other of all.filter(({ access }) => !isForKeys(access))) expect(operationOf(other).tags[0]).toMatch(/^App: /);
  });

  test.each(calls.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
    "%s documents its scope",
    (_, endpoint) => {
      const { security, description, responses, parameters, requestBody } = operationOf(endpoint);
      const scope = isForKeys(endpoint.access) ? endpoint.access.scope : null;
      expect(security).toEqual([{ key: [] }]);
      if (scope !== null) expect(description).toContain(`Scope: ${scope}.`);
      expect(description).toContain("curl ");
      expect(responses[endpoint.status]!.headers).toMatchObject({ RateLimit: {}, "RateLimit-Policy": {} });
      expect(responses["401"]!.description).toContain("unauthenticated");
      expect(responses["403"]!.description).toContain("scope_missing");
      const names = parameters.map(({ name }) => name);
      expect(names.includes("If-Match")).toBe(endpoint.conditional === "write");
      expect(names.includes("If-None-Match")).toBe(endpoint.conditional === "read");
      expect(Object.keys(responses).includes("201")).toBe(endpoint.status === 201 || endpoint.alsoCreates === true);
      if (endpoint.body) expect(requestBody!.content["application/json"]).toHaveProperty("example");
      if (endpoint.example !== undefined) expect(endpoint.body!.safeParse(endpoint.example).error).toBeUndefined();
    },
  );

  test("webhook payloads are documented with their headers", () => {
    const { webhooks } = JSON.parse(
      JSON.stringify(
        describeApi(endpoints, "https://tidings.example", { "post.published": z.object({ type: z.literal("post.published") }) }),
      ),
    ) as Document;
    const { post } = webhooks!["post.published"]!;
    expect(post.requestBody!.content["application/json"]!.schema.properties).toHaveProperty("type");
    expect(post.parameters.map(({ name }) => name)).toEqual(["webhook-id", "webhook-timestamp", "webhook-signature"]);
  });
});
