import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { emptyDashboard, globex, ids, signedIn } from "../../../tests/support/web/fixtures.ts";
import { renderApp } from "../../../tests/support/web/render-app.tsx";
import { refusal, stubApi } from "../../../tests/support/web/stub-api.ts";

const day = "2026-01-05T09:00:00.000Z";
const backup = {
  settings: {
    ...{ endpoint: "https://s3.example", region: "eu", bucket: "copies", key_id: "id" },
    ...{ encrypted: false, keep_days: 30, next_at: null },
  },
  runs: [],
};
const copies = [{ key: `tidings/acme-2026-01-05T09.zip`, bytes: 1_000, made_at: day }];
const call = "POST /api/workspaces/*/backup/restore";
const lost = () => Promise.reject(new TypeError("cut off"));

const has = {
  ...signedIn(),
  "GET /api/workspaces/*/add-ons": { add_ons: [{ add_on: "backup", granted_at: day }], requested: [], included: true },
  "GET /api/workspaces/*/backup/copies": { copies },
};
const settingsAt = `/workspace/${ids.acme}/settings/backup`;

describe("backup settings", () => {
  const put = "PUT /api/workspaces/*/backup";

  test("require the secret key the first time", async () => {
    const api = stubApi({ ...has, "GET /api/workspaces/*/backup": { settings: null, runs: [] }, [put]: backup });
    const { user } = renderApp(settingsAt);
    await user.type(await screen.findByLabelText("Endpoint"), "https://s3.example");
    await user.type(screen.getByLabelText("Bucket"), "copies");
    await user.type(screen.getByLabelText("Access key ID"), "id");
    await user.click(screen.getByRole("button", { name: "Test and save" }));
    await screen.findByText("Please enter the secret access key");
    const secret = screen.getByLabelText("Secret access key");
    expect([secret.getAttribute("aria-invalid"), secret.getAttribute("aria-required")]).toEqual(["true", "true"]);
    expect(api.to(put)).toEqual([]);
    await user.type(secret, "a secret");
    await user.click(screen.getByRole("button", { name: "Test and save" }));
    await screen.findByText("Your backups will appear here.");
    expect(api.to(put).map(({ body }) => (body as { secret?: string }).secret)).toEqual(["a secret"]);
  });
});

describe("restoring a copy", () => {
  async function restore(answer: () => unknown) {
    const api = stubApi({ ...has, "GET /api/workspaces/*/backup": backup, [call]: answer });
    const app = renderApp(settingsAt);
    await app.user.click(await screen.findByRole("button", { name: "Restore backup" }));
    const dialog = await screen.findByRole("dialog", { name: "Restore backup" });
    await app.user.type(await within(dialog).findByLabelText("New workspace name"), "Globex");
    await app.user.type(within(dialog).getByLabelText("Subdomain"), "globex");
    const retry = async () => {
      const before = api.to(call).length;
      await app.user.click(await within(dialog).findByRole("button", { name: "Restore" }));
      await waitFor(() => expect(api.to(call)).toHaveLength(before + 1));
      await within(dialog).findByRole("alert");
    };
    await retry();
    return { ...app, api, again: retry, keys: () => api.to(call).map(({ headers }) => headers.get("idempotency-key")) };
  }

  test.each<[string, () => unknown]>([
    ["without a response", lost],
    ["in progress", () => refusal("unavailable")],
    ["rate limited", () => refusal("rate_limited")],
    ["sent incompletely", () => refusal("request_timeout")],
    ["with an unreadable response", () => ({})],
  ])("retries a request %s with the same idempotency key", async (_, answer) => {
    const { again, keys } = await restore(answer);
    await again();
    expect(keys()).toHaveLength(2);
    expect(new Set(keys()).size).toBe(1);
  });

  test("opens the workspace created by a request without a response", async () => {
    const { api, user, address } = await restore(lost);
    api.set({
      [call]: () => Response.json({ workspace_id: globex.id, left_out: 0 }, { status: 201 }),
      "GET /api/workspaces": signedIn([globex])["GET /api/workspaces"],
      "GET /api/dashboard/*/all": emptyDashboard,
      "GET /api/posts/upcoming": { posts: [] },
    });
    await user.click(await screen.findByRole("button", { name: "Restore" }));
    await waitFor(() => expect(address()).toBe(`/workspace/${globex.id}/dashboard`));
  });
});
