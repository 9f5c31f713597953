import { describe, expect, test } from "vitest";
import { SessionCookies } from "./cookies.ts";

function written(secure: boolean): Record<string, string[]> {
  const cookies = new SessionCookies(null, secure);
  const options = { path: "/elsewhere", sameSite: "none", httpOnly: false, maxAge: 60 } as const;
  const names = ["tc-auth", "tc-auth.0", "tc-auth-code-verifier", "tc-auth-flow-1-code-verifier", "tc-auth-code-verifier.0"];
  cookies.write(names.map((name) => ({ name, value: "x", options })));
  return Object.fromEntries(
    cookies.lines().map((line) => {
      const [pair = "", ...attributes] = line.split("; ");
      return [pair.split("=")[0]!, attributes];
    }),
  );
}

describe("cookies of a session", () => {
  test("the PKCE cookie is HttpOnly, the session isn't", () => {
    const httpOnly = Object.entries(written(true)).filter(([, attributes]) => attributes.includes("HttpOnly"));
    expect(httpOnly.map(([name]) => name)).toEqual(["tc-auth-code-verifier", "tc-auth-flow-1-code-verifier", "tc-auth-code-verifier.0"]);
  });

  test.each([
    [true, ["Path=/", "SameSite=Lax", "Secure"]],
    [false, ["Path=/", "SameSite=Lax"]],
  ])("with https %s each cookie is limited to this host", (secure, own) => {
    for (const [name, attributes] of Object.entries(written(secure))) {
      expect([name, attributes.filter((attribute) => !/^(?:HttpOnly|Max-Age=60)$/.test(attribute)).toSorted()]).toEqual([name, own]);
    }
  });
});
