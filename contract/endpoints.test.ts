import { describe, expect, test } from "vitest";
import type { Endpoint } from "#contract/endpoint.ts";
import { endpoints } from "#contract/endpoints.ts";
import { errorCatalogue, isErrorCode } from "#contract/errors.ts";
import { tools } from "#contract/mcp/tools.ts";
import { assistantScopes } from "#contract/oauth.ts";
import { createApp } from "../edge-functions/api/app.ts";
import type { Env } from "../edge-functions/_shared/env.ts";

const all = Object.values(endpoints).flatMap((area) => Object.values(area)) as unknown as Endpoint[];
const shown = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;

const env: Env = {
  supabaseUrl: "http://supabase.example",
  publishableKey: "sb_publishable_1",
  secretKey: "sb_secret_1",
  databaseUrl: "postgresql://x",
  jwks: [],
  publicUrl: "http://localhost:3000",
  captchaSiteKey: null,
  analyticsSrc: null,
  oauthProviders: [],
  mail: null,
  mailRate: 10,
  mailFirstWeek: 500,
  mailEvents: { secret: null, signing: [], login: null },
  dkimSelector: null,
  webhooksToPrivate: false,
  importsToPrivate: false,
  backupsToPrivate: false,
  assistantsToPrivate: false,
  signOnToPrivate: false,
  dnsServer: null,
  domainsAt: null,
  certificateAuthorities: ["letsencrypt.org"],
  importHosts: {},
  securityContact: null,
  trustedProxies: 1,
  rateLimitScale: 1,
};

describe("the table of endpoints", () => {
  test("names every call once", () => {
    expect(all.map(shown).sort()).toEqual([...new Set(all.map(shown))].sort());
  });

  test.each(all.map((endpoint) => [shown(endpoint), endpoint] as const))("%s is complete", (_, endpoint) => {
    const named = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const params = (endpoint.params as { shape?: object } | undefined)?.shape ?? {};
    expect(Object.keys(params).sort()).toEqual(named.sort());
    expect(endpoint.path).toMatch(/^\/api(\/[a-z][a-z0-9-]*|\/\{\w+\})+(\.(json|csv))?$/);
    expect(endpoint.summary).toMatch(/^[A-Z].*[^.]$/);
    if (endpoint.method === "GET") expect([endpoint.body, endpoint.multipart]).toEqual([undefined, undefined]);
    if (endpoint.multipart) expect(endpoint.body).toBeUndefined();
    for (const code of endpoint.errors ?? []) expect(isErrorCode(code)).toBe(true);
  });

  test.each([
    "POST /api/workspaces/create",
    "GET /api/workspaces",
    "GET /api/dashboard/{workspaceId}/all",
    "POST /api/public/changelog/toggle",
    "GET /api/team/role/{workspaceId}",
    "POST /api/auth/login",
    "POST /api/auth/signup",
    "POST /api/auth/logout",
    "GET /api/profiles/me",
    "POST /api/posts",
    "PUT /api/posts/{id}",
    "GET /api/workspaces/{workspaceId}/posts",
    "GET /api/posts/{id}",
    "DELETE /api/posts/{id}",
    "GET /api/posts/upcoming",
    "GET /api/workspaces/{workspaceId}/posts/search",
    "GET /api/posts/{id}/version",
    "POST /api/team/{accountId}/invites",
    "GET /api/team/invites/{token}",
    "POST /api/team/invites/{token}/accept",
    "GET /api/team/{id}/team",
    "GET /api/team/workspace/{workspaceId}/account",
    "GET /api/team/{id}/role",
    "DELETE /api/team/{id}/members/{memberId}",
    "PATCH /api/team/{id}/members/{memberId}/role",
    "POST /api/team/{accountId}/invite",
    "GET /api/team/invite/validate/{token}",
    "POST /api/team/join",
    "POST /api/team/join/session",
    "GET /api/auth/login/oauth",
    "POST /api/auth/callback",
    "GET /api/widget-settings/{workspaceId}",
    "POST /api/widget-settings/{workspaceId}",
    "POST /api/workspaces/{workspaceId}/editor/image-upload",
  ])("has section 7's %s", (row) => {
    expect(all.map(shown)).toContain(row);
  });

  test("matches the routes the function serves", () => {
    const served = createApp(env, () => {})
      .routes.filter(({ method }) => method !== "ALL")
      .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, "{$1}")}`);
    expect([...new Set(served)].sort()).toEqual(all.map(shown).sort());
  });
});

test("every error has a 4xx or 5xx status and its own message", () => {
  const sentences = Object.values(errorCatalogue).map(({ sentence }) => sentence);
  expect(new Set(sentences).size).toBe(sentences.length);
  for (const { status, sentence } of Object.values(errorCatalogue)) {
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(600);
    expect(sentence).toMatch(/^[A-Z]/);
  }
});

test("assistants can request exactly the scopes that tools need", () => {
  const needed = new Set(Object.values(tools).flatMap(({ scopes }) => scopes));
  expect(new Set(assistantScopes)).toEqual(needed);
});
