import { generateKeyPairSync, randomUUID } from "node:crypto";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { apiKeyScopes } from "#contract/api-key-scopes.ts";
import { isForKeys, type KeyAccess } from "#contract/endpoint.ts";
import { errorBody } from "#contract/error-body.ts";
import { makeApiKey } from "#contract/rules/api-key.ts";
import { errorCatalogue, type ErrorCode } from "#contract/errors.ts";
import { type Answer, Client } from "./support/client.ts";
import { everythingOf } from "./support/everything.ts";
import { newKey, newPerson, type Person, signedInBrowser, signToken, type Team } from "./support/people.ts";
import { newPlace } from "./support/places.ts";
import { allEndpoints, type NamedEndpoint, type Place, placeAt, request, samples, withKey, withSession } from "./support/samples.ts";

const { url, publishableKey } = inject("stack");

let team: Team;
let stranger: Person;
let place: Place;
let browser: Client;
let ownersKey: string;
const anonymous = new Client(url);

beforeAll(async () => {
  ({ team, place } = await newPlace());
  stranger = await newPerson("Sam Stranger");
  browser = await signedInBrowser(team.owner);
  ownersKey = (await newKey(team.owner, team.workspaceId)).secret;
});

function expectRefusal(answer: Answer, code: ErrorCode): void {
  expect({ status: answer.status, code: answer.body.code }).toEqual({ status: errorCatalogue[code].status, code });
  const { error, fields } = errorBody.parse(answer.body);
  expect(error).toBe(fields?.authorization ?? errorCatalogue[code].sentence);
}

const everything = () => everythingOf(place.workspaceId);

test("every call with a session or body has a sample request", () => {
  const needed = allEndpoints
    .filter(({ endpoint }) => !isForKeys(endpoint.access) && (endpoint.access !== "public" || endpoint.body))
    .map(({ name }) => name);
  expect(needed.filter((name) => !(name in samples))).toEqual([]);
});

const { publicKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
const hour = 3_600;
const now = () => Math.floor(Date.now() / 1_000);
const none = (token: string) => `${Buffer.from('{"alg":"none","typ":"JWT"}').toString("base64url")}.${token.split(".")[1]}.`;

const badTokens: Record<string, (person: Person) => string> = {
  "is no token": () => "not-a-token",
  "has expired": ({ id }) => signToken({ sub: id, exp: now() - hour }),
  "never expires": ({ id }) => signToken({ sub: id, exp: undefined }),
  "is unsigned (alg none)": ({ id }) => none(signToken({ sub: id })),
  "is signed with another secret": ({ id }) => signToken({ sub: id }, { secret: "x".repeat(48) }),
  "is signed with a public key as if it were the secret": ({ id }) =>
    signToken({ sub: id }, { secret: publicKey.export({ type: "spki", format: "pem" }).toString() }),
  "says RS256 but is signed with the secret": ({ id }) => signToken({ sub: id }, { header: { alg: "RS256", typ: "JWT" } }),
  "is for another audience": ({ id }) => signToken({ sub: id, aud: "somebody-else" }),
  "is the service's own": ({ id }) => signToken({ sub: id, role: "service_role" }),
  "names no person": () => signToken({ sub: "admin" }),
  "is of a session that has ended": ({ id }) => signToken({ sub: id, session_id: randomUUID() }),
  "is of another person's session": ({ id }) => signToken({ sub: id, session_id: team.viewer.id }),
  "is of no session": ({ id }) => signToken({ sub: id, session_id: undefined }),
  "is the publishable key": () => publishableKey,
};

describe("a token that", () => {
  for (const [what, make] of Object.entries(badTokens)) {
    test(`${what} isn't a session`, async () => {
      expectRefusal(await new Client(url, make(team.owner)).get("/api/profiles/me"), "unauthenticated");
    });
  }

  test("was changed after signing isn't a session", async () => {
    const [head, , signature] = team.viewer.token.split(".");
    const claims = Buffer.from(
      JSON.stringify({ sub: team.owner.id, aud: "authenticated", role: "authenticated", exp: now() + hour }),
    ).toString("base64url");
    expectRefusal(await new Client(url, `${head}.${claims}.${signature}`).get("/api/profiles/me"), "unauthenticated");
  });

  test("is invalid is refused, even beside a valid cookie", async () => {
    expectRefusal(await browser.get("/api/profiles/me", { headers: { authorization: "Bearer nonsense" } }), "unauthenticated");
  });
});

describe.each(withSession)("$name", (call: NamedEndpoint) => {
  const { endpoint } = call;
  const isWrite = endpoint.method !== "GET";

  test("needs a session", async () => {
    const before = await everything();
    expectRefusal(await request(anonymous, call, place), "unauthenticated");
    expectRefusal(await request(new Client(url, badTokens["has expired"]!(team.owner)), call, place), "unauthenticated");
    const ofAnEndedSession = signToken({ sub: team.owner.id, session_id: randomUUID() });
    expectRefusal(await request(new Client(url, ofAnEndedSession), call, place), "unauthenticated");
    const withAKey = await request(new Client(url, ownersKey), call, place);
    expectRefusal(withAKey, "unauthenticated");
    expect(withAKey.body.fields).toEqual({ authorization: "API keys are for /api/v1. This call is for people who are signed in." });
    expect(await everything()).toBe(before);
  });

  if (isWrite)
    test("with a cookie, accepts only our own origin", async () => {
      const before = await everything();
      for (const origin of [
        null,
        "null",
        "https://evil.example",
        browser.url.replace("localhost", "acme.localhost"),
        `${browser.url}.evil.example`,
      ]) {
        expectRefusal(await request(browser, call, place, { headers: { origin } }), "cross_origin");
      }
      expect(await everything()).toBe(before);
    });

  if (isWrite)
    test("with a cookie, refuses content types of a plain form", async () => {
      const before = await everything();
      const types = ["text/plain", "application/x-www-form-urlencoded", ...(endpoint.multipart ? [] : ["multipart/form-data; boundary=x"])];
      for (const type of types)
        expectRefusal(await request(browser, call, place, { body: "a=b", headers: { "content-type": type } }), "unsupported_media_type");
      expect(await everything()).toBe(before);
    });

  const mustHaveBody = endpoint.body !== undefined && !endpoint.body.safeParse(undefined).success;
  if (mustHaveBody)
    test("accepts only JSON within a size limit", async () => {
      const before = await everything();
      const send = (body: string, type = "application/json") =>
        request(team.owner.api, call, place, { body, headers: { "content-type": type } });
      expectRefusal(await send('{"title": "x"', "application/json"), "invalid_json");
      expectRefusal(await send(""), "invalid_json");
      expectRefusal(await send("{}", "text/plain"), "unsupported_media_type");
      expectRefusal(await send("[]"), "validation_failed");
      expectRefusal(await send("null"), "validation_failed");
      expectRefusal(await send(JSON.stringify({ pad: "x".repeat(2_200_000) })), "body_too_large");
      expect(await everything()).toBe(before);
    });

  const perWorkspace = Array.isArray(endpoint.access) || call.name === "posts.upcoming";
  if (perWorkspace)
    test("is 404 for a member of another workspace, and for an unknown id", async () => {
      const before = await everything();
      expectRefusal(await request(stranger.api, call, place), "not_found");
      expectRefusal(await request(team.owner.api, call, placeAt(randomUUID())), "not_found");
      expect(await everything()).toBe(before);
    });

  const byId = endpoint.params !== undefined && !endpoint.path.includes("{token}");
  if (byId)
    test("is 404 for a malformed id", async () => {
      for (const id of ["1", "not-a-uuid", "00000000-0000-0000-0000-00000000000g", "..%2f..%2fetc", "%00"]) {
        expectRefusal(await request(team.owner.api, call, placeAt(id)), "not_found");
      }
    });
});

describe.each(withKey)("$name, for programs,", ({ endpoint }) => {
  const path = endpoint.path.replace(/\{\w+\}/g, randomUUID());
  const send = (client: Client, authorization: string | null) => client.send(endpoint.method, path, { headers: { authorization } });

  const { scope, alsoAssistants } = endpoint.access as KeyAccess;
  test("accepts a valid key only", async () => {
    const revoked = await newKey(team.owner, team.workspaceId);
    await team.owner.api.delete(`/api/workspaces/${team.workspaceId}/keys/${revoked.key.id}`);
    const before = await everything();
    for (const authorization of [
      null,
      `Bearer ${team.owner.token}`,
      `Bearer ${publishableKey}`,
      "Bearer tdk_",
      `Bearer ${makeApiKey()}`,
      `Bearer ${revoked.secret}`,
    ]) {
      const answer = await send(browser, authorization);
      expectRefusal(answer, "unauthenticated");
      expect([answer.headers.get("www-authenticate"), Object.keys(answer.body.fields!)]).toEqual([
        expect.stringMatching(alsoAssistants ? /^Bearer .*resource_metadata="/ : /^Bearer$/),
        ["authorization"],
      ]);
    }
    expect(await everything()).toBe(before);
  });

  if (scope !== null)
    test(`needs the scope ${scope}, and returns it`, async () => {
      const { secret } = await newKey(team.owner, team.workspaceId, { scopes: apiKeyScopes.filter((one) => one !== scope) });
      const before = await everything();
      const answer = await send(anonymous, `Bearer ${secret}`);
      expectRefusal(answer, "scope_missing");
      expect([answer.body.scope, answer.headers.get("www-authenticate")]).toEqual([
        scope,
        `Bearer error="insufficient_scope", scope="${scope}"`,
      ]);
      expect(await everything()).toBe(before);
    });
});

test("a body without a length is limited while reading", async () => {
  const piece = new TextEncoder().encode("x".repeat(100_000));
  let sent = 0;
  const body = new ReadableStream({ pull: (controller) => (sent++ < 30 ? controller.enqueue(piece) : controller.close()) });
  expectRefusal(await team.owner.api.post("/api/posts", body), "body_too_large");
});

test("another method is refused with the allowed ones", async () => {
  const answer = await team.owner.api.send("PATCH", "/api/workspaces");
  expectRefusal(answer, "method_not_allowed");
  expect(answer.headers.get("allow")).toBe("GET");
  expectRefusal(await team.owner.api.get("/api/nothing/here"), "not_found");
});

test("responses aren't cached, have an id, and have no field outside the contract", async () => {
  const answer = await team.owner.api.get("/api/profiles/me");
  expect(answer.headers.get("cache-control")).toMatch(/^no-store\b/);
  expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  expect(answer.headers.get("x-request-id")).toMatch(/^[\w-]{8,64}$/);
});
