import { screen } from "@testing-library/react";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { forgetSessionCookie } from "../../../tests/support/web/setup.ts";
import { cookieDomain } from "./consent.ts";
import { config } from "../../../tests/support/web/fixtures.ts";
import { stubApi } from "../../../tests/support/web/stub-api.ts";

const reloadPage = vi.hoisted(() => vi.fn());
vi.mock("../../lib/reload-page.ts", () => ({ reloadPage }));

const script = "https://stats.example/script.js";
const scripts = () => [...document.head.querySelectorAll("script")].map(({ src }) => src);
const storedConsent = () => [document.cookie, localStorage.getItem("tc:consent")];

/** A visit with fresh modules, which hold state. */
async function visit() {
  vi.resetModules();
  document.head.querySelectorAll("script").forEach((one) => one.remove());
  const { renderApp } = await import("../../../tests/support/web/render-app.tsx");
  const app = renderApp("/auth");
  await screen.findByRole("heading", { name: "Sign in to your account" });
  return app;
}
const popup = () => screen.findByRole("region", { name: "Cookie consent" });
const press = async (app: Awaited<ReturnType<typeof visit>>, name: string) => app.user.click(await screen.findByRole("button", { name }));

beforeEach(() => {
  reloadPage.mockClear();
  document.cookie = "tc-consent=; path=/; max-age=0";
  forgetSessionCookie();
  stubApi({ "GET /api/config": { ...config, analyticsSrc: script } });
});

describe("cookie consent", () => {
  test("shows four buttons and loads nothing before a choice", async () => {
    await visit();
    expect((await popup()).textContent).toContain("This website uses cookies to ensure you get the best experience.");
    for (const name of ["Got it!", "Allow cookies", "Refuse cookies", "Learn more"])
      expect(screen.getByRole("button", { name })).toBeTruthy();
    expect(scripts()).toEqual([]);
    expect(storedConsent()).toEqual(["", null]);
  });

  test("'Refuse cookies' saves false and reloads; nothing is loaded then", async () => {
    const app = await visit();
    await press(app, "Refuse cookies");
    expect(storedConsent()).toEqual(["tc-consent=deny", '{"analytics":false}']);
    expect(reloadPage).toHaveBeenCalledOnce();
    app.unmount();
    await visit();
    expect(scripts()).toEqual([]);
  });

  test("the flag overrides an old consent", async () => {
    document.cookie = "tc-consent=allow; path=/";
    localStorage.setItem("tc:consent", '{"analytics":false}');
    await visit();
    expect(scripts()).toEqual([]);
  });
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
