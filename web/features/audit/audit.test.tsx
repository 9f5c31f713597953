import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { type AuditLine, auditKinds } from "#contract/audit.ts";
import type { Role } from "#contract/kinds.ts";
import { acme, ids, signedIn } from "../../../tests/support/web/fixtures.ts";
import { renderApp } from "../../../tests/support/web/render-app.tsx";
import { pending, refusal, stubApi } from "../../../tests/support/web/stub-api.ts";
import { kindLabel, describeEvent } from "./audit-labels.ts";

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

describe("audit log", () => {
  test("shows actor, event, time, network and old values after loading", async () => {
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

  test("has a label for every kind", () => {
    for (const kind of auditKinds) {
      expect(kindLabel(kind)).toMatch(/^[A-Z]/);
      expect(describeEvent(line(1, { kind })).before).not.toBe("");
    }
    expect(new Set(auditKinds.map(kindLabel)).size).toBe(auditKinds.length);
  });
});

describe("audit filters", () => {
  test("are kept in the URL and sent to the server", async () => {
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
    await user.click(screen.getByRole("button", { name: "Clear filters" }));
    await waitFor(() => expect(router.state.location.search).toBe(""));
  });
});

describe("audit export", () => {
  test.each([
    ["Filtered CSV", "csv"],
    ["Filtered JSONL", "jsonl"],
  ])("%s contains the filtered events", async (button, format) => {
    const api = stubApi(stubs({ "GET /api/workspaces/*/audit/export": () => refusal("rate_limited") }));
    const { user } = renderApp(`${address}?kind=posts`);
    await table();
    await user.click(screen.getByRole("button", { name: button }));
    await screen.findByText("Couldn't export the audit log");
    const [asked] = api.to(`${call}/export`);
    expect(Object.fromEntries(new URLSearchParams(asked!.path.split("?")[1]))).toEqual({ kind: "posts", format });
  });
});
