import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { ids, signedIn } from "../../tests/support/web/fixtures.ts";
import { renderApp } from "../../tests/support/web/render-app.tsx";
import { stubApi } from "../../tests/support/web/stub-api.ts";

const auth = vi.hoisted(() => ({ updateUser: vi.fn() }));
vi.mock("../lib/supabase-browser.ts", () => ({ supabaseBrowser: () => Promise.resolve({ auth }) }));
beforeEach(() => void auth.updateUser.mockReset().mockResolvedValue({ error: null }));

const at = new Date(Date.now() - 3 * 3_600_000).toISOString();
const key = {
  kind: "api_key",
  id: ids.post,
  name: "CI",
  workspace_id: ids.acme,
  workspace_name: "Acme",
  made_at: at,
  last_used_at: at,
  expires_at: null,
};
const invitation = { ...key, kind: "invitation", id: ids.person, name: "eve@example.com (admin)", last_used_at: null };
const access = (...list: object[]) => ({ "GET /api/profiles/me/access": { access: list } });
const assistants = { "GET /api/workspaces/*/assistants": { assistants: [] } };
const rows = () => within(screen.getByRole("list", { name: "What acts for you" })).getAllByRole("listitem");

describe("what else acts for a person", () => {
  test("is listed since thirty days ago and ended in one step, once it was asked", async () => {
    const api = stubApi({ ...signedIn(), ...access(key, invitation), "DELETE /api/profiles/me/access": { success: true, ended: 2 } });
    const { user } = renderApp("/settings/access");
    await screen.findByText("2 made since this day:");
    expect(rows().map((row) => row.textContent)).toEqual([
      "CIAPI key in Acme · made 3 hours ago · last used 3 hours ago",
      "eve@example.com (admin)Invitation in Acme · made 3 hours ago",
    ]);
    await user.click(screen.getByRole("button", { name: "End all 2" }));
    const dialog = await screen.findByRole("dialog", { name: "End all 2?" });
    expect(api.to("DELETE /api/profiles/me/access")).toEqual([]);
    api.set(access());
    await user.click(within(dialog).getByRole("button", { name: "End all 2" }));
    await screen.findByText(/Nothing made since this day acts for you/);
    const [asked, ended] = [api.to("GET /api/profiles/me/access")[0]!, api.to("DELETE /api/profiles/me/access")[0]!];
    const since = new Date(new URL(asked.path, "http://localhost").searchParams.get("since")!);
    expect([since.getHours(), since.getMinutes()]).toEqual([0, 0]);
    expect(new URL(ended.path, "http://localhost").search).toBe(new URL(asked.path, "http://localhost").search);
  });
});

describe("a person who gets their account back", () => {
  test("sees it after signing out everywhere else", async () => {
    const sessions = [true, false].map((current, index) => ({
      id: [ids.acme, ids.globex][index],
      user_agent: null,
      created_at: at,
      last_used_at: at,
      current,
    }));
    stubApi({
      ...signedIn(),
      ...assistants,
      ...access(key),
      "GET /api/profiles/me/sessions": { sessions },
      "DELETE /api/profiles/me/sessions": { success: true },
    });
    const { user, address } = renderApp("/settings");
    await user.click(await screen.findByRole("button", { name: "Sign out everywhere else" }));
    await waitFor(() => expect(address()).toBe("/settings/access"));
    expect((await screen.findByRole("link", { name: "Back to settings" })).getAttribute("href")).toBe("/settings");
  });
});
