import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { beforeAll, describe, expect, inject, test, vi } from "vitest";
import { makeApiKey } from "#contract/rules/api-key.ts";
import { describedTools } from "#contract/mcp/described.ts";
import { toolNames } from "#contract/mcp/tools.ts";
import { connect, mcpUrl, modes, post, use } from "./support/assistants.ts";
import { newKey, newPost, newTeam, type Team } from "./support/people.ts";
import { startFunction } from "./support/second-function.ts";

const stack = inject("stack");
let team: Team;
let secret: string;
beforeAll(async () => {
  team = await newTeam();
  ({ secret } = await newKey(team.owner, team.workspaceId));
});

describe.each(modes)("the official client, %o", (mode) => {
  test("gets the server's description, and the tools in order", async () => {
    const client = await connect(secret, mode);
    expect(client.getInstructions()).toMatch(/^Tidings publishes/);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(toolNames);
    for (const [place, described] of describedTools().entries()) expect(tools[place]).toEqual(described);
    await client.close();
  });

  test("reads a post as text and as data in the declared schema", async () => {
    const { id } = await newPost(team.editor, team.workspaceId, { title: "Faster search" });
    const client = await connect(secret, mode);
    await client.listTools();
    const { structured, text, isError } = await use(client, "get_post", { id });
    expect([isError, structured]).toMatchObject([false, { post: { id, title: "Faster search", status: "draft", version: 1 } }]);
    expect(text).toContain("# Faster search");
    await client.close();
  });

  test("gets an error as the tool's result, in words", async () => {
    const client = await connect(secret, mode);
    expect(await use(client, "get_post", { id: "seven", tile: "x" })).toEqual({
      text: "Nothing was done because of these arguments:\n- id: This isn't a valid id\n- tile: This field doesn't exist",
      structured: undefined,
      isError: true,
    });
    expect((await use(client, "list_tags", { constructor: 1, toString: 2 })).text).toContain(
      "- constructor: This field doesn't exist\n- toString: ",
    );
    await expect(use(client, "delete_post", {})).rejects.toThrow('There\'s no tool "delete_post"');
    await client.close();
  });
});

test("the tool list is byte-identical in 100 calls, for every user and scope", async () => {
  const other = await newTeam();
  const keys = [
    secret,
    (await newKey(team.admin, team.workspaceId, { scopes: ["stats:read"] })).secret,
    (await newKey(other.owner, other.workspaceId, { scopes: ["posts:read"] })).secret,
  ];
  const lists = new Set<string>();
  for (let times = 0; times < 100; times++) {
    const { status, body } = await post(keys[times % keys.length], "tools/list");
    expect([status, body.result]).toEqual([200, expect.objectContaining({ ttlMs: 300_000, cacheScope: "public" })]);
    lists.add(JSON.stringify(body.result!["tools"]));
  }
  expect([lists.size, lists.has(JSON.stringify(describedTools()))]).toEqual([1, true]);
});

describe("an MCP message", () => {
  const rpc = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
  const meta = (version: string) => ({
    "io.modelcontextprotocol/protocolVersion": version,
    "io.modelcontextprotocol/clientInfo": { name: "by hand", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  });

  test("from another site's page is refused, with a key and without; from ours and from programs it is accepted", async () => {
    for (const origin of ["https://evil.example", "null", `${stack.url}.evil.example`, "http://localhost:1"])
      for (const key of [secret, undefined]) {
        const { status, body } = await post(key, "tools/list", {}, { headers: { origin } });
        expect([origin, status, body.code]).toEqual([origin, 403, "cross_origin"]);
      }
    expect((await post(secret, "tools/list", {}, { headers: { origin: new URL(mcpUrl).origin } })).status).toBe(200);
    expect((await post(secret, "tools/list")).status).toBe(200);
  });

  test.each([
    ["another method", { "mcp-method": "tools/list" }],
    ["no method", { "mcp-method": undefined }],
    ["another tool", { "mcp-name": "publish" }],
    ["no tool", { "mcp-name": undefined }],
    ["another revision", { "mcp-protocol-version": "2025-11-25" }],
    ["no revision", { "mcp-protocol-version": undefined }],
  ])("whose headers have %s than its body is refused, and does nothing", async (_, headers) => {
    const { status, body } = await post(secret, "tools/call", { name: "list_tags", arguments: {} }, { headers });
    expect([status, body.error?.code, body.result]).toEqual([400, -32_020, undefined]);
  });

  test.each([
    ["invalid JSON", "{", -32_700],
    ["nothing", "", -32_600],
    ["a text", '"tools/list"', -32_600],
    ["a number", "7", -32_600],
    ["several messages", JSON.stringify([rpc, rpc]), -32_600],
    ["no message at all", "[]", -32_600],
    ["a JSON string", new TextDecoder("latin1").decode(new Uint8Array([34, 233, 34])), -32_600],
  ])("that is %s is refused with the protocol's error", async (_, body, code) => {
    const { status, body: said } = await post(secret, "tools/list", {}, { body });
    expect([status, said]).toMatchObject([400, { jsonrpc: "2.0", id: null, error: { code } }]);
  });

  test("of an unknown method, or for an unavailable stream, is refused", async () => {
    for (const method of ["prompts/list", "resources/read", "subscriptions/listen", "no/such"]) {
      const { status, body } = await post(
        secret,
        method,
        method === "subscriptions/listen" ? { notifications: { toolsListChanged: true } } : {},
      );
      expect([method, status, body.error?.code]).toEqual([method, 404, -32_601]);
    }
  });

  test("of another type, too long or with too many values is refused before parsing", async () => {
    expect((await post(secret, "tools/list", {}, { headers: { "content-type": "text/plain" } })).status).toBe(415);
    const long = await post(secret, "tools/list", {}, { body: "x".repeat(7_200_000) });
    expect([long.status, long.body.code]).toEqual([413, "body_too_large"]);
    const many = await post(secret, "tools/list", {}, { body: `{"x":[${"0,".repeat(3_000)}0]}` });
    expect([many.status, many.body.code]).toEqual([413, "body_too_large"]);
  });

  test("can only be long by an image, as each layer would process other fields", async () => {
    const long = "x".repeat(3_000_000);
    for (const [name, body] of [
      [long, rpc],
      ["list_tags", { ...rpc, method: long }],
      ["list_tags", { ...rpc, id: long }],
      ["list_tags", { ...rpc, params: { _meta: { ...meta("2026-07-28"), more: long } } }],
      ["create_draft", rpc],
      ["upload_image", { ...rpc, params: { more: long } }],
    ] as const) {
      const params = { name, arguments: { [name === "upload_image" ? "data" : "markdown"]: long }, ...("params" in body && body.params) };
      const sent = { ...body, method: body.method === rpc.method ? "tools/call" : body.method, params };
      const answer = await post(secret, "tools/call", { name: name.slice(0, 20) }, { body: sent });
      expect([name.slice(0, 20), answer.status, answer.body.code]).toEqual([name.slice(0, 20), 413, "body_too_large"]);
    }
    const named = { ...rpc, method: "tools/call", params: { name: "x".repeat(100_000), arguments: {} } };
    expect((await post(secret, "tools/call", { name: "list_tags" }, { body: named })).status).toBe(413);
  });
});

describe("an unauthorized request", () => {
  const metadata = `${new URL(mcpUrl).origin}/.well-known/oauth-protected-resource/api/mcp`;

  test.each([
    ["without a key", (): string | undefined => undefined, "This call needs an API key: Authorization: Bearer tdk_…"],
    ["with a person's token", () => team.owner.token, "This call needs an API key: Authorization: Bearer tdk_…"],
    ["with half a key", () => secret.slice(0, -1), "This isn't a valid API key: it's incomplete or mistyped."],
    ["with an unknown key", () => makeApiKey(), "This API key is unknown, expired or revoked."],
  ] as const)("%s gets the URL to sign in", async (_, key, sentence) => {
    const { status, headers, body } = await post(key(), "tools/list");
    expect([status, body.fields]).toEqual([401, { authorization: sentence }]);
    const challenge = headers.get("www-authenticate")!;
    expect(challenge).toContain(`resource_metadata="${metadata}"`);
    expect(challenge.includes('error="invalid_token"')).toBe(key() !== undefined);
    expect(challenge).toContain('scope="posts:read posts:write posts:publish media:write stats:read"');
  });

  test("finds the authorization server at that URL", async () => {
    const found = await fetch(metadata);
    expect([found.status, await found.json()]).toMatchObject([200, { resource: mcpUrl, authorization_servers: [new URL(mcpUrl).origin] }]);
  });
});

test("the log names a call's tool, and nothing that was sent", async () => {
  const query = `nothing-${randomUUID()}`;
  const { headers } = await post(secret, "tools/call", { name: "search_public", arguments: { query } });
  await post(secret, "tools/call", { name: query, arguments: {} });
  const requestId = headers.get("x-request-id")!;
  const file = path.join(stack.dataDir, "logs/api.log");
  await vi.waitFor(async () => expect(await readFile(file, "utf8")).toContain(requestId), { timeout: 10_000, interval: 50 });
  const log = await readFile(file, "utf8");
  const line = JSON.parse(log.split("\n").find((text) => text.includes(requestId))!) as Record<string, unknown>;
  expect(line).toMatchObject({ event: "request", method: "POST", route: "/api/mcp", tool: "search_public", status: 200 });
  for (const secretOrWord of [query, secret]) expect(log).not.toContain(secretOrWord);
});

test("a thousand calls a minute of one key are answered 429, for this key only", async () => {
  const alone = await startFunction(stack, "api", { TIDINGS_RATE_LIMIT_SCALE: "1" });
  try {
    const place = await newTeam();
    const { secret: flooding } = await newKey(place.owner, place.workspaceId);
    const { secret: calm } = await newKey(team.owner, team.workspaceId);
    const call = async (key: string) => {
      const answer = await fetch(`${alone.url}/api/mcp`, {
        method: "POST",
        headers: {
          ...{ authorization: `Bearer ${key}`, "content-type": "application/json", accept: "application/json, text/event-stream" },
          "x-forwarded-for": "192.0.2.7",
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "list_tags", arguments: {} } }),
      });
      return { status: answer.status, after: answer.headers.get("retry-after"), text: await answer.text() };
    };
    const answers: Awaited<ReturnType<typeof call>>[] = [];
    for (let round = 0; round < 50; round++) {
      answers.push(...(await Promise.all(Array.from({ length: 20 }, () => call(flooding)))));
      if (round % 10 === 0) expect((await call(calm)).status).toBe(200);
    }
    const refused = answers.filter(({ status }) => status === 429);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]));
    // 140 at once and two a second are allowed: even on a slow machine some hundred are refused, unless the calls take six minutes.
    expect(refused.length).toBeGreaterThan(100);
    for (const { after, text } of refused)
      expect([after, text]).toEqual([expect.stringMatching(/^[1-9]\d*$/), expect.stringContaining("rate_limited")]);
  } finally {
    await alone.stop();
  }
});
