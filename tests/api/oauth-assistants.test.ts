import { createHash, randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { assistantEndpoints, oauthEndpoints } from "#contract/oauth.ts";
import { rateLimits } from "#contract/rate-limits.ts";
import { type Answer, Client } from "./support/client.ts";
import { codeIn, startAssistant, type TestAssistant, type Tokens } from "./support/oauth-client.ts";
import { newPerson, newTeam, type Person, sql, type Team } from "./support/people.ts";
import { startFunction } from "./support/second-function.ts";

const stack = inject("stack");
let team: Team;
let helper: TestAssistant;
let listPath: string;
beforeAll(async () => {
  [team, helper] = await Promise.all([newTeam(), startAssistant()]);
  listPath = `/api/workspaces/${team.workspaceId}/assistants`;
});
afterAll(() => helper.stop());

const read = async (person: Person, request: string) => {
  const answer = await person.api.get(`/api/oauth/request?${new URLSearchParams({ request }).toString()}`);
  expect(answer.status).toBe(200);
  return oauthEndpoints.read.response.parse(answer.body);
};
const approve = (person: Person, request: string, more: Record<string, unknown> = {}): Promise<Answer<{ location: string }>> =>
  person.api.post("/api/oauth/approve", { request, workspace_id: team.workspaceId, scopes: ["posts:read"], ...more });
const fault = async (answer: Response) => [answer.status, ((await answer.json()) as { error: string }).error];
const badGrant = [400, "invalid_grant"];
const works = async (token: string) => {
  const answer = await new Client(stack.url, token).get("/api/v1/key");
  expect([answer.status, answer.body.code]).toEqual([401, "unauthenticated"]);
  return answer.body.fields!.authorization!.includes("This is an assistant's token");
};
const tokensOf = async (answer: Response): Promise<Tokens> => {
  expect(answer.status).toBe(200);
  return (await answer.json()) as Tokens;
};

describe("OAuth discovery", () => {
  const get = async (path: string) => {
    const answer = await fetch(`${stack.url}${path}`);
    return { status: answer.status, type: answer.headers.get("content-type"), body: (await answer.json()) as Record<string, unknown> };
  };

  test("has the MCP endpoint, and its authorization server", async () => {
    for (const path of ["/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/api/mcp"]) {
      const { status, type, body } = await get(path);
      expect([status, type]).toEqual([200, "application/json"]);
      expect(body).toMatchObject({
        resource: `${stack.publicUrl}/api/mcp`,
        authorization_servers: [stack.publicUrl],
        bearer_methods_supported: ["header"],
      });
    }
  });

  test("has the authorization server's metadata", async () => {
    const { body } = await get("/.well-known/oauth-authorization-server");
    expect(body).toMatchObject({
      issuer: stack.publicUrl,
      authorization_endpoint: `${stack.publicUrl}/oauth/authorize`,
      token_endpoint: `${stack.publicUrl}/api/oauth/token`,
      revocation_endpoint: `${stack.publicUrl}/api/oauth/revoke`,
      code_challenge_methods_supported: ["S256"],
      token_endpoint_auth_methods_supported: ["none"],
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
    });
    expect(body).not.toHaveProperty("registration_endpoint");
  });

  test("answers other paths with 404, not with a page", async () => {
    for (const path of ["/.well-known/openid-configuration", "/.well-known/oauth-authorization-server/api/mcp", "/.well-known/"])
      expect([path, (await get(path)).status]).toEqual([path, 404]);
    for (const [path, allow] of [
      ["/.well-known/oauth-authorization-server", "GET, HEAD"],
      ["/api/oauth/token", "POST"],
      ["/api/oauth/revoke", "POST"],
    ] as const) {
      const answer = await fetch(`${stack.url}${path}`, { method: allow === "POST" ? "GET" : "POST" });
      expect([path, answer.status, answer.headers.get("allow")]).toEqual([path, 405, allow]);
    }
  });
});

describe("an authorization request", () => {
  test("is shown with what each workspace allows", async () => {
    const { request } = helper.asks({ scope: "posts:publish unheard:of posts:read subscribers:read" });
    const asked = await read(team.viewer, request);
    expect(asked).toMatchObject({
      state: "ask",
      client: { id: helper.id, name: "Helper", host: new URL(helper.id).host },
      redirect: { uri: helper.redirectUri, kind: "device", host: "127.0.0.1:33418" },
      scopes: ["posts:read", "posts:publish"],
      workspaces: [{ id: team.workspaceId, name: "Acme", role: "viewer", scopes: ["posts:read"], connected: false }],
    });
    expect(await read(await newPerson(), request)).toMatchObject({ state: "ask", workspaces: [] });
  });

  test.each<[string, Record<string, string | null>, string]>([
    ["without a client", { client_id: null }, "client_id"],
    ["of a client that isn't a URL", { client_id: "helper" }, "client_id"],
    ["of a client that was registered elsewhere", { client_id: "00000000-0000-0000-0000-000000000000" }, "client_id"],
    ["of a script", { client_id: "javascript:alert(1)" }, "client_id"],
    ["of a client without a path", { client_id: "https://helper.example" }, "client_id"],
    ["of a client with .. in its path", { client_id: "https://helper.example/a/../b" }, "client_id"],
    ["of a client with a password", { client_id: "https://me:secret@helper.example/a" }, "client_id"],
    ["of a client with a fragment", { client_id: "https://helper.example/a#b" }, "client_id"],
    ["of an unreachable client", { client_id: "http://127.0.0.1:9/assistant.json" }, "unreachable"],
    ["of a page that isn't a document", { client_id: `${stack.url}/healthz` }, "document"],
    ["of a page that is not there", { client_id: `${stack.url}/api/nothing` }, "unreachable"],
    ["without a redirect URI", { redirect_uri: null }, "redirect_uri"],
    ["with another redirect URI", { redirect_uri: "http://127.0.0.1:33418/elsewhere" }, "redirect_uri"],
    ["with a redirect URI to a page", { redirect_uri: "https://evil.example/callback" }, "redirect_uri"],
    ["with a redirect URI to a script", { redirect_uri: "javascript:alert(1)" }, "redirect_uri"],
    ["with a longer redirect URI", { redirect_uri: "http://127.0.0.1:33418/callback?x=1" }, "redirect_uri"],
    ["with a redirect URI to another loopback name", { redirect_uri: "http://localhost:33418/callback" }, "redirect_uri"],
    ["with a redirect URI with user info", { redirect_uri: "http://127.0.0.1:33418@evil.example/callback" }, "redirect_uri"],
  ])("%s is shown as refused, without a redirect", async (_, more, reason) => {
    const { request } = helper.asks(more);
    const answer = await read(team.owner, request);
    expect(answer).toMatchObject({ state: "refused", reason });
    expect(JSON.stringify(answer)).not.toContain("location");
    for (const path of ["/api/oauth/approve", "/api/oauth/deny"]) {
      const refused = await team.owner.api.post(path, { request, workspace_id: team.workspaceId, scopes: ["posts:read"] });
      expect([refused.status, refused.body.code]).toEqual([409, "oauth_request_invalid"]);
    }
  });

  test("with a repeated parameter is refused, whichever is meant", async () => {
    const { request } = helper.asks();
    for (const name of ["client_id", "redirect_uri"])
      expect(await read(team.owner, `${request}&${name}=https%3A%2F%2Fevil.example%2Fx`)).toMatchObject({ state: "refused", reason: name });
  });

  test.each<[string, Record<string, string | null>, string]>([
    ["for an implicit token", { response_type: "token" }, "unsupported_response_type"],
    ["without a challenge", { code_challenge: null }, "invalid_request"],
    ["with a plain challenge", { code_challenge_method: "plain" }, "invalid_request"],
    ["whose challenge has no method", { code_challenge_method: null }, "invalid_request"],
    ["whose challenge isn't a hash", { code_challenge: "short" }, "invalid_request"],
    ["for another server's resource", { resource: "https://elsewhere.example/api/mcp" }, "invalid_target"],
    ["for a resource that isn't for assistants", { resource: `${stack.publicUrl}/api/v1` }, "invalid_target"],
    ["for a scope that assistants never get", { scope: "subscribers:read webhooks:write tags:write" }, "invalid_scope"],
    ["whose scopes are malformed", { scope: 'posts:read "quoted"' }, "invalid_scope"],
  ])("%s redirects the error to the assistant", async (_, more, error) => {
    const answer = await read(team.owner, helper.asks(more).request);
    expect(answer.state).toBe("answered");
    const location = new URL((answer as { location: string }).location);
    expect(`${location.origin}${location.pathname}`).toBe(helper.redirectUri);
    expect(Object.fromEntries(location.searchParams)).toMatchObject({ error, state: "as it came", iss: stack.publicUrl });
    expect(location.searchParams.has("code")).toBe(false);
  });

  test("is checked again on the answer: a document with another redirect URI gets no code", async () => {
    const other = await startAssistant("Changing");
    try {
      const asking = other.asks();
      expect((await read(team.owner, asking.request)).state).toBe("ask");
      const late = other.asks({ redirect_uri: "http://127.0.0.1:33418/other" });
      other.document.redirect_uris = ["http://127.0.0.1:33418/other"];
      expect(await read(team.owner, late.request)).toMatchObject({ state: "refused", reason: "redirect_uri" });
      const location = await other.isAllowed(team.owner, team.workspaceId, asking);
      expect(location.startsWith(other.redirectUri)).toBe(true);
    } finally {
      other.stop();
    }
  });
});

describe("an authorization answer", () => {
  test("of no redirects to the assistant, with its state", async () => {
    const answer = await team.owner.api.post<{ location: string }>("/api/oauth/deny", { request: helper.asks().request });
    const { searchParams } = new URL(answer.body.location);
    expect(Object.fromEntries(searchParams)).toMatchObject({ error: "access_denied", state: "as it came", iss: stack.publicUrl });
  });

  test("of yes allows at most the requested, existing and permitted scopes, in one's own workspaces", async () => {
    const { request } = helper.asks({ scope: "posts:read posts:write" });
    expect((await approve(team.owner, request, { scopes: ["posts:publish"] })).body.fields).toEqual({
      scopes: "The assistant didn't request all of these permissions",
    });
    expect((await approve(team.owner, request, { scopes: ["subscribers:read"] })).body.code).toBe("validation_failed");
    expect((await approve(team.owner, request, { scopes: [] })).body.code).toBe("validation_failed");
    expect((await approve(team.viewer, request, { scopes: ["posts:write"] })).body.fields).toEqual({
      scopes: "Your role in this workspace doesn't allow all of these",
    });
    expect((await approve(await newPerson(), request)).body.code).toBe("not_found");
  });
});

describe("an authorization code", () => {
  const allowed = async (person = team.editor) => {
    const asking = helper.asks();
    return {
      asking,
      code: codeIn(
        await helper.isAllowed(person, team.workspaceId, asking, person === team.viewer ? ["posts:read"] : ["posts:read", "posts:write"]),
      ),
    };
  };

  test("becomes a connection, announced once and listed", async () => {
    const { asking, code } = await allowed();
    const answer = await helper.exchange(code, asking);
    expect([answer.headers.get("cache-control")?.split(",")[0], answer.headers.get("pragma")]).toEqual(["no-store", "no-cache"]);
    const tokens = await tokensOf(answer);
    expect(tokens).toEqual({
      access_token: expect.stringMatching(/^tdk_[0-9A-Za-z]{36}$/),
      token_type: "Bearer",
      expires_in: 3600,
      refresh_token: expect.stringMatching(/^tdr_[\w-]{43}$/),
      scope: "posts:read posts:write",
    });
    expect(await works(tokens.access_token)).toBe(true);
    const { assistants } = assistantEndpoints.list.response.parse((await team.editor.api.get(listPath)).body);
    expect(assistants[0]).toMatchObject({
      name: "Helper",
      client_id: helper.id,
      host: new URL(helper.id).host,
      scopes: ["posts:read", "posts:write"],
      created_by: team.editor.id,
    });
    const kept = JSON.stringify([
      await sql`select * from public.api_keys where id = ${assistants[0]!.id}`,
      await sql`select * from private.assistant_codes where person_id = ${team.editor.id}`,
      assistants,
    ]);
    for (const secret of [code, tokens.access_token, tokens.refresh_token]) expect(kept).not.toContain(secret.slice(8, -4));
  });

  test("used twice ends its connection", async () => {
    const { asking, code } = await allowed();
    const tokens = await tokensOf(await helper.exchange(code, asking));
    expect(await works(tokens.access_token)).toBe(true);
    expect(await fault(await helper.exchange(code, asking))).toEqual(badGrant);
    expect(await works(tokens.access_token)).toBe(false);
    expect(await fault(await helper.refresh(tokens.refresh_token))).toEqual(badGrant);
  });

  test("used concurrently works once, and the connection then ends", async () => {
    const { asking, code } = await allowed();
    const answers = await Promise.all(Array.from({ length: 12 }, () => helper.exchange(code, asking)));
    const given = answers.filter(({ status }) => status === 200);
    expect(given).toHaveLength(1);
    expect(await works((await tokensOf(given[0]!)).access_token)).toBe(false);
  });

  test("requires its client, its redirect URI and the challenge's verifier", async () => {
    const { asking, code } = await allowed();
    const verifier = randomBytes(32).toString("base64url");
    const others: Record<string, string>[] = [
      { code_verifier: verifier },
      { code_verifier: createHash("sha256").update(asking.verifier).digest("base64url") },
      { client_id: "https://other.example/assistant.json" },
      { redirect_uri: "http://127.0.0.1:33418/elsewhere" },
      { redirect_uri: `${helper.redirectUri}/` },
      { code: `tdc_${verifier}` },
      { code: code.slice(4) },
    ];
    for (const more of others) expect([more, ...(await fault(await helper.exchange(code, asking, more)))]).toEqual([more, ...badGrant]);
    expect(await fault(await helper.exchange(code, asking, { resource: "https://elsewhere.example/api/mcp" }))).toEqual([
      400,
      "invalid_target",
    ]);
    await tokensOf(await helper.exchange(code, asking, { resource: `${stack.publicUrl}/api/mcp` })); // none of these used the code up
  });

  test("expires after a minute", async () => {
    const { asking, code } = await allowed();
    await sql`update private.assistant_codes set created_at = created_at - interval '61 seconds'
      where hash = ${createHash("sha256").update(code).digest()}`;
    expect(await fault(await helper.exchange(code, asking))).toEqual(badGrant);
  });

  test("is invalid after its user left, the workspace was deleted, or the account banned", async () => {
    const place = await newTeam();
    const codes = await Promise.all(
      [place.editor, place.admin, place.owner].map(async (person) => {
        const asking = helper.asks();
        return { asking, code: codeIn(await helper.isAllowed(person, place.workspaceId, asking)) };
      }),
    );
    expect((await place.editor.api.post(`/api/team/${place.workspaceId}/leave`)).status).toBe(200);
    await sql`update auth.users set banned_until = now() + interval '1 day' where id = ${place.admin.id}`;
    expect(await fault(await helper.exchange(codes[0]!.code, codes[0]!.asking))).toEqual(badGrant);
    expect(await fault(await helper.exchange(codes[1]!.code, codes[1]!.asking))).toEqual(badGrant);
    expect((await place.owner.api.delete(`/api/workspaces/${place.workspaceId}`, { body: { name: "Acme" } })).status).toBe(200);
    expect(await fault(await helper.exchange(codes[2]!.code, codes[2]!.asking))).toEqual(badGrant);
  });
});

describe("a token request", () => {
  test.each<[string, string, [number, string]]>([
    ["of nothing", "", [400, "invalid_request"]],
    ["of another grant", "grant_type=password&username=a&password=b&client_id=x", [400, "unsupported_grant_type"]],
    ["without a client", "grant_type=refresh_token&refresh_token=x", [400, "invalid_request"]],
    ["without a code", "grant_type=authorization_code&client_id=x&redirect_uri=y&code_verifier=z", [400, "invalid_request"]],
    ["with a short verifier", "grant_type=authorization_code&client_id=x&redirect_uri=y&code_verifier=z&code=w", [400, "invalid_request"]],
    ["with a repeated parameter", "grant_type=refresh_token&client_id=x&client_id=y&refresh_token=z", [400, "invalid_request"]],
    ["with a NUL", "grant_type=refresh_token&client_id=x%00&refresh_token=z", [400, "invalid_request"]],
    ["with an invalid refresh token", "grant_type=refresh_token&client_id=x&refresh_token=z", [400, "invalid_grant"]],
    ["that is very long", `grant_type=refresh_token&client_id=${"x".repeat(20_000)}`, [400, "invalid_request"]],
    ["in invalid UTF-8", "grant_type=refresh_token&client_id=%ff%fe&refresh_token=%ed%a0%80", [400, "invalid_grant"]],
  ])("%s is refused with OAuth's error", async (_, body, expected) => {
    expect(await fault(await helper.post("/api/oauth/token", body))).toEqual(expected);
  });
});

test("is rate limited with OAuth's error, per address", async () => {
  const size = 3;
  const api = await startFunction(stack, "api", { TIDINGS_RATE_LIMIT_SCALE: String(size / rateLimits.oauthToken.address.size) });
  const ask = (address: string) =>
    fetch(`${api.url}/api/oauth/token`, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded", "x-forwarded-for": address },
      body: "grant_type=refresh_token&client_id=x&refresh_token=y",
    });
  try {
    const network = `10.${randomBytes(1)[0]!}.${randomBytes(1)[0]!}`;
    for (let count = 0; count < size; count++) expect(await fault(await ask(`${network}.1`))).toEqual(badGrant);
    const refused = await ask(`${network}.1`);
    expect(await fault(refused)).toEqual([429, "temporarily_unavailable"]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await fault(await ask(`${network}.2`))).toEqual(badGrant);
  } finally {
    await api.stop();
  }
});

describe("a connection", () => {
  test("gets new tokens by a refresh; the old access token stays valid until its end", async () => {
    const first = await helper.connect(team.editor, team.workspaceId);
    const second = await tokensOf(await helper.refresh(first.refresh_token));
    expect(second).toMatchObject({ expires_in: 3600, scope: first.scope });
    expect(new Set([first.access_token, second.access_token, first.refresh_token, second.refresh_token]).size).toBe(4);
    expect([await works(first.access_token), await works(second.access_token)]).toEqual([true, true]);
    const third = await tokensOf(await helper.refresh(second.refresh_token));
    expect([await works(first.access_token), await works(second.access_token), await works(third.access_token)]).toEqual([
      false,
      true,
      true,
    ]);
  });

  test("refreshed concurrently returns the same tokens to all", async () => {
    const first = await helper.connect(team.editor, team.workspaceId);
    const answers = await Promise.all(Array.from({ length: 8 }, async () => tokensOf(await helper.refresh(first.refresh_token))));
    expect(new Set(answers.map(({ access_token }) => access_token)).size).toBe(1);
    expect(new Set(answers.map(({ refresh_token }) => refresh_token)).size).toBe(1);
    expect(await works(answers[0]!.access_token)).toBe(true);
  });

  test("ends when a used refresh token is reused later", async () => {
    const first = await helper.connect(team.editor, team.workspaceId);
    const second = await tokensOf(await helper.refresh(first.refresh_token));
    await sql`update private.spent_refreshes set spent_at = spent_at - interval '61 seconds' where key_id = ${first.assistant.id}`;
    expect(await fault(await helper.refresh(first.refresh_token))).toEqual(badGrant);
    expect(await works(second.access_token)).toBe(false);
    expect(await fault(await helper.refresh(second.refresh_token))).toEqual(badGrant);
  });

  test("can be refreshed thirty times an hour; more fill no table, and others aren't affected", async () => {
    const first = await helper.connect(team.editor, team.workspaceId);
    const other = await helper.connect(team.admin, team.workspaceId);
    await sql`select public.take_token('assistantRefresh', ${first.assistant.id}, 30, interval '1 hour') from generate_series(1, 29)`;
    const second = await tokensOf(await helper.refresh(first.refresh_token));
    const refused = await helper.refresh(second.refresh_token);
    expect([refused.status, refused.headers.has("retry-after"), await fault(refused)]).toEqual([
      429,
      true,
      [429, "temporarily_unavailable"],
    ]);
    expect(await works(second.access_token)).toBe(true);
    await tokensOf(await helper.refresh(other.refresh_token));
    await sql`delete from private.rate_limits where bucket = 'assistantRefresh' and key = sha256(convert_to(${first.assistant.id}, 'UTF8'))`;
    await tokensOf(await helper.refresh(second.refresh_token));
  });

  test("expires after 90 days without use", async () => {
    const { refresh_token, access_token, assistant } = await helper.connect(team.editor, team.workspaceId);
    expect(Math.round((Date.parse(assistant.expires_at) - Date.now()) / 86_400_000)).toBe(90);
    await sql`update public.api_keys set expires_at = now() where id = ${assistant.id}`;
    expect(await works(access_token)).toBe(false);
    expect(await fault(await helper.refresh(refresh_token))).toEqual(badGrant);
    const { assistants } = assistantEndpoints.list.response.parse((await team.editor.api.get(listPath)).body);
    expect(assistants.map(({ id }) => id)).not.toContain(assistant.id);
  });

  test("can be revoked by the assistant with either token, and unknown tokens count as revoked", async () => {
    for (const which of ["access_token", "refresh_token"] as const) {
      const tokens = await helper.connect(team.editor, team.workspaceId);
      expect((await helper.post("/api/oauth/revoke", { token: tokens[which], client_id: "https://other.example/x.json" })).status).toBe(
        200,
      );
      expect(await works(tokens.access_token)).toBe(true);
      expect((await helper.post("/api/oauth/revoke", { token: tokens[which], client_id: helper.id })).status).toBe(200);
      expect(await works(tokens.access_token)).toBe(false);
      expect(await fault(await helper.refresh(tokens.refresh_token))).toEqual(badGrant);
    }
    expect((await helper.post("/api/oauth/revoke", { token: "nonsense", client_id: helper.id })).status).toBe(200);
    expect(await fault(await helper.post("/api/oauth/revoke", { client_id: helper.id }))).toEqual([400, "invalid_request"]);
  });

  test("can be seen and ended by its user, owners and admins only", async () => {
    const place = await newTeam();
    const path = `/api/workspaces/${place.workspaceId}/assistants`;
    const mine = await helper.connect(place.editor, place.workspaceId, ["posts:read"]);
    const ids = async (person: Person) =>
      assistantEndpoints.list.response.parse((await person.api.get(path)).body).assistants.map(({ id }) => id);
    expect([await ids(place.owner), await ids(place.admin), await ids(place.editor), await ids(place.viewer)]).toEqual([
      [mine.assistant.id],
      [mine.assistant.id],
      [mine.assistant.id],
      [],
    ]);
    expect((await place.viewer.api.delete(`${path}/${mine.assistant.id}`)).body.code).toBe("not_found");
    expect((await team.owner.api.delete(`${path}/${mine.assistant.id}`)).body.code).toBe("not_found");
    expect((await team.owner.api.delete(`${listPath}/${mine.assistant.id}`)).body.code).toBe("not_found");
    expect(await works(mine.access_token)).toBe(true);
    expect((await place.admin.api.delete(`${path}/${mine.assistant.id}`)).status).toBe(200);
    expect((await place.admin.api.delete(`${path}/${mine.assistant.id}`)).status).toBe(200);
    expect([await works(mine.access_token), await ids(place.owner)]).toEqual([false, []]);
    const again = await helper.connect(place.editor, place.workspaceId, ["posts:read"]);
    expect((await place.editor.api.delete(`${path}/${again.assistant.id}`)).status).toBe(200);
    expect(await works(again.access_token)).toBe(false);
  });
});
