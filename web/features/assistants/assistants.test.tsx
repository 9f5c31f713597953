import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { type Assistant, assistantScopes } from "#contract/oauth.ts";
import { acme, ada, globex, ids, signedIn } from "../../../tests/support/web/fixtures.ts";
import { renderApp } from "../../../tests/support/web/render-app.tsx";
import { stubApi } from "../../../tests/support/web/stub-api.ts";
import { consentLabels } from "./consent-labels.ts";
import { isSafeRedirect, describeTarget } from "./redirect-target.ts";

const mine: Assistant = {
  id: "55555555-5555-4555-8555-555555555551",
  name: "Claude",
  client_id: "https://claude.ai/oauth/metadata",
  host: "claude.ai",
  scopes: ["posts:read", "posts:publish"],
  created_by: ids.person,
  created_by_name: ada.full_name,
  created_at: "2026-01-05T09:00:00.000Z",
  last_used_at: null,
  expires_at: "2099-01-05T09:00:00.000Z",
};
const graces: Assistant = {
  ...mine,
  id: "55555555-5555-4555-8555-555555555552",
  name: "Cursor",
  host: "cursor.com",
  scopes: ["posts:read"],
  created_by: ids.globex,
  created_by_name: "Grace",
  last_used_at: "2026-01-05T09:00:00.000Z",
};

test("waysToConnect shows copyable instructions", async () => {
  stubApi({ ...signedIn(), "GET /api/workspaces/*/assistants": { assistants: [] } });
  const { user } = renderApp(`/workspace/${ids.acme}/settings/assistants`);
  await user.click(await screen.findByRole("radio", { name: "Claude Code" }));
  await user.click(screen.getByRole("button", { name: "Copy the Claude Code configuration" }));
  await waitFor(async () =>
    expect(await navigator.clipboard.readText()).toBe("claude mcp add --transport http tidings http://localhost:3000/api/mcp"),
  );
});

describe("assistants in the security settings", () => {
  const all = (lists: Record<string, unknown>) => ({
    ...signedIn([acme, globex]),
    "GET /api/profiles/me/sessions": { sessions: [] },
    [`GET /api/workspaces/${ids.acme}/assistants`]: (lists.acme ?? { assistants: [] }) as object,
    [`GET /api/workspaces/${ids.globex}/assistants`]: (lists.globex ?? { assistants: [] }) as object,
    "DELETE /api/workspaces/*/assistants/*": { success: true },
  });
  const region = () => screen.findByRole("region", { name: "Assistants" });

  test("list the user's own of all workspaces and can be disconnected", async () => {
    const api = stubApi(
      all({ acme: { assistants: [graces, mine] }, globex: { assistants: [{ ...mine, id: graces.id, scopes: ["posts:read"] }] } }),
    );
    const { user } = renderApp("/settings/security");
    const list = await within(await region()).findByRole("list", { name: "Assistants" });
    expect(
      within(list)
        .getAllByRole("listitem")
        .map((item) => item.textContent),
    ).toEqual(["claude.ai “Claude”in Acme · not used yet · can publishDisconnect", "claude.ai “Claude”in Globex · not used yetDisconnect"]);
    await user.click(within(list).getByRole("button", { name: "Disconnect claude.ai in Acme" }));
    const dialog = await screen.findByRole("dialog", { name: "Disconnect claude.ai?" });
    api.set({ [`GET /api/workspaces/${ids.acme}/assistants`]: { assistants: [graces] } });
    await user.click(within(dialog).getByRole("button", { name: "Disconnect" }));
    await waitFor(() => expect(within(list).getAllByRole("listitem")).toHaveLength(1));
    expect(api.to(`DELETE /api/workspaces/${ids.acme}/assistants/${mine.id}`)).toHaveLength(1);
  });
});

test("every assistant permission has a label", () => {
  expect(Object.keys(consentLabels)).toEqual(expect.arrayContaining([...assistantScopes]));
});

test.each([
  ["https://claude.ai/callback?code=a", true, "claude.ai"],
  ["http://localhost:1234/callback", true, "an app on this device (localhost:1234)"],
  ["http://127.0.0.1:1234/", true, "an app on this device (127.0.0.1:1234)"],
  ["http://[::1]:1234/", true, "an app on this device ([::1]:1234)"],
  ["https://127.0.0.1.evil.example/", true, "127.0.0.1.evil.example"],
  ["cursor://anysphere/callback", true, "the app for cursor links"],
  ["javascript:alert(1)", false, "the app for javascript links"],
  ["JAVASCRIPT:alert(1)", false, "the app for javascript links"],
  [" javascript:alert(1)", false, "the app for javascript links"],
  ["java\nscript:alert(1)", false, "the app for javascript links"],
  ["data:text/html,x", false, "the app for data links"],
  ["blob:https://tidings.example/x", false, "the app for blob links"],
  ["file:///etc/passwd", false, "the app for file links"],
  ["/callback", false, "the assistant"],
  ["", false, "the assistant"],
])("isSafeRedirect(%j) is %s", (where, may, place) => {
  expect([isSafeRedirect(where), describeTarget(where)]).toEqual([may, place]);
});
