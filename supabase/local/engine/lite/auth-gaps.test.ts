import type { Sql } from "postgres";
import { beforeEach, expect, test, vi } from "vitest";
import { refuseAuth } from "../auth-refusal.ts";
import { closeAuthGaps } from "./auth-gaps.ts";
import { PasswordHashing } from "./password-hashing.ts";

const passwords = new PasswordHashing();
const compare = vi.spyOn(passwords, "compare");
const hash = vi.spyOn(passwords, "hash");
const rightHash = "the hash of the right password";
beforeEach(() => {
  compare.mockReset().mockImplementation((password, of) => Promise.resolve(password === "right" && of === rightHash));
  hash.mockReset().mockResolvedValue("a hash");
});

function authWith(answer: () => Response, account?: { hash: string | null; isConfirmed: boolean }) {
  const sql = (() => Promise.resolve(account ? [account] : [])) as unknown as Sql;
  const mail = { send: () => Promise.resolve() } as never;
  const lite = { fetch: () => Promise.resolve(answer()), lostConnections: () => 0 };
  const auth = closeAuthGaps(lite, { sql, mail, passwords, config: { auth: {} } as never, siteUrl: "http://localhost" });
  return (method: string, path: string, body: object) =>
    auth.fetch(new Request(`http://localhost/auth/v1/${path}`, { method, body: JSON.stringify(body) }), "192.0.2.1");
}
const email = "ada@example.com";
const invalid = () => refuseAuth(400, "invalid_credentials", "Invalid login credentials");
const unconfirmed = () => refuseAuth(400, "email_not_confirmed", "Email not confirmed");
const codeOf = async (answer: Response) => ((await answer.json()) as { error_code?: string }).error_code;

test.each([
  ["an unknown address", undefined],
  ["an account without a password", { hash: null, isConfirmed: true }],
])("signing in with %s costs a hash, like other sign-ins", async (_, account) => {
  const answer = await authWith(invalid, account)("POST", "token?grant_type=password", { email, password: "wrong" });
  expect(await codeOf(answer)).toBe("invalid_credentials");
  expect(compare.mock.calls).toEqual([["wrong", expect.stringMatching(/^\$2b\$10\$.{53}$/)]]);
});

test("signing in to a confirmed account costs only lite's hash", async () => {
  await authWith(invalid, { hash: rightHash, isConfirmed: true })("POST", "token?grant_type=password", { email, password: "wrong" });
  expect(compare).not.toHaveBeenCalled();
});

test.each([
  ["wrong", "invalid_credentials"],
  ["right", "email_not_confirmed"],
])("an unconfirmed account compares the %s password once and responds %s", async (password, code) => {
  const signIn = authWith(unconfirmed, { hash: rightHash, isConfirmed: false });
  expect(await codeOf(await signIn("POST", "token?grant_type=password", { email, password }))).toBe(code);
  expect(compare.mock.calls).toEqual([[password, rightHash]]);
});

test("signing up with a known address costs a hash, like a new one", async () => {
  const known = () => refuseAuth(422, "user_already_exists", "User already registered");
  expect((await authWith(known)("POST", "signup", { email, password: "a password" })).status).toBe(200);
  expect(hash.mock.calls).toEqual([["a password", 10]]);
});

test.each([
  ["POST", "token?grant_type=password", 503],
  ["POST", "signup", 503],
  ["PUT", "user", 503],
  ["POST", "recover", 200],
])("%s %s responds %i when the hashing queue is full", async (method, path, status) => {
  const admit = vi.spyOn(passwords, "admit").mockResolvedValue(null);
  expect((await authWith(() => Response.json({}))(method, path, { email, password: "a password" })).status).toBe(status);
  admit.mockRestore();
});
