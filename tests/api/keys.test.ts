import { randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { beforeAll, describe, expect, inject, test, vi } from "vitest";
import { type ApiKey, apiKeyEndpoints, thisKeyEndpoints } from "#contract/api-keys.ts";
import { apiKeyScopes } from "#contract/api-key-scopes.ts";
import { isApiKey, makeApiKey } from "#contract/rules/api-key.ts";
import { Client } from "./support/client.ts";
import { newKey, newTeam, type Person, sql, type Team } from "./support/people.ts";
import { startFunction } from "./support/second-function.ts";

const stack = inject("stack");
let team: Team;
let keysOf: string;
beforeAll(async () => {
  team = await newTeam();
  keysOf = `/api/workspaces/${team.workspaceId}/keys`;
});

const list = async (person: Person): Promise<ApiKey[]> => apiKeyEndpoints.list.response.parse((await person.api.get(keysOf)).body).keys;
const stateOf = async (id: string) => (await list(team.owner)).find((key) => key.id === id)?.state;
const works = async (secret: string) => (await new Client(stack.url, secret).get("/api/v1/key")).status === 200;

describe("an API key", () => {
  test("is shown in full once, then by its beginning and end; newest first", async () => {
    const expires_at = new Date(Date.now() + 86_400_000).toISOString();
    const first = await newKey(team.owner, team.workspaceId, { name: "  CI  robot ", scopes: ["stats:read", "posts:read"], expires_at });
    const { key, secret } = await newKey(team.admin, team.workspaceId);
    expect(isApiKey(secret)).toBe(true);
    expect(first.key).toMatchObject({
      name: "CI robot",
      scopes: ["posts:read", "stats:read"],
      expires_at,
      created_by_name: "Olive Owner",
      state: "active",
    });
    expect(key).toMatchObject({
      start: secret.slice(0, 8),
      last4: secret.slice(-4),
      scopes: apiKeyScopes,
      expires_at: null,
      last_used_at: null,
    });
    const shown = await list(team.owner);
    expect(shown.slice(0, 2)).toEqual([key, first.key]);
    expect(JSON.stringify(shown)).not.toContain(secret.slice(8, -4));
  });

  test("returns its own name and scopes", async () => {
    const { key, secret, api } = await newKey(team.admin, team.workspaceId, { scopes: ["posts:read"] });
    const answer = await api.get("/api/v1/key");
    expect(answer.status).toBe(200);
    const { id, name, scopes, start, last4, created_at, expires_at } = key;
    const url = `http://${team.subdomain}.localhost:${stack.ports.gateway}`;
    expect(thisKeyEndpoints.read.response.parse(answer.body)).toEqual({
      key: { id, name, scopes, start, last4, created_at, expires_at },
      workspace: { id: team.workspaceId, name: "Acme", subdomain: team.subdomain, url },
    });
    expect(JSON.stringify(answer.body)).not.toContain(secret);
    const used = (await list(team.owner)).find((one) => one.id === id)!.last_used_at;
    expect(Date.now() - Date.parse(used!)).toBeLessThan(60_000);
  });

  test("stops working within a second of its revocation, also while in use, with both secrets", async () => {
    const { key, secret, api } = await newKey(team.owner, team.workspaceId);
    const rotated = await team.owner.api.post<{ secret: string }>(`${keysOf}/${key.id}/rotate`);
    let revokedAt = Infinity;
    const calling = Promise.all(
      Array.from({ length: 4 }, async () => {
        const late: number[] = [];
        while (performance.now() < revokedAt + 1_500) {
          const asked = performance.now();
          const { status } = await api.get("/api/v1/key");
          if (status === 200 && asked > revokedAt + 1_000) late.push(status);
          if (status !== 200 && performance.now() > revokedAt) break;
        }
        return late;
      }),
    );
    await vi.waitFor(async () => expect(await works(secret)).toBe(true), { timeout: 10_000 });
    expect((await team.admin.api.delete(`${keysOf}/${key.id}`)).status).toBe(200);
    revokedAt = performance.now();
    expect([await works(secret), await works(rotated.body.secret)]).toEqual([false, false]);
    expect((await calling).flat()).toEqual([]);
    expect(await stateOf(key.id)).toBe("revoked");
  });
});

describe("an API key is refused", () => {
  test("by PostgREST, Storage and the auth service, as apikey or as bearer", async () => {
    const { secret } = await newKey(team.owner, team.workspaceId);
    const headers: Record<string, string>[] = [
      { apikey: secret },
      { apikey: secret, authorization: `Bearer ${secret}` },
      { apikey: stack.publishableKey, authorization: `Bearer ${secret}` },
    ];
    for (const credentials of headers) {
      const ask = (address: string, body?: string, type = "application/json") =>
        fetch(stack.url + address, {
          method: body === undefined ? "GET" : "POST",
          headers: { ...credentials, "content-type": type },
          ...(body !== undefined && { body }),
        });
      expect((await ask("/rest/v1/posts?select=id")).status).toBe(401);
      expect((await ask("/rest/v1/rpc/my_key", "{}")).status).toBe(401);
      expect([401, 403]).toContain((await ask("/auth/v1/user")).status);
      const listed = await ask("/storage/v1/object/list/post-images", JSON.stringify({ prefix: team.workspaceId }));
      expect([200, 400, 401, 403]).toContain(listed.status);
      if (listed.status === 200) expect(await listed.json()).toEqual([]);
      const added = await ask(`/storage/v1/object/post-images/${team.workspaceId}/${randomUUID()}.png`, "x", "image/png");
      expect([400, 401, 403]).toContain(added.status);
    }
    expect(await sql`select id from storage.objects where name like ${`${team.workspaceId}/%`}`).toHaveLength(0);
  });

  test("PostgREST has no call to set the user that a request acts for", async () => {
    const { key } = await newKey(team.owner, team.workspaceId);
    for (const [name, body] of [
      ["begin_key_call", { key: key.id, call: "my_key" }],
      ["admit_key", { hash: "", size: 1, period_seconds: 1 }],
    ] as const) {
      const answer = await fetch(`${stack.url}/rest/v1/rpc/${name}`, {
        method: "POST",
        headers: {
          apikey: stack.secretKey,
          authorization: `Bearer ${stack.secretKey}`,
          "content-type": "application/json",
          "content-profile": "private",
        },
        body: JSON.stringify(body),
      });
      expect([404, 406]).toContain(answer.status);
    }
  });

  test("a malformed key is refused without the database; a key waits for it, and is answered 503", async () => {
    const alone = await startFunction(stack, "api", { SUPABASE_DB_URL: "postgresql://postgres@127.0.0.1:9/postgres" });
    try {
      const ask = async (secret: string) => (await new Client(alone.url, secret).get("/api/v1/key")).status;
      const key = makeApiKey();
      const mistyped = key.slice(0, -1) + (key.endsWith("a") ? "b" : "a");
      expect([await ask("tdk_short"), await ask(mistyped), await ask(key)]).toEqual([401, 401, 503]);
    } finally {
      await alone.stop();
    }
  });
});

test("a secret is in no log, export or error", async () => {
  const place = await newTeam();
  const { key, secret, api } = await newKey(place.owner, place.workspaceId);
  const rotated = await place.owner.api.post<{ secret: string }>(`/api/workspaces/${place.workspaceId}/keys/${key.id}/rotate`);
  const secrets = [secret, rotated.body.secret];
  const answers = [
    await api.get("/api/v1/key"),
    await api.get("/api/profiles/me"),
    await api.get("/api/v1/nothing-here"),
    await new Client(stack.url, `${secret}x`).get("/api/v1/key"),
    await place.owner.api.get(`/api/workspaces/${place.workspaceId}/export`),
    await place.owner.api.get(`/api/workspaces/${place.workspaceId}/keys`),
    await place.owner.api.post(`/api/workspaces/${place.workspaceId}/keys`, { name: secret.repeat(3), scopes: [secret] }),
  ];
  const requestId = answers.at(-1)!.headers.get("x-request-id")!;
  const logs = path.join(stack.dataDir, "logs");
  await vi.waitFor(async () => expect(await readFile(path.join(logs, "api.log"), "utf8")).toContain(requestId), {
    timeout: 10_000,
    interval: 50,
  });
  const kept = [JSON.stringify(answers.map(({ body }) => body))];
  for (const file of await readdir(logs)) kept.push(await readFile(path.join(logs, file), "utf8"));
  for (const part of secrets.flatMap((one) => [one, one.slice(8, -4)])) expect(kept.filter((text) => text.includes(part))).toEqual([]);
  const rows = await sql`select to_jsonb(k)::text as row from public.api_keys k where id = ${key.id}`;
  for (const one of secrets) expect(rows[0]!.row).not.toContain(one.slice(8, -4));
});
