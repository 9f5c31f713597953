import { describe, expect, test } from "vitest";
import { limitStrangers } from "./auth-limits.ts";

const outside = "203.0.113.7";
const host = "192.168.1.5";

function service(status = 400) {
  const asked: string[] = [];
  const left = new Map<string, number>();
  const lite = { fetch: (_request: Request, _peerAddress: string) => Promise.resolve(new Response("lite", { status })) };
  const leftIn = (bucket: string, key: string) => left.get(`${bucket} ${key}`) ?? (bucket.endsWith(".account") ? 4 : 2);
  const { fetch } = limitStrangers(
    lite,
    {
      async take(bucket, key) {
        asked.push(`${bucket} ${key}`);
        const now = leftIn(bucket, key);
        left.set(`${bucket} ${key}`, Math.max(0, now - 1));
        return now > 0 ? 0 : 30;
      },
      async giveBack(bucket, key) {
        left.set(`${bucket} ${key}`, leftIn(bucket, key) + 1);
      },
    },
    host,
  );
  const post = (path: string, body: object, from = outside) =>
    fetch(new Request(`http://127.0.0.1/auth/v1/${path}`, { method: "POST", body: JSON.stringify(body) }), from);
  return { asked, post };
}

describe("the auth service, asked past /api", () => {
  test("limits password guesses by address and account, in any case", async () => {
    const { asked, post } = service();
    await post("token?grant_type=password", { email: " Ada@Example.com ", password: "x" });
    const buckets = [`address ${outside}`, `accountAtAddress ada@example.com ${outside}`, "account ada@example.com"];
    expect(asked).toEqual(buckets.map((bucket) => `signIn.${bucket}`));
  });

  test.each([
    ["token?grant_type=password", { email: "ada@example.com", password: "x" }],
    ["verify", { email: "ada@example.com", token: "0000000000", type: "recovery" }],
    ["verify", { token_hash: "00", type: "recovery" }],
    ["recover", { email: "ada@example.com" }],
    ["resend", { email: "ada@example.com", type: "signup" }],
    ["signup", { email: "ada@example.com", password: "x" }],
  ])("limits %s %o and returns the retry time", async (path, body) => {
    const { post } = service();
    expect([(await post(path, body)).status, (await post(path, body)).status]).toEqual([400, 400]);
    const refused = await post(path, body);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "30"]);
    expect(await refused.json()).toMatchObject({ error_code: "over_request_rate_limit" });
  });

  const elsewhere = Array.from({ length: 9 }, (_, index) => `198.51.100.${index}`);

  test("one address can't use up an account's limit, several can", async () => {
    const { post } = service();
    const guess = (from: string) => post("token?grant_type=password", { email: "ada@example.com", password: "x" }, from);
    for (let count = 0; count < 9; count++) await guess(outside);
    const [third, fourth, fifth] = [await guess(elsewhere[0]!), await guess(elsewhere[1]!), await guess(elsewhere[2]!)];
    expect([third.status, fourth.status, fifth.status]).toEqual([400, 400, 429]);
  });

  test("a correct password isn't counted", async () => {
    const { post } = service(200);
    const signIn = (from: string) => post("token?grant_type=password", { email: "ada@example.com", password: "x" }, from);
    for (const from of elsewhere) expect((await signIn(from)).status).toBe(200);
    const statuses = [await signIn(outside), await signIn(outside), await signIn(outside)].map(({ status }) => status);
    expect(statuses).toEqual([200, 200, 429]);
  });

  test.each(["recover", "resend"])("%s for an account that got too many emails responds as usual and sends nothing", async (path) => {
    const { post } = service();
    for (const from of elsewhere.slice(0, 4)) expect((await post(path, { email: "ada@example.com" }, from)).status).toBe(400);
    const answer = await post(path, { email: "ada@example.com" });
    expect([answer.status, await answer.json()]).toEqual([200, {}]);
  });

  test("forwards a body that isn't JSON unchanged", async () => {
    const { asked, post } = service();
    expect((await post("token", [] as object)).status).toBe(400);
    expect(asked).toEqual([`signIn.address ${outside}`]);
  });

  test("doesn't count calls of functions, which count themselves", async () => {
    const { asked, post } = service();
    for (const from of ["127.0.0.1", "::1", "::ffff:127.0.0.1", host]) await post("recover", { email: "ada@example.com" }, from);
    expect(asked).toEqual([]);
  });

  test.each(["%74oken?grant_type=password", "%6ftp", "signu%70"])("refuses other spellings of its paths: %s", async (path) => {
    const { asked, post } = service();
    expect((await post(path, { email: "ada@example.com", password: "x" })).status).toBe(404);
    expect(asked).toEqual([]);
  });

  test.each(["otp", "magiclink"])("/%s doesn't exist for anyone", async (path) => {
    const { post } = service();
    for (const from of [outside, "127.0.0.1"]) expect((await post(path, { email: "ada@example.com" }, from)).status).toBe(422);
  });
});
