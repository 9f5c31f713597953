import { expect, test } from "vitest";
import { passwordStrength } from "./password-strength.ts";

test.each([
  ["", "short"],
  ["1234567", "short"],
  ["aaaaaaaaaaaaaaaaaaaa", "weak"],
  ["20261129", "weak"],
  ["Password1!", "weak"],
  ["adalovelace-2026-x", "weak"],
  ["tr0ub4dor&", "fair"],
  ["correct horse battery", "strong"],
  ["passengers wave at boats", "strong"],
  ["пароль с длинным текстом", "strong"],
])("%j is %s", (password, strength) => {
  expect(passwordStrength(password, "AdaLovelace@example.com")).toBe(strength);
});

test("a short name in the address says nothing", () => {
  expect(passwordStrength("my own bob password", "bob@example.com")).toBe("strong");
});
