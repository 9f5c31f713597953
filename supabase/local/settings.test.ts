import path from "node:path";
import { expect, test } from "vitest";
import { readSettings } from "./settings.ts";

test.each([undefined, "", "lite"])("TIDINGS_AUTH=%s uses lite, even with a program set", (auth) => {
  expect(readSettings({ TIDINGS_AUTH: auth, TIDINGS_AUTH_PROGRAM: "/usr/bin/gotrue" }).gotrue).toBeNull();
});

test("TIDINGS_AUTH=gotrue runs the given program", () => {
  expect(readSettings({ TIDINGS_AUTH: "gotrue", TIDINGS_AUTH_PROGRAM: "bin/gotrue" }).gotrue).toBe(path.resolve("bin/gotrue"));
});

test("TIDINGS_AUTH rejects gotrue without a program, and other names", () => {
  expect(() => readSettings({ TIDINGS_AUTH: "gotrue" })).toThrow(/TIDINGS_AUTH_PROGRAM/);
  expect(() => readSettings({ TIDINGS_AUTH: "keycloak" })).toThrow('TIDINGS_AUTH must be lite or gotrue, not "keycloak".');
});
