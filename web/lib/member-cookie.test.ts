import { expect, test } from "vitest";
import { memberCookieHeader } from "./member-cookie.ts";

const at = (address: string): Pick<Location, "hostname" | "protocol"> => new URL(address);

test("memberCookieHeader lists the workspaces for the parent domain, for 30 days", () => {
  expect(memberCookieHeader(["acme", "beta"], at("https://tidings.example/workspaces"))).toBe(
    "tc-member=acme.beta; Path=/releases; Domain=tidings.example; SameSite=Lax; Max-Age=2592000; Secure",
  );
});
test.each(["http://localhost:3000", "http://127.0.0.1:3000"])("memberCookieHeader at %s is limited to the host", (address) => {
  expect(memberCookieHeader(["acme"], at(address))).toBe("tc-member=acme; Path=/releases; SameSite=Lax; Max-Age=2592000");
});
test("memberCookieHeader without workspaces deletes the cookie", () => {
  expect(memberCookieHeader([], at("http://localhost:3000"))).toBe("tc-member=; Path=/releases; SameSite=Lax; Max-Age=0");
});
test("memberCookieHeader limits its size", () => {
  expect(
    memberCookieHeader(
      Array.from({ length: 500 }, (_, index) => `${index}`.padEnd(63, "x")),
      at("https://t.example"),
    ).length,
  ).toBeLessThan(4_000);
});
