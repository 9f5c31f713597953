import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { type AuditLine, auditKinds } from "#contract/audit.ts";
import type { Role } from "#contract/kinds.ts";
import { acme, ids, signedIn } from "../../../tests/support/web/fixtures.ts";
import { renderApp } from "../../../tests/support/web/render-app.tsx";
import { pending, refusal, stubApi } from "../../../tests/support/web/stub-api.ts";
import { actorWords, detailsOf, kindWords, sentenceOf } from "./audit-words.ts";
import { filterOf } from "./use-audit.ts";

const address = `/workspace/${ids.acme}/audit`;
const call = `GET /api/workspaces/${ids.acme}/audit`;
const ada: AuditLine["actor"] = { kind: "person", id: ids.person, name: "Ada Lovelace", person: null };
const line = (id: number, changes: Partial<AuditLine> = {}): AuditLine => ({
  id,
  happened_at: "2026-01-05T09:00:00.000Z",
  kind: "post_published",
  actor: ada,
  network: "203.0.113.0/24",
  subject: `Post ${id}`,
  details: {},
  ...changes,
});
const page = (lines: AuditLine[], next: number | null = null) => ({ lines, next, actors: [ada] });
const stubs = (more: object = {}, role: Role = "owner") => ({
  ...signedIn([{ ...acme, role }]),
  "GET /api/workspaces/*/audit": page([line(2), line(1)]),
  ...more,
});
const table = () => screen.findByRole("table", { name: "Audit log" });
const queries = (api: ReturnType<typeof stubApi>) =>
  api.to(call).map(({ path }) => Object.fromEntries(new URLSearchParams(path.split("?")[1])));

describe("the log", () => {
  test("is loading, then says who did what, when, from which network, and what was before", async () => {
    const answer = pending<object>();
    const lines = [
      line(3, {
        kind: "workspace_changed",
        subject: "Acme",
        details: { name: ["Acme", "Acme Inc"], origin: ["https://a.example", null], logo_url: [null, "/x.png"] },
      }),
      line(2, { kind: "post_published", actor: { kind: "system", id: null, name: null, person: null }, network: null }),
      line(1, { kind: "role_changed", actor: { ...ada, name: null }, subject: null, details: { role: ["editor", "viewer"] } }),
    ];
    stubApi(stubs({ "GET /api/workspaces/*/audit": () => answer.promise }));
    renderApp(address);
    await screen.findByText("Loading the audit log");
    answer.resolve(page(lines));
    const [, first, second, third] = within(await table()).getAllByRole("row");
    expect(first!.textContent).toContain("Ada LovelaceChanged the workspace");
    expect(first!.textContent).toContain("Name: Acme → Acme Inc");
    expect(first!.textContent).toContain("Website: https://a.example → none");
    expect(first!.textContent).toContain("Logo: changed");
    expect(first!.textContent).toContain("203.0.113.0/24");
    expect(second!.textContent).toContain("TidingsPublished Post 2");
    expect(second!.textContent).toContain("unknown");
    expect(third!.textContent).toContain("A former memberChanged the role of a former member");
    expect(third!.textContent).toContain("Role: editor → viewer");
  });

  test("names an assistant by its person too", () => {
    const assistant = (person: string | null, name: string | null) =>
      actorWords({ kind: "key", id: ids.acme, name, person: { id: ids.person, name: person } });
    expect(assistant("Ada Lovelace", "Claude")).toBe("Ada Lovelace (Claude)");
    expect(assistant(null, "Claude")).toBe("A former member (Claude)");
    expect(actorWords({ kind: "key", id: ids.acme, name: "CI", person: null })).toBe("CI");
  });

  test("tells a change of a list from a list", () => {
    const of = (details: object) => detailsOf(line(1, { details: details as AuditLine["details"] }));
    expect(of({ scopes: ["posts:read", "posts:write"] })).toEqual([{ field: "May", after: "posts:read, posts:write" }]);
    expect(of({ tags: [["fix"], null] })).toEqual([{ field: "Tags", before: "fix", after: "none" }]);
    expect(of({ events: [["a"], ["a", "b"]], enabled: [false, true] })).toEqual([
      { field: "Events", before: "a", after: "a, b" },
      { field: "Mails", before: "off", after: "on" },
    ]);
  });

  test("has words for every kind", () => {
    for (const kind of auditKinds) {
      expect(kindWords(kind)).toMatch(/^[A-Z]/);
      expect(sentenceOf(line(1, { kind })).before).not.toBe("");
    }
    expect(new Set(auditKinds.map(kindWords)).size).toBe(auditKinds.length);
  });

  test("an invitation is told with whom it is for", () => {
    const told = (subject: string | null) => sentenceOf(line(1, { kind: "invitation_made", subject }));
    expect(told("grace@acme.example")).toEqual({ before: "Invited", what: "grace@acme.example", after: "" });
    expect(told(null).what).toBe("someone");
  });

  test("that is empty, or in which nothing fits, says so", async () => {
    stubApi(stubs({ "GET /api/workspaces/*/audit": page([]) }));
    const { unmount } = renderApp(address);
    await screen.findByText("Nothing has happened yet");
    unmount();
    renderApp(`${address}?kind=keys`);
    await screen.findByText("Nothing found");
  });

  test("that failed is asked for again", async () => {
    const api = stubApi(stubs({ "GET /api/workspaces/*/audit": () => refusal("unavailable") }));
    const { user } = renderApp(address);
    const alert = (await screen.findByText("The audit log could not be read")).closest<HTMLElement>("[role=alert]")!;
    api.set({ "GET /api/workspaces/*/audit": page([line(1)]) });
    await user.click(within(alert).getByRole("button", { name: "Try again" }));
    await table();
  });

  test("whose filter could not be read says that its lines are others, and reads it when asked", async () => {
    const api = stubApi(
      stubs({
        "GET /api/workspaces/*/audit": ({ path }: { path: string }) => (path.includes("kind") ? refusal("unavailable") : page([line(2)])),
      }),
    );
    const { user } = renderApp(address);
    await table();
    await user.selectOptions(screen.getByRole("combobox", { name: "What" }), "posts");
    const alert = await screen.findByRole("alert");
    expect(alert.textContent).toContain("What is shown was read before.");
    api.set({ "GET /api/workspaces/*/audit": page([line(1)]) });
    await user.click(within(alert).getByRole("button", { name: "Try again" }));
    await waitFor(() => expect(screen.queryByRole("alert")).toBeNull());
    await screen.findByText("Post 1");
  });

  test("in which nothing fitted does not say so of a filter that could not be read", async () => {
    stubApi(
      stubs({ "GET /api/workspaces/*/audit": ({ path }: { path: string }) => (path.includes("keys") ? page([]) : refusal("unavailable")) }),
    );
    const { user } = renderApp(`${address}?kind=keys`);
    await screen.findByText("Nothing found");
    await user.selectOptions(screen.getByRole("combobox", { name: "What" }), "posts");
    await screen.findByText("The audit log could not be read");
    expect(screen.queryByText("Nothing found")).toBeNull();
  });

  test("goes on behind the last line when asked", async () => {
    const api = stubApi(
      stubs({
        "GET /api/workspaces/*/audit": ({ path }: { path: string }) =>
          path.includes("before=2") ? page([line(1)]) : page([line(3), line(2)], 2),
      }),
    );
    const { user } = renderApp(address);
    await table();
    expect(screen.getByText("The latest 2 lines")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Show older" }));
    await screen.findByText("3 lines");
    expect(screen.queryByRole("button", { name: "Show older" })).toBeNull();
    expect(queries(api).at(-1)).toEqual({ before: "2" });
  });
});

describe("filters", () => {
  test("stand in the address: they are asked for, and come back with it", async () => {
    const api = stubApi(stubs());
    const { user, router } = renderApp(`${address}?kind=posts&from=2026-01-05`);
    await table();
    const from = new Date(2026, 0, 5).toISOString();
    expect(queries(api).at(-1)).toEqual({ kind: "posts", from });
    expect(screen.getByRole<HTMLSelectElement>("combobox", { name: "What" }).value).toBe("posts");
    expect(screen.getByLabelText<HTMLInputElement>("From").value).toBe("2026-01-05");
    await user.selectOptions(screen.getByRole("combobox", { name: "Who" }), "Ada Lovelace");
    await waitFor(() => expect(queries(api).at(-1)).toEqual({ kind: "posts", from, actor: ids.person }));
    expect(router.state.location.search).toBe(`?kind=posts&from=2026-01-05&actor=${ids.person}`);
    await user.click(screen.getByRole("button", { name: "Show all" }));
    await waitFor(() => expect(router.state.location.search).toBe(""));
  });

  test("that say nothing are left out; both days count in", () => {
    expect(filterOf({ actor: "x", kind: "y", from: "tomorrow", until: "2026-13-01" })).toEqual({});
    expect(filterOf({ from: "2026-02-28", until: "2026-02-28" })).toEqual({
      from: new Date(2026, 1, 28).toISOString(),
      until: new Date(2026, 2, 1).toISOString(),
    });
  });
});

describe("the file", () => {
  test.each([
    ["These as CSV", "csv"],
    ["These as JSONL", "jsonl"],
  ])("%s: what the filter fits", async (button, format) => {
    const api = stubApi(stubs({ "GET /api/workspaces/*/audit/export": () => refusal("rate_limited") }));
    const { user } = renderApp(`${address}?kind=posts`);
    await table();
    await user.click(screen.getByRole("button", { name: button }));
    await screen.findByText("The audit log could not be exported");
    const [asked] = api.to(`${call}/export`);
    expect(Object.fromEntries(new URLSearchParams(asked!.path.split("?")[1]))).toEqual({ kind: "posts", format });
  });
});

describe("who gets there", () => {
  test.each<Role>(["owner", "admin"])("%s: from the settings and their menu", async (role) => {
    stubApi(stubs({}, role));
    const { user, router } = renderApp(`/workspace/${ids.acme}/settings`);
    expect((await screen.findByRole("link", { name: "Open the audit log" })).getAttribute("href")).toBe(address);
    await user.click(await screen.findByRole("button", { name: "Settings" }));
    await user.click(await screen.findByRole("menuitem", { name: "Audit log" }));
    await waitFor(() => expect(router.state.location.pathname).toBe(address));
    await table();
  });

  test.each<Role>(["editor", "viewer"])("not a %s", async (role) => {
    const api = stubApi(stubs({}, role));
    const { user } = renderApp(address);
    await screen.findByText("Owners and administrators see it.");
    expect(api.to(call)).toEqual([]);
    await user.click(await screen.findByRole("button", { name: "Settings" }));
    await screen.findByRole("menuitem", { name: "Workspace settings" });
    expect(screen.queryByRole("menuitem", { name: "Audit log" })).toBeNull();
  });
});
