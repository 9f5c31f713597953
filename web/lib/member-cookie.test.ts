import { expect, test } from "vitest";
import { memberNote } from "./member-cookie.ts";

const at = (address: string): Pick<Location, "hostname" | "protocol"> => new URL(address);

test("the note names the workspaces, for the pages of every one of them, and not for long", () => {
  expect(memberNote(["acme", "beta"], at("https://tidings.example/workspaces"))).toBe(
    "tc-member=acme.beta; Path=/releases; Domain=tidings.example; SameSite=Lax; Max-Age=2592000; Secure",
  );
});
test.each(["http://localhost:3000", "http://127.0.0.1:3000"])("at %s it is for the one host", (address) => {
  expect(memberNote(["acme"], at(address))).toBe("tc-member=acme; Path=/releases; SameSite=Lax; Max-Age=2592000");
});
test("who is in no workspace, or has signed out, leaves none", () => {
  expect(memberNote([], at("http://localhost:3000"))).toBe("tc-member=; Path=/releases; SameSite=Lax; Max-Age=0");
});
test("however many there are, the note stays small", () => {
  expect(
    memberNote(
      Array.from({ length: 500 }, (_, index) => `${index}`.padEnd(63, "x")),
      at("https://t.example"),
    ).length,
  ).toBeLessThan(4_000);
});
