import { screen, waitFor } from "@testing-library/react";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { type AskedRequest } from "#contract/oauth.ts";
import { goTo } from "../../lib/go-to.ts";
import { storeRequest, storedRequest, latestRequest } from "../../lib/stored-request.ts";
import { ids, signedIn } from "../../../tests/support/web/fixtures.ts";
import { renderApp } from "../../../tests/support/web/render-app.tsx";
import { pending, refusal, stubApi } from "../../../tests/support/web/stub-api.ts";

vi.mock("../../lib/go-to.ts", () => ({ goTo: vi.fn(), startOver: vi.fn() }));
beforeEach(() => {
  vi.mocked(goTo).mockClear();
  localStorage.clear();
});

const query = `response_type=code&client_id=https%3A%2F%2Fclaude.ai%2Foauth%2Fmetadata&state=${"s".repeat(2_500)}`;
const address = `/oauth/authorize?${query}`;
const back = "https://claude.ai/callback?code=abc&state=s&iss=http%3A%2F%2Flocalhost";

const acme: AskedRequest["workspaces"][number] = {
  id: ids.acme,
  name: "Acme",
  role: "owner",
  scopes: ["posts:read", "posts:write", "posts:publish"],
  connected: false,
};
const globex: AskedRequest["workspaces"][number] = { ...acme, id: ids.globex, name: "Globex", role: "viewer", scopes: ["posts:read"] };
const asked: AskedRequest = {
  state: "ask",
  client: { id: "https://claude.ai/oauth/metadata", name: "Claude", host: "claude.ai" },
  redirect: { uri: "https://claude.ai/callback", kind: "web", host: "claude.ai" },
  scopes: ["posts:read", "posts:write", "posts:publish"],
  workspaces: [acme],
};
const stubs = (answer: unknown = asked, more: object = {}) => ({
  ...signedIn(),
  "GET /api/oauth/request": answer as object,
  "POST /api/oauth/approve": { location: back },
  "POST /api/oauth/deny": { location: "https://claude.ai/callback?error=access_denied" },
  ...more,
});
const box = (name: string) => screen.getByRole<HTMLInputElement>("checkbox", { name });
const allow = () => screen.findByRole("button", { name: "Allow" });

describe("consent page", () => {
  test("shows the host, doesn't preselect publishing, and redirects back", async () => {
    const api = stubApi(stubs());
    const { user } = renderApp(address);
    await screen.findByRole("heading", { name: "Connect claude.ai?" });
    expect(api.to("GET /api/oauth/request")[0]!.path).toBe(`/api/oauth/request?${new URLSearchParams({ request: query })}`);
    expect(document.body.textContent).toContain("It calls itself “Claude”. We haven't verified this name.");
    expect(document.body.textContent).toContain("Without it, only people publish");
    expect(document.body.textContent).toContain("Signed in as ada@acme.example");
    expect(document.body.textContent).toContain("Access ends after 90 days without use.");
    expect([box("Read posts").checked, box("Write drafts").checked, box("Publish").checked]).toEqual([true, true, false]);
    expect(screen.queryByRole("checkbox", { name: "Read analytics" })).toBeNull();
    await user.click(box("Write drafts"));
    await user.click(await allow());
    await waitFor(() => expect(goTo).toHaveBeenCalledWith(back));
    expect(api.to("POST /api/oauth/approve")[0]!.body).toEqual({ request: query, workspace_id: ids.acme, scopes: ["posts:read"] });
    const link = await screen.findByRole("link", { name: "Nothing opened? Continue" });
    expect(link.getAttribute("href")).toBe(back);
  });

  test("includes publishing once selected", async () => {
    const api = stubApi(stubs());
    const { user } = renderApp(address);
    await allow();
    await user.click(box("Publish"));
    await user.click(await allow());
    await waitFor(() => expect(goTo).toHaveBeenCalledTimes(1));
    expect(api.to("POST /api/oauth/approve")[0]!.body).toMatchObject({ scopes: ["posts:read", "posts:write", "posts:publish"] });
  });

  test("warns about a redirect to another host", async () => {
    stubApi(stubs({ ...asked, redirect: { uri: "https://elsewhere.example/callback", kind: "web", host: "elsewhere.example" } }));
    renderApp(address);
    const note = await screen.findByRole("note");
    expect(note.textContent).toContain("The response goes to another host: elsewhere.example. claude.ai claims to own it.");
  });

  test("reports a cancellation to the assistant", async () => {
    const api = stubApi(stubs());
    const { user } = renderApp(address);
    await user.click(await screen.findByRole("button", { name: "Cancel" }));
    await waitFor(() => expect(goTo).toHaveBeenCalledWith("https://claude.ai/callback?error=access_denied"));
    expect(api.to("POST /api/oauth/deny")[0]!.body).toEqual({ request: query });
    expect(api.to("POST /api/oauth/approve")).toEqual([]);
  });

  test("limits permissions by the role in the selected workspace", async () => {
    const api = stubApi(stubs({ ...asked, workspaces: [acme, globex] }));
    const { user } = renderApp(address);
    await allow();
    await user.click(box("Publish"));
    await user.selectOptions(screen.getByRole("combobox", { name: "Workspace" }), "Globex (Viewer)");
    expect(screen.queryByRole("checkbox", { name: "Publish" })).toBeNull();
    expect(document.body.textContent).toContain("It also requests permissions your role doesn't have: write drafts, publish.");
    await user.click(await allow());
    await waitFor(() => expect(goTo).toHaveBeenCalledTimes(1));
    expect(api.to("POST /api/oauth/approve")[0]!.body).toMatchObject({ workspace_id: ids.globex, scopes: ["posts:read"] });
  });

  test.each([
    [
      "device",
      "http://127.0.0.1:33418/callback",
      "127.0.0.1:33418",
      "an app on this device (127.0.0.1:33418)",
      "Any app can use this name",
    ],
    ["app", "cursor://anysphere.cursor/callback", "anysphere.cursor", "the app for cursor links", "Any app can use this name"],
  ] as const)("by a %s warns that it could be another", async (kind, uri, host, place, warning) => {
    stubApi(stubs({ ...asked, redirect: { uri, kind, host } }));
    renderApp(address);
    await allow();
    expect(screen.getByRole("note").textContent).toContain(warning);
    expect(document.body.textContent).toContain(`You'll return to ${place}.`);
  });

  test("two clicks give one answer", async () => {
    const answer = pending<object>();
    const api = stubApi(stubs(asked, { "POST /api/oauth/approve": () => answer.promise }));
    const { user } = renderApp(address);
    await user.dblClick(await allow());
    await waitFor(() => expect(screen.getByRole("button", { name: "Allow" }).getAttribute("aria-busy")).toBe("true"));
    expect(screen.getByRole<HTMLButtonElement>("button", { name: "Cancel" }).disabled).toBe(true);
    answer.resolve({ location: back });
    await waitFor(() => expect(goTo).toHaveBeenCalledTimes(1));
    expect(api.to("POST /api/oauth/approve")).toHaveLength(1);
  });

  test.each(["javascript:alert(1)", "data:text/html,x", "not an address"])("never redirects to %s", async (location) => {
    stubApi(stubs(asked, { "POST /api/oauth/approve": { location } }));
    const { user } = renderApp(address);
    await user.click(await allow());
    expect((await screen.findByRole("alert")).textContent).toContain("We can't open the assistant's redirect URL");
    expect(goTo).not.toHaveBeenCalled();
  });
});

describe("invalid request", () => {
  test("shows an error without a redirect when the client is uncertain", async () => {
    const refused = {
      state: "refused",
      reason: "redirect_uri",
      client_id: asked.client.id,
      redirect_uri: "https://evil.example/",
      detail: "This assistant's document doesn't list this redirect_uri",
    };
    stubApi(stubs(refused));
    renderApp(address);
    await screen.findByRole("heading", { name: "Invalid redirect URL" });
    expect(screen.getByRole("alert").textContent).toBe("This assistant's document doesn't list this redirect_uri. No access was granted.");
    expect(screen.getByText("https://evil.example/").tagName).toBe("CODE");
    expect(screen.getAllByRole("link").map((link) => link.getAttribute("href"))).toEqual(["/workspaces"]);
    expect(screen.queryByRole("button", { name: "Try again" })).toBeNull();
  });

  test("redirects the error to the assistant only on click", async () => {
    const location = "https://claude.ai/callback?error=invalid_request&error_description=PKCE+is+missing.&state=s";
    stubApi(stubs({ state: "answered", location }));
    renderApp(address);
    await screen.findByRole("heading", { name: "We can't grant this request" });
    expect(screen.getByRole("alert").textContent).toBe("PKCE is missing. No access was granted.");
    expect(document.body.textContent).toContain("Go back to claude.ai to see the error there.");
    expect(screen.getByRole("link", { name: "Go back" }).getAttribute("href")).toBe(location);
    expect(goTo).not.toHaveBeenCalled();
  });

  test("has no link to an unsafe redirect", async () => {
    stubApi(stubs({ state: "answered", location: "javascript:alert(1)" }));
    renderApp(address);
    await screen.findByRole("heading", { name: "We can't grant this request" });
    expect(screen.queryByRole("link", { name: "Go back" })).toBeNull();
  });
});

describe("consent after sign-in", () => {
  test("restores a request of any length", async () => {
    const api = stubApi({ ...stubs(), "GET /api/profiles/me": () => refusal("unauthenticated") });
    const visitor = renderApp(address);
    await screen.findByRole("heading", { name: "Sign in to your account" });
    const wanted = new URL(visitor.address(), location.origin).searchParams.get("redirectTo")!;
    expect(wanted).toMatch(/^\/oauth\/authorize\?kept=[\w-]{36}$/);
    visitor.unmount();
    api.set({ "GET /api/profiles/me": signedIn()["GET /api/profiles/me"] });
    const { user, address: now } = renderApp(wanted);
    await allow();
    expect(now()).toBe(address);
    await user.click(await allow());
    await waitFor(() => expect(goTo).toHaveBeenCalledWith(back));
    expect(latestRequest()).toBeNull();
  });
});

describe("stored requests", () => {
  test("keep the latest five for an hour", () => {
    vi.useFakeTimers();
    const first = storeRequest("a=1");
    for (const query of ["b=1", "c=1", "d=1", "e=1"]) storeRequest(query);
    const idOf = (path: string) => path.replace("/oauth/authorize?kept=", "");
    expect(storedRequest(idOf(first))).toBe("a=1");
    expect(latestRequest()).toBe("/oauth/authorize?e=1");
    const sixth = storeRequest("f=1");
    expect(storedRequest(idOf(first))).toBeNull();
    vi.advanceTimersByTime(3_600_001);
    expect([storedRequest(idOf(sixth)), latestRequest()]).toEqual([null, null]);
    vi.useRealTimers();
  });

  test("use the URL without storage, and ignore invalid entries", () => {
    localStorage.setItem("tc:oauthRequests", "{");
    expect(latestRequest()).toBeNull();
    vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
      throw new DOMException("full", "QuotaExceededError");
    });
    expect(storeRequest("a=1")).toBe("/oauth/authorize?a=1");
    vi.restoreAllMocks();
  });
});
