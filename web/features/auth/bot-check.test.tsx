import { act, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { config, ids } from "../../../tests/support/web/fixtures.ts";
import { refusal, stubApi } from "../../../tests/support/web/stub-api.ts";

interface Options {
  sitekey: string;
  callback: (token: string) => void;
  "expired-callback": () => void;
  "error-callback": () => void;
}
let rendered: Options[];
const reset = vi.fn();
const withKey = { "GET /api/config": { ...config, captchaSiteKey: "site-key" } };

beforeEach(() => {
  rendered = [];
  reset.mockClear();
  vi.resetModules();
  document.head.querySelectorAll("script").forEach((one) => one.remove());
  vi.stubGlobal("turnstile", { render: (_: unknown, options: Options) => `widget-${rendered.push(options)}`, reset, remove: vi.fn() });
});

async function open() {
  const { renderApp } = await import("../../../tests/support/web/render-app.tsx");
  const app = renderApp("/auth");
  await app.user.type(await screen.findByLabelText("Email"), "ada@acme.example");
  await app.user.type(screen.getByLabelText("Password"), "a long secret");
  return { ...app, submit: () => app.user.click(screen.getByRole("button", { name: "Sign In" })) };
}
const script = () => document.head.querySelector<HTMLScriptElement>("script[src*='turnstile']");
async function loaded() {
  await waitFor(() => expect(script()).not.toBeNull());
  await waitFor(() => expect(rendered).toHaveLength(1));
}
const tokens = (api: ReturnType<typeof stubApi>) =>
  api.to("POST /api/auth/login").map(({ body }) => (body as { captchaToken?: string }).captchaToken);

test("bot check without a site key loads no script and sends no token", async () => {
  const api = stubApi({ "POST /api/auth/login": () => refusal("invalid_credentials") });
  await (await open()).submit();
  await screen.findByText("The email address or password is incorrect.");
  expect(script()).toBeNull();
  expect(tokens(api)).toEqual([undefined]);
});

test("bot check blocks submits without a token and renews it after each", async () => {
  const api = stubApi({ ...withKey, "POST /api/auth/login": () => refusal("invalid_credentials") });
  const { submit } = await open();
  await loaded();
  expect(rendered[0]).toMatchObject({ sitekey: "site-key" });
  await submit();
  expect(tokens(api)).toEqual([]);
  act(() => rendered[0]?.callback("first"));
  await submit();
  await screen.findByText("The email address or password is incorrect.");
  expect(reset).toHaveBeenCalledWith("widget-1");
  await submit();
  expect(tokens(api)).toEqual(["first"]);
  act(() => rendered[0]?.callback("second"));
  await submit();
  await waitFor(() => expect(tokens(api)).toEqual(["first", "second"]));
});

test("bot check asks to wait when submitted before the token", async () => {
  const api = stubApi({ ...withKey, "POST /api/auth/login": () => refusal("invalid_credentials") });
  const { submit } = await open();
  await loaded();
  await submit();
  await screen.findByText(/Still checking that you're human/);
  act(() => rendered[0]?.callback("first"));
  expect(screen.queryByText(/nothing was sent/)).toBeNull();
  expect(tokens(api)).toEqual([]);
});

test("bot check shows an error and retries, keeping the input", async () => {
  const api = stubApi({ ...withKey, "POST /api/auth/login": () => refusal("invalid_credentials") });
  const { submit, user } = await open();
  await loaded();
  act(() => rendered[0]?.["error-callback"]());
  expect((await screen.findByRole("alert")).textContent).toContain("We couldn't check that you're human");
  await submit();
  expect(tokens(api)).toEqual([]);
  await user.click(screen.getByRole("button", { name: "Try again" }));
  await waitFor(() => expect(rendered).toHaveLength(2));
  expect(screen.queryByRole("alert")).toBeNull();
  expect(screen.getByLabelText<HTMLInputElement>("Password").value).toBe("a long secret");
  act(() => rendered[1]?.callback("token"));
  await submit();
  await waitFor(() => expect(tokens(api)).toEqual(["token"]));
});

test("bot check times out after ten seconds", async () => {
  stubApi(withKey);
  const { submit } = await open();
  await loaded();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldAdvanceTime: true });
  try {
    await submit();
    await screen.findByText(/Still checking/);
    act(() => void vi.advanceTimersByTime(10_100));
    expect((await screen.findByRole("alert")).textContent).toContain("Nothing was sent.");
  } finally {
    vi.useRealTimers();
  }
});

test.each(["expired-callback", "error-callback"] as const)("bot check drops the token on %s", async (event) => {
  const api = stubApi({ ...withKey, "POST /api/auth/login": { workspaceId: ids.acme, user: null } });
  const { submit } = await open();
  await loaded();
  act(() => rendered[0]?.callback("token"));
  act(() => rendered[0]?.[event]());
  await submit();
  expect(tokens(api)).toEqual([]);
});
