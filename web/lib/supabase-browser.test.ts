import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { ada, ids } from "../../tests/support/web/fixtures.ts";
import { stubApi } from "../../tests/support/web/stub-api.ts";

const user = { id: ids.person, email: ada.email, user_metadata: {}, app_metadata: {}, aud: "", created_at: ada.created_at };
const day = 86_400;

function sessionOf(seconds: number) {
  const expires_at = Math.floor(Date.now() / 1000) + seconds;
  const claims = Buffer.from(JSON.stringify({ sub: ids.person, exp: expires_at })).toString("base64url");
  return { access_token: `e30.${claims}.c2ln`, refresh_token: "r", token_type: "bearer", expires_in: seconds, expires_at, user };
}

function signedIn(seconds: number, { remember }: { remember: boolean }) {
  const session = sessionOf(seconds);
  document.cookie = `tc-auth=base64-${Buffer.from(JSON.stringify(session)).toString("base64url")}; path=/`;
  if (!remember) document.cookie = "tc-remember=0; path=/";
}

function written(): () => string | undefined {
  const set = vi.spyOn(document, "cookie", "set");
  return () => set.mock.calls.map(([line]) => line).findLast((line) => line.startsWith("tc-auth=base64-"));
}

const browser = async () => (await import("./supabase-browser.ts")).supabaseBrowser();

beforeEach(() => {
  vi.resetModules();
  stubApi({
    "PUT /auth/v1/user": user,
    "POST /auth/v1/token": () => ({ ...sessionOf(3_600), refresh_token: "next" }),
  });
});
afterEach(() => {
  for (const name of ["tc-auth", "tc-remember"]) document.cookie = `${name}=; path=/; max-age=0`;
});

test.each([
  ["a password change", 3_600, async () => (await browser()).auth.updateUser({ password: "another secret" })],
  ["a refresh", 30, async () => (await browser()).auth.getSession()],
])("%s keeps a browser session a browser session", async (_, seconds, act) => {
  signedIn(seconds, { remember: false });
  const cookie = written();
  expect((await act()).error).toBeNull();
  expect(cookie()).toBeDefined();
  expect(cookie()).not.toMatch(/max-age|expires/i);
  expect(cookie()).toMatch(/Path=\/.*SameSite=Lax/i);
});

test("a refresh keeps a remembered session remembered", async () => {
  signedIn(3_600, { remember: true });
  const cookie = written();
  await (await browser()).auth.updateUser({ password: "another secret" });
  expect(Number(/max-age=(\d+)/i.exec(cookie() ?? "")?.[1])).toBeGreaterThan(30 * day);
  expect(cookie()).not.toMatch(/secure/i);
});

test.each([
  [429, { code: "over_request_rate_limit", message: "Request rate limit reached" }],
  [403, { message: "blocked by a firewall" }],
])("a refresh that fails with %i is retried and keeps the session", async (status, body) => {
  const refusals = [Response.json(body, { status }), Response.json(body, { status })];
  stubApi({ "POST /auth/v1/token": () => refusals.pop() ?? { ...sessionOf(3_600), refresh_token: "next" } });
  signedIn(-60, { remember: true });
  const set = vi.spyOn(document, "cookie", "set");
  const { data } = await (await browser()).auth.getSession();
  expect(data.session?.refresh_token).toBe("next");
  expect(set.mock.calls.filter(([line]) => line.startsWith("tc-auth=;"))).toEqual([]);
});

test("a refresh of an ended session ends it", async () => {
  const refused = { code: "refresh_token_already_used", message: "Invalid Refresh Token: Already Used" };
  const api = stubApi({ "POST /auth/v1/token": () => Response.json(refused, { status: 400 }) });
  vi.spyOn(console, "error").mockImplementation(() => {});
  signedIn(-60, { remember: true });
  expect((await (await browser()).auth.getSession()).data.session).toBeNull();
  expect(document.cookie).not.toContain("tc-auth");
  expect(api.to("POST /auth/v1/token")).toHaveLength(1);
});

test("the session cookie is Secure on https", async () => {
  const { location } = window;
  onTestFinished(() => void vi.stubGlobal("location", location));
  vi.stubGlobal("location", {
    origin: "https://tidings.example",
    protocol: "https:",
    href: "https://tidings.example/",
    search: "",
    hash: "",
  });
  signedIn(3_600, { remember: true });
  const cookie = written();
  await (await browser()).auth.updateUser({ password: "another secret" });
  expect(cookie()).toMatch(/; Secure/i);
});
