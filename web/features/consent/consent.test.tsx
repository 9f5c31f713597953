import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { cookieDomain } from "./consent.ts";
import { config } from "../../../tests/support/web/fixtures.ts";
import { renderApp } from "../../../tests/support/web/render-app.tsx";
import { stubApi } from "../../../tests/support/web/stub-api.ts";

test("the flag overrides an old consent", async () => {
  document.cookie = "tc-consent=allow; path=/";
  localStorage.setItem("tc:consent", '{"analytics":false}');
  stubApi({ "GET /api/config": { ...config, analyticsSrc: "https://stats.example/script.js" } });
  renderApp("/auth");
  await screen.findByRole("heading", { name: "Sign in to your account" });
  expect(document.head.querySelector("script")).toBeNull();
});

test.each([
  ["app.tidings.example", "tidings.example"],
  ["tidings.example", "tidings.example"],
  ["acme.app.tidings.example", "app.tidings.example"],
  ["localhost", null],
  ["acme.localhost", null],
  ["127.0.0.1", null],
  ["[::1]", null],
])("cookieDomain of %s is %s", (hostname, expected) => expect(cookieDomain(hostname)).toBe(expected));
