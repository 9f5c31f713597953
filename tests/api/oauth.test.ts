import { createHash, randomUUID } from "node:crypto";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { Client } from "./support/client.ts";
import { newPerson, newWorkspace, type Person, signToken } from "./support/people.ts";
import { type SecondFunction, startFunction } from "./support/second-function.ts";

const stack = inject("stack");
let person: Person;
let auth: http.Server;
let api: SecondFunction;

/** The auth service with one provider, as on hosted: a code for a challenge, and a session for the code and its verifier, once. */
const codes = new Map<string, string>();
function answerAsAuthService(request: http.IncomingMessage, response: http.ServerResponse): void {
  const url = new URL(request.url!, stack.url);
  if (!url.pathname.startsWith("/auth/v1/")) return forward(request, response);
  let text = "";
  request.on("data", (chunk: Buffer) => (text += chunk.toString()));
  request.on("end", () => {
    const { auth_code: code, code_verifier: verifier } = JSON.parse(text || "{}") as Record<string, string>;
    const challenge = codes.get(code ?? "");
    codes.delete(code ?? "");
    const fits =
      challenge !== undefined &&
      createHash("sha256")
        .update(verifier ?? "")
        .digest("base64url") === challenge;
    response.writeHead(fits ? 200 : 404, { "content-type": "application/json" });
    response.end(JSON.stringify(fits ? session() : { code: 404, error_code: "flow_state_not_found", msg: "invalid flow state" }));
  });
}

function forward(request: http.IncomingMessage, response: http.ServerResponse): void {
  const options = { port: stack.ports.gateway, host: "127.0.0.1", path: request.url, method: request.method, headers: request.headers };
  request.pipe(http.request(options, (answer) => answer.pipe(response.writeHead(answer.statusCode!, answer.headers))));
}

const session = () => ({
  access_token: signToken({ sub: person.id, email: person.email }),
  refresh_token: randomUUID(),
  token_type: "bearer",
  expires_in: 3_600,
  expires_at: Math.floor(Date.now() / 1_000) + 3_600,
  user: {
    id: person.id,
    email: person.email,
    aud: "authenticated",
    app_metadata: {},
    user_metadata: {},
    created_at: new Date().toISOString(),
  },
});

beforeAll(async () => {
  person = await newPerson("Olga OAuth");
  auth = http.createServer(answerAsAuthService);
  await new Promise<void>((resolve) => auth.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(auth.address() as AddressInfo).port}`;
  api = await startFunction(stack, "api", { SUPABASE_URL: url, TIDINGS_OAUTH_PROVIDERS: "google", TIDINGS_RATE_LIMIT_SCALE: "1000" });
});
afterAll(async () => {
  await api.stop();
  auth.closeAllConnections();
  auth.close();
});

const newBrowser = () => new Client(api.url);
const own = { headers: { origin: stack.publicUrl } };

async function begin(browser: Client, query = ""): Promise<URL> {
  const answer = await fetch(`${api.url}/api/auth/login/oauth${query}`, { redirect: "manual" });
  expect(answer.status).toBe(302);
  for (const line of answer.headers.getSetCookie()) {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    browser.cookies.set(name!, value!);
    expect(line).toMatch(/SameSite=Lax/i);
    expect([name, line]).toEqual([name, expect.stringMatching(/; HttpOnly(?:;|$)/)]);
  }
  return new URL(answer.headers.get("location")!);
}

function comeBack(sentTo: URL): string {
  const code = randomUUID();
  codes.set(code, sentTo.searchParams.get("code_challenge")!);
  return code;
}

describe("signing in with a provider", () => {
  test("redirects to the auth service of this origin, with a challenge and the callback URL", async () => {
    const sentTo = await begin(newBrowser(), `?next=${encodeURIComponent("/join/complete?token=abc")}`);
    expect([sentTo.origin, sentTo.pathname]).toEqual([stack.publicUrl, "/auth/v1/authorize"]);
    expect(sentTo.searchParams.get("provider")).toBe("google");
    expect(sentTo.searchParams.get("code_challenge_method")).toBe("s256");
    const back = new URL(sentTo.searchParams.get("redirect_to")!);
    expect([back.origin, back.pathname]).toEqual([stack.publicUrl, "/auth/callback"]);
    expect(back.searchParams.get("next")).toBe("/join/complete?token=abc");
  });

  test("keeps only the path of a full URL of ours", async () => {
    const sentTo = await begin(newBrowser(), `?next=${encodeURIComponent(`${stack.publicUrl}/workspaces`)}`);
    expect(new URL(sentTo.searchParams.get("redirect_to")!).searchParams.get("next")).toBe("/workspaces");
  });

  test("ends with a session in the browser that started it", async () => {
    const { id } = await newWorkspace(person);
    const browser = newBrowser();
    const code = comeBack(await begin(browser));
    const answer = await browser.post("/api/auth/callback", { code }, own);
    const user = { id: person.id, email: person.email, full_name: "Olga OAuth" };
    expect(answer).toMatchObject({ status: 200, body: { success: true, workspaceId: id, user } });
    expect([...browser.cookies.keys()]).toEqual(["tc-auth"]);
    expect((await browser.get("/api/profiles/me")).status).toBe(200);
  });

  test("uses a code once, and not in another browser", async () => {
    const browser = newBrowser();
    const first = comeBack(await begin(browser));
    const spent = { status: 410, body: { code: "link_invalid" } };
    expect(await newBrowser().post("/api/auth/callback", { code: first }, own)).toMatchObject(spent);
    const stranger = newBrowser();
    await begin(stranger);
    expect(await stranger.post("/api/auth/callback", { code: first }, own)).toMatchObject(spent);
    const second = comeBack(await begin(browser));
    expect((await browser.post("/api/auth/callback", { code: second }, own)).status).toBe(200);
    expect(await browser.post("/api/auth/callback", { code: second }, own)).toMatchObject(spent);
  });

  test("can start with the sign-in call, which returns the redirect", async () => {
    const browser = newBrowser();
    const answer = await browser.post<{ url: string }>("/api/auth/login", { provider: "google" }, own);
    expect(answer).toMatchObject({ status: 200, body: { workspaceId: null, user: null } });
    const code = comeBack(new URL(answer.body.url));
    expect((await browser.post("/api/auth/callback", { code }, own)).status).toBe(200);
  });

  test("is refused for an unconfigured or unknown provider", async () => {
    const github = await newBrowser().get("/api/auth/login/oauth?provider=github");
    expect([github.status, github.body.code]).toEqual([404, "provider_unavailable"]);
    expect(await newBrowser().get("/api/auth/login/oauth?provider=apple")).toMatchObject({
      status: 422,
      body: { code: "validation_failed" },
    });
    expect((await new Client(stack.url).post("/api/auth/login", { provider: "google" })).body.code).toBe("provider_unavailable");
    expect((await new Client(stack.url).post("/api/auth/login", { provider: "apple" })).body.fields).toHaveProperty("provider");
  });

  test.each([{}, { code: "" }, { code: 7 }, { code: "x".repeat(2_049) }])("with %j as an answer is refused", async (body) => {
    expect(await newBrowser().post("/api/auth/callback", body, own)).toMatchObject({ status: 422, body: { code: "validation_failed" } });
  });
});
