import { randomUUID } from "node:crypto";
import http from "node:http";
import type { AddressInfo } from "node:net";
import {
  Client as McpClient,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { type Assistant, assistantScopes, oauthEndpoints } from "#contract/oauth.ts";
import { createApp } from "../../edge-functions/api/app.ts";
import { readEnv } from "../../edge-functions/_shared/env.ts";
import { nodeNetwork } from "../support/node-network.ts";
import { newTeam, type Person, sql, type Team } from "./support/people.ts";
import { environmentOf } from "./support/second-function.ts";

/** The function runs here with a fake DNS, so that an assistant's public name resolves to a local server. */
const stack = inject("stack");
const variables: Record<string, string> = { ...environmentOf(stack), TIDINGS_RATE_LIMIT_SCALE: "1000" };

let team: Team;
let server: http.Server;
let app: ReturnType<typeof createApp>;
const [asked, connected] = [[] as string[], [] as string[]];
const heard: string[] = [];
const answers = new Map<string, (response: http.ServerResponse, path: string) => void>();
const names = {
  "A assistant.example": [["8.8.8.8"]],
  "A inside.example": [["10.0.0.7"]],
};

beforeAll(async () => {
  server = http.createServer((request, response) => {
    heard.push(request.url!);
    const answer = answers.get(request.url!.split("?")[0]!);
    if (answer) answer(response, request.url!);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const network = nodeNetwork(names, { asked, connected }, { port });
  app = createApp(
    readEnv((name) => variables[name]),
    () => {},
    undefined,
    { network, waitUntil: () => {} },
  );
  team = await newTeam();
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const send = async (person: Person, method: "GET" | "POST", path: string, body?: object) => {
  const answer = await app.request(path, {
    method,
    headers: { authorization: `Bearer ${person.token}`, "content-type": "application/json", "x-forwarded-for": "192.0.2.1" },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
};
const read = async (clientId: string, redirectUri = "https://assistant.example/callback", person = team.owner) => {
  const request = new URLSearchParams({
    ...{ response_type: "code", client_id: clientId, redirect_uri: redirectUri, code_challenge_method: "S256" },
    ...{ code_challenge: "x".repeat(43), scope: "posts:read" },
  }).toString();
  const answer = await send(person, "GET", `/api/oauth/request?${new URLSearchParams({ request }).toString()}`);
  return answer.status === 200 ? oauthEndpoints.read.response.parse(answer.body) : answer;
};
const documentOf = (more: Record<string, unknown> = {}, type = "application/json"): string => {
  const path = `/${randomUUID()}.json`;
  const id = `https://assistant.example${path}`;
  const body = JSON.stringify({ client_id: id, client_name: "Helper", redirect_uris: ["https://assistant.example/callback"], ...more });
  answers.set(path, (response) => void response.writeHead(200, { "content-type": type }).end(body));
  return id;
};
const serving = (answer: (response: http.ServerResponse) => void): string => {
  const path = `/${randomUUID()}.json`;
  answers.set(path, answer);
  return `https://assistant.example${path}`;
};

describe("a client document", () => {
  test("is fetched from its URL", async () => {
    expect(await read(documentOf())).toMatchObject({
      state: "ask",
      client: { name: "Helper", host: "assistant.example" },
      redirect: { kind: "web", host: "assistant.example" },
    });
    expect(await read(documentOf({}, "application/client+json; charset=utf-8"))).toMatchObject({ state: "ask" });
  });

  test.each(["https://inside.example/a.json", "https://10.1.2.3/a.json", "https://nobody.example/a.json"])(
    "at %s isn't fetched",
    async (id) => {
      const [before, found] = [connected.length, await read(id)];
      expect(found).toMatchObject({ state: "refused", reason: "unreachable" });
      expect((found as { detail: string }).detail).toContain(`Couldn't fetch the assistant's metadata from ${new URL(id).host}: `);
      expect(connected).toHaveLength(before);
    },
  );

  test.each(["http://assistant.example/a.json", "https://2130706433/a.json", "https://0x7f.1/a.json", "ftp://assistant.example/a.json"])(
    "named %s is invalid",
    async (id) => {
      const [before, found] = [connected.length, await read(id)];
      expect(found).toMatchObject({ state: "refused", reason: "client_id" });
      expect(connected).toHaveLength(before);
    },
  );

  test.each<[string, () => string, string]>([
    ["that redirects", () => serving((to) => to.writeHead(302, { location: "https://assistant.example/other.json" }).end()), "unreachable"],
    [
      "that redirects into a private network",
      () => serving((to) => to.writeHead(307, { location: "https://10.0.0.7/" }).end()),
      "unreachable",
    ],
    ["of six kilobytes", () => documentOf({ client_uri: "x".repeat(6_000) }), "unreachable"],
    [
      "that is endless",
      () => serving((to) => to.writeHead(200, { "content-type": "application/json" }) && to.write("x".repeat(9_000))),
      "unreachable",
    ],
    ["that is a page", () => documentOf({}, "text/html"), "document"],
    ["uploaded as a text file", () => documentOf({}, "text/plain"), "document"],
    ["that isn't JSON", () => serving((to) => to.writeHead(200, { "content-type": "application/json" }).end("{")), "document"],
    ["that is a list", () => serving((to) => to.writeHead(200, { "content-type": "application/json" }).end("[]")), "document"],
    ["of another client", () => documentOf({ client_id: "https://assistant.example/other.json" }), "document"],
    ["without a client_id", () => documentOf({ client_id: undefined }), "document"],
    ["without a redirect URI", () => documentOf({ redirect_uris: [] }), "document"],
    ["whose redirect URI isn't a string", () => documentOf({ redirect_uris: [{}] }), "document"],
    ["with a secret", () => documentOf({ client_secret: "hush" }), "document"],
    ["of a client that has a secret", () => documentOf({ token_endpoint_auth_method: "client_secret_basic" }), "document"],
    ["for another grant", () => documentOf({ grant_types: ["client_credentials"] }), "document"],
  ])("%s is refused", async (_, make, reason) => {
    expect(await read(make())).toMatchObject({ state: "refused", reason });
    expect(heard).not.toContain("/other.json");
  });

  test.each([
    "https://assistant.example/*",
    "javascript:alert(1)",
    "data:text/html,x",
    "file:///etc/passwd",
    "blob:https://assistant.example/x",
    "intent://x",
    "myapp:/callback",
    "https://assistant.example/callback#x",
    "http://assistant.example/callback",
    "ms-msdt:/id",
    "https:assistant.example/callback",
    "HTTPS://assistant.example/callback",
    "https:/\\assistant.example/callback",
    "https://me@assistant.example/callback",
  ])("doesn't allow the redirect URI %s by listing it", async (uri) => {
    expect(await read(documentOf({ redirect_uris: [uri] }), uri)).toMatchObject({ state: "refused", reason: "redirect_uri" });
  });

  test.each([
    ["cursor://anysphere.cursor-mcp/oauth/callback", "app", "cursor"],
    ["com.example.helper:/callback", "app", "com.example.helper"],
    ["http://127.0.0.1:7777/callback", "device", "127.0.0.1:7777"],
    ["http://localhost:7777/callback", "device", "localhost:7777"],
    ["http://[::1]:7777/callback", "device", "[::1]:7777"],
  ])("can list %s", async (uri, kind, host) => {
    expect(await read(documentOf({ redirect_uris: [uri] }), uri)).toMatchObject({ state: "ask", redirect: { uri, kind, host } });
  });

  test("can't have a misleading name", async () => {
    const found = await read(documentOf({ client_name: `  Claude\u202e\u0000\n by ${"x".repeat(80)}` }));
    expect(found).toMatchObject({ client: { name: `Claude by ${"x".repeat(50)}` } });
    expect(await read(documentOf({ client_name: "\u200b" }))).toMatchObject({ client: { name: null } });
    for (const nothing of ["\u3164", "\u115f\uffa0\u2800", "\u034f\ufe0f\u{e0041}", "\u0301\u0302"])
      expect(await read(documentOf({ client_name: nothing }))).toMatchObject({ client: { name: null } });
    const heap = await read(documentOf({ client_name: `Clau${"\u0336\u0301".repeat(20)}de` }));
    expect(heap).toMatchObject({ client: { name: "Clau\u0336\u0301\u0336de" } });
    expect(await read(documentOf({ client_name: "प्रो-हेल्पर 助手" }))).toMatchObject({ client: { name: "प्रो-हेल्पर 助手" } });
    expect(await read(documentOf({ client_name: { toString: "x" } }))).toMatchObject({ client: { name: null } });
  });

  test("that times out blocks only its own user, whose third request is refused", async () => {
    const hanging: http.ServerResponse[] = [];
    const slow = serving((response) => void hanging.push(response));
    const waiting = [read(slow), read(slow)];
    await expect.poll(() => hanging.length).toBe(2);
    expect(await read(slow)).toMatchObject({ status: 429 });
    expect(await read(documentOf(), undefined, team.editor)).toMatchObject({ state: "ask" });
    for (const response of hanging) response.destroy();
    for (const found of await Promise.all(waiting)) expect(found).toMatchObject({ state: "refused", reason: "unreachable" });
    expect(await read(documentOf())).toMatchObject({ state: "ask" });
  });

  test("is cached for a minute", async () => {
    const id = documentOf();
    for (let count = 0; count < 3; count++) expect(await read(id)).toMatchObject({ state: "ask" });
    expect(heard.filter((path) => id.endsWith(path))).toHaveLength(1);
  });

  test("isn't fetched for an ended session", async () => {
    const gone = (await newTeam()).viewer;
    await sql`delete from auth.sessions where user_id = ${gone.id}`;
    const id = documentOf();
    expect(await read(id, undefined, gone)).toMatchObject({ status: 401 });
    expect(heard.filter((path) => id.endsWith(path))).toHaveLength(0);
  });
});

function providerOf(clientMetadataUrl: string, redirectUrl: string) {
  const kept: Record<string, unknown> = {};
  const provider: OAuthClientProvider = {
    redirectUrl,
    clientMetadataUrl,
    clientMetadata: { client_name: "Helper", redirect_uris: [redirectUrl], token_endpoint_auth_method: "none" },
    state: () => "a state of its own",
    clientInformation: () => kept["client"] as never,
    saveClientInformation: (client) => void (kept["client"] = client),
    tokens: () => kept["tokens"] as never,
    saveTokens: (tokens) => void (kept["tokens"] = tokens),
    redirectToAuthorization: (url) => void (kept["address"] = url),
    saveCodeVerifier: (verifier) => void (kept["verifier"] = verifier),
    codeVerifier: () => kept["verifier"] as string,
    discoveryState: () => kept["found"] as never,
    saveDiscoveryState: (found) => void (kept["found"] = found),
    invalidateCredentials: (which) => {
      if (which === "all" || which === "tokens") delete kept["tokens"];
    },
  };
  return { provider, kept };
}

test("the official client signs in: from 401 to a document, consent, tokens, tools, and a refresh", async () => {
  const callback = "http://127.0.0.1:33418/callback";
  const { provider, kept } = providerOf(documentOf({ redirect_uris: [callback] }), callback);
  const mcp = new URL(`${stack.publicUrl}/api/mcp`);
  const transportOf = () => new StreamableHTTPClientTransport(mcp, { authProvider: provider });
  const first = transportOf();
  await expect(new McpClient({ name: "helper", version: "1.0.0" }).connect(first)).rejects.toThrow(UnauthorizedError);

  const address = kept["address"] as URL;
  expect(`${address.origin}${address.pathname}`).toBe(`${stack.publicUrl}/oauth/authorize`);
  expect(address.searchParams.get("client_id")).toBe(provider.clientMetadataUrl);
  const request = address.search.slice(1);
  const scopes = assistantScopes.filter((scope) => scope !== "posts:publish");
  const allowed = await send(team.editor, "POST", "/api/oauth/approve", { request, workspace_id: team.workspaceId, scopes });
  expect(allowed.status).toBe(200);
  const back = new URL(allowed.body["location"] as string).searchParams;
  expect([back.get("state"), back.get("iss")]).toEqual(["a state of its own", stack.publicUrl]);
  await first.finishAuth(back);
  expect(kept["tokens"]).toMatchObject({ token_type: "Bearer", expires_in: 3600 });

  const client = new McpClient({ name: "helper", version: "1.0.0" });
  await client.connect(transportOf());
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain("list_posts");

  const path = `/api/workspaces/${team.workspaceId}/assistants`;
  const listed = await team.editor.api.get<{ assistants: Assistant[] }>(path);
  const connection = listed.body.assistants.find(({ client_id }) => client_id === provider.clientMetadataUrl)!;
  expect(connection.scopes).toEqual(scopes);
  const before = (kept["tokens"] as { access_token: string }).access_token;
  await sql`update public.api_keys set secret_until = now() where id = ${connection.id}`;
  await client.listTools(); // gets 401 and refreshes automatically
  expect((kept["tokens"] as { access_token: string }).access_token).not.toBe(before);
  await client.close();

  expect((await team.editor.api.delete(`${path}/${connection.id}`)).status).toBe(200);
  delete kept["address"];
  await expect(new McpClient({ name: "helper", version: "1.0.0" }).connect(transportOf())).rejects.toThrow(UnauthorizedError);
  expect(kept["address"]).toBeInstanceOf(URL);
});
