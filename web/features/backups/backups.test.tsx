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
  "GET /api/workspaces/*/add-ons": { add_ons: [{ add_on: "backup", granted_at: day }], requested: [] },
  "GET /api/workspaces/*/backup/copies": { copies },
};
const settingsAt = `/workspace/${ids.acme}/settings`;

describe("where the copies go", () => {
  const put = "PUT /api/workspaces/*/backup";

  test("needs the key's secret the first time, and says so at the field", async () => {
    const api = stubApi({ ...has, "GET /api/workspaces/*/backup": { settings: null, runs: [] }, [put]: backup });
    const { user } = renderApp(settingsAt);
    await user.type(await screen.findByLabelText("Service"), "https://s3.example");
    await user.type(screen.getByLabelText("Bucket"), "copies");
    await user.type(screen.getByLabelText("Key id"), "id");
    await user.click(screen.getByRole("button", { name: "Try it and save" }));
    await screen.findByText("Please enter the secret access key");
    const secret = screen.getByLabelText("Secret of the key");
    expect([secret.getAttribute("aria-invalid"), secret.getAttribute("aria-required")]).toEqual(["true", "true"]);
    expect(api.to(put)).toEqual([]);
    await user.type(secret, "a secret");
    await user.click(screen.getByRole("button", { name: "Try it and save" }));
    await screen.findByText("No copy has been made yet.");
    expect(api.to(put).map(({ body }) => (body as { secret?: string }).secret)).toEqual(["a secret"]);
  });
});

describe("restoring a copy", () => {
  async function restore(answer: () => unknown) {
    const api = stubApi({ ...has, "GET /api/workspaces/*/backup": backup, [call]: answer });
    const app = renderApp(settingsAt);
    await app.user.click(await screen.findByRole("button", { name: "Restore a copy" }));
    const dialog = await screen.findByRole("dialog", { name: "Restore a copy" });
    await app.user.type(await within(dialog).findByLabelText("Name of the new workspace"), "Globex");
    await app.user.type(within(dialog).getByLabelText("Subdomain"), "globex");
    const again = async () => {
      const before = api.to(call).length;
      await app.user.click(await within(dialog).findByRole("button", { name: "Restore" }));
      await waitFor(() => expect(api.to(call)).toHaveLength(before + 1));
      await within(dialog).findByRole("alert");
    };
    await again();
    return { ...app, api, again, keys: () => api.to(call).map(({ headers }) => headers.get("idempotency-key")) };
  }

  test.each<[string, () => unknown]>([
    ["whose answer is lost", lost],
    ["that is under way", () => refusal("unavailable")],
    ["that comes too often", () => refusal("rate_limited")],
    ["that did not arrive in full", () => refusal("request_timeout")],
    ["whose answer cannot be read", () => ({})],
  ])("one %s is asked for under the same key", async (_, answer) => {
    const { again, keys } = await restore(answer);
    await again();
    expect(keys()).toHaveLength(2);
    expect(new Set(keys()).size).toBe(1);
  });

  test("leads into the workspace that was made while the answer was lost", async () => {
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
