import { screen, waitFor } from "@testing-library/react";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { type AskedRequest } from "#contract/oauth.ts";
import { goTo } from "../../lib/go-to.ts";
import { keepRequest, keptRequest, latestRequest } from "../../lib/kept-request.ts";
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

describe("what an assistant asks for", () => {
  test("is shown by its host; publishing is not ticked beforehand; the answer leads back", async () => {
    const api = stubApi(stubs());
    const { user } = renderApp(address);
    await screen.findByRole("heading", { name: "Connect claude.ai?" });
    expect(api.to("GET /api/oauth/request")[0]!.path).toBe(`/api/oauth/request?${new URLSearchParams({ request: query })}`);
    expect(document.body.textContent).toContain("It calls itself “Claude”, a name that nobody has verified.");
    expect(document.body.textContent).toContain("Without it nothing goes to your readers until a person publishes");
    expect(document.body.textContent).toContain("Signed in as ada@acme.example");
    expect([box("Read posts").checked, box("Write drafts").checked, box("Publish").checked]).toEqual([true, true, false]);
    expect(screen.queryByRole("checkbox", { name: "Read numbers" })).toBeNull();
    await user.click(box("Write drafts"));
    await user.click(await allow());
    await waitFor(() => expect(goTo).toHaveBeenCalledWith(back));
    expect(api.to("POST /api/oauth/approve")[0]!.body).toEqual({ request: query, workspace_id: ids.acme, scopes: ["posts:read"] });
    const link = await screen.findByRole("link", { name: "Nothing has opened? Go there now" });
    expect(link.getAttribute("href")).toBe(back);
  });

  test("may include publishing, once a person ticks it", async () => {
    const api = stubApi(stubs());
    const { user } = renderApp(address);
    await allow();
    await user.click(box("Publish"));
    await user.click(await allow());
    await waitFor(() => expect(goTo).toHaveBeenCalledTimes(1));
    expect(api.to("POST /api/oauth/approve")[0]!.body).toMatchObject({ scopes: ["posts:read", "posts:write", "posts:publish"] });
  });

  test("says so where the answer goes to another host than the one that asks", async () => {
    stubApi(stubs({ ...asked, redirect: { uri: "https://elsewhere.example/callback", kind: "web", host: "elsewhere.example" } }));
    renderApp(address);
    const note = await screen.findByRole("note");
    expect(note.textContent).toContain("The answer goes to another host: elsewhere.example. claude.ai says that this is its own.");
  });

  test("is cancelled, and the assistant hears it", async () => {
    const api = stubApi(stubs());
    const { user } = renderApp(address);
    await user.click(await screen.findByRole("button", { name: "Cancel" }));
    await waitFor(() => expect(goTo).toHaveBeenCalledWith("https://claude.ai/callback?error=access_denied"));
    expect(api.to("POST /api/oauth/deny")[0]!.body).toEqual({ request: query });
    expect(api.to("POST /api/oauth/approve")).toEqual([]);
  });

  test("is given in the workspace that is chosen, by what the role there allows", async () => {
    const api = stubApi(stubs({ ...asked, workspaces: [acme, globex] }));
    const { user } = renderApp(address);
    await allow();
    await user.click(box("Publish"));
    await user.selectOptions(screen.getByRole("combobox", { name: "Workspace" }), "Globex (Viewer)");
    expect(screen.queryByRole("checkbox", { name: "Publish" })).toBeNull();
    expect(document.body.textContent).toContain("It asks for more that your role here does not allow: write drafts, publish.");
    await user.click(await allow());
    await waitFor(() => expect(goTo).toHaveBeenCalledTimes(1));
    expect(api.to("POST /api/oauth/approve")[0]!.body).toMatchObject({ workspace_id: ids.globex, scopes: ["posts:read"] });
  });

  test.each([
    ["device", "http://127.0.0.1:33418/callback", "127.0.0.1:33418", "a program on this device (127.0.0.1:33418)", "any program could"],
    ["app", "cursor://anysphere.cursor/callback", "anysphere.cursor", "the app for cursor links", "any app could"],
  ] as const)("by a %s warns that it could be another", async (kind, uri, host, place, warning) => {
    stubApi(stubs({ ...asked, redirect: { uri, kind, host } }));
    renderApp(address);
    await allow();
    expect(screen.getByRole("note").textContent).toContain(warning);
    expect(document.body.textContent).toContain(`Afterwards you are back at ${place}.`);
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

  test.each(["javascript:alert(1)", "data:text/html,x", "not an address"])("is never answered to %s", async (location) => {
    stubApi(stubs(asked, { "POST /api/oauth/approve": { location } }));
    const { user } = renderApp(address);
    await user.click(await allow());
    expect((await screen.findByRole("alert")).textContent).toContain("cannot be reached at the address that it names");
    expect(goTo).not.toHaveBeenCalled();
  });
});

describe("a request that is not as it has to be", () => {
  test("is shown and leads nowhere when it is in doubt who asks", async () => {
    const refused = {
      state: "refused",
      reason: "redirect_uri",
      client_id: asked.client.id,
      redirect_uri: "https://evil.example/",
      detail: "This assistant's document doesn't list this redirect_uri",
    };
    stubApi(stubs(refused));
    renderApp(address);
    await screen.findByRole("heading", { name: "This request leads to a wrong address" });
    expect(screen.getByRole("alert").textContent).toBe("This assistant's document doesn't list this redirect_uri. Nothing was allowed.");
    expect(screen.getByText("https://evil.example/").tagName).toBe("CODE");
    expect(screen.getAllByRole("link").map((link) => link.getAttribute("href"))).toEqual(["/workspaces"]);
    expect(screen.queryByRole("button", { name: "Try again" })).toBeNull();
  });

  test("is told to the assistant by a click, never by itself", async () => {
    const location = "https://claude.ai/callback?error=invalid_request&error_description=PKCE+is+missing.&state=s";
    stubApi(stubs({ state: "answered", location }));
    renderApp(address);
    await screen.findByRole("heading", { name: "This request cannot be granted" });
    expect(screen.getByRole("alert").textContent).toBe("PKCE is missing. Nothing was allowed.");
    expect(document.body.textContent).toContain("When you go back to claude.ai, it is told what is wrong.");
    expect(screen.getByRole("link", { name: "Go back" }).getAttribute("href")).toBe(location);
    expect(goTo).not.toHaveBeenCalled();
  });

  test("has no way back where that would run something", async () => {
    stubApi(stubs({ state: "answered", location: "javascript:alert(1)" }));
    renderApp(address);
    await screen.findByRole("heading", { name: "This request cannot be granted" });
    expect(screen.queryByRole("link", { name: "Go back" })).toBeNull();
  });
});

describe("a person who has to sign in first", () => {
  test("is back at the whole request afterwards, however long it is", async () => {
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

describe("kept requests", () => {
  test("are apart, the latest five, for an hour", () => {
    vi.useFakeTimers();
    const first = keepRequest("a=1");
    for (const query of ["b=1", "c=1", "d=1", "e=1"]) keepRequest(query);
    const idOf = (path: string) => path.replace("/oauth/authorize?kept=", "");
    expect(keptRequest(idOf(first))).toBe("a=1");
    expect(latestRequest()).toBe("/oauth/authorize?e=1");
    const sixth = keepRequest("f=1");
    expect(keptRequest(idOf(first))).toBeNull();
    vi.advanceTimersByTime(3_600_001);
    expect([keptRequest(idOf(sixth)), latestRequest()]).toEqual([null, null]);
    vi.useRealTimers();
  });

  test("travel in the address where storage is closed, and are none where it holds nonsense", () => {
    localStorage.setItem("tc:oauthRequests", "{");
    expect(latestRequest()).toBeNull();
    vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
      throw new DOMException("full", "QuotaExceededError");
    });
    expect(keepRequest("a=1")).toBe("/oauth/authorize?a=1");
    vi.restoreAllMocks();
  });
});
