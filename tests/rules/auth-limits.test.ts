import { describe, expect, test } from "vitest";
import { limitStrangers } from "../../supabase/local/auth-limits.ts";

const outside = "203.0.113.7";
const host = "192.168.1.5";

/** What a stranger's request gets when each bucket holds two; `asked` are the buckets that were counted. */
function service() {
  const asked: string[] = [];
  const left = new Map<string, number>();
  const lite = { fetch: (_request: Request, _peerAddress: string) => Promise.resolve(new Response("lite")) };
  const { fetch } = limitStrangers(
    lite,
    async (bucket, key) => {
      asked.push(`${bucket} ${key}`);
      const now = left.get(`${bucket} ${key}`) ?? 2;
      left.set(`${bucket} ${key}`, Math.max(0, now - 1));
      return now > 0 ? 0 : 30;
    },
    host,
  );
  const post = (path: string, body: object, from = outside) =>
    fetch(new Request(`http://127.0.0.1/auth/v1/${path}`, { method: "POST", body: JSON.stringify(body) }), from);
  return { asked, post };
}

describe("the auth service, asked past /api", () => {
  test("counts guesses of a password by address and by account, whatever their case", async () => {
    const { asked, post } = service();
    await post("token?grant_type=password", { email: " Ada@Example.com ", password: "x" });
    expect(asked).toEqual([`signIn.address ${outside}`, "signIn.account ada@example.com"]);
  });

  test.each([
    ["token?grant_type=password", { email: "ada@example.com", password: "x" }],
    ["verify", { email: "ada@example.com", token: "0000000000", type: "recovery" }],
    ["verify", { token_hash: "00", type: "recovery" }],
    ["recover", { email: "ada@example.com" }],
    ["resend", { email: "ada@example.com", type: "signup" }],
    ["signup", { email: "ada@example.com", password: "x" }],
  ])("refuses %s %o once there were too many, and says for how long", async (path, body) => {
    const { post } = service();
    expect([(await post(path, body)).status, (await post(path, body)).status]).toEqual([200, 200]);
    const refused = await post(path, body);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "30"]);
    expect(await refused.json()).toMatchObject({ error_code: "over_request_rate_limit" });
  });

  test("takes a body that is no JSON as it comes", async () => {
    const { asked, post } = service();
    expect((await post("token", [] as object)).status).toBe(200);
    expect(asked).toEqual([`signIn.address ${outside}`]);
  });

  test("leaves our functions' calls to the functions, which have counted them", async () => {
    const { asked, post } = service();
    for (const from of ["127.0.0.1", "::1", "::ffff:127.0.0.1", host]) await post("recover", { email: "ada@example.com" }, from);
    expect(asked).toEqual([]);
  });

  test.each(["%74oken?grant_type=password", "%6ftp", "signu%70"])("knows no other spelling of its addresses: %s", async (path) => {
    const { asked, post } = service();
    expect((await post(path, { email: "ada@example.com", password: "x" })).status).toBe(404);
    expect(asked).toEqual([]);
  });

  test.each(["otp", "magiclink"])("knows no /%s, for whomever it is asked", async (path) => {
    const { post } = service();
    for (const from of [outside, "127.0.0.1"]) expect((await post(path, { email: "ada@example.com" }, from)).status).toBe(422);
  });
});
