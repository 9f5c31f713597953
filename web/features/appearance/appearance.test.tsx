import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { type Appearance, type AppearanceChoices, defaultAppearance } from "#contract/appearance.ts";
import type { Role } from "#contract/kinds.ts";
import { acme, emptyDashboard, ids, signedIn } from "../../../tests/support/web/fixtures.ts";
import { renderApp } from "../../../tests/support/web/render-app.tsx";
import { pending, refusal, stubApi } from "../../../tests/support/web/stub-api.ts";

const address = `/workspace/${ids.acme}/appearance`;
const look: Appearance = { ...defaultAppearance, logo_url: null, logo_dark_url: null, favicon_url: null };
/** The preview call fails, so no frame renders; the e2e test covers it. */
const stubs = (role: Role, more: object) => ({
  ...signedIn([{ ...acme, role }]),
  "GET /api/workspaces/*/appearance": look,
  "POST /api/workspaces/*/appearance/preview": () => refusal("unavailable"),
  "GET /api/dashboard/*/all": emptyDashboard,
  "GET /api/posts/upcoming": { posts: [] },
  ...more,
});

async function open(role: Role = "owner", more: object = {}) {
  const api = stubApi(stubs(role, more));
  const app = renderApp(address);
  await screen.findByRole("heading", { name: "Colour" });
  return { ...app, api };
}
const hex = () => screen.getByRole<HTMLInputElement>("textbox", { name: "Accent colour" });
const save = () => screen.getByRole<HTMLButtonElement>("button", { name: "Save changes" });
const savedBodies = (api: ReturnType<typeof stubApi>) => api.to("PUT /api/workspaces/*/appearance").map(({ body }) => body);

describe("a look", () => {
  test("a colour that is none is explained at its field, and nothing is sent", async () => {
    const { api, user } = await open();
    await user.type(hex(), "red;background:url(//x)");
    await user.click(save());
    await screen.findByText("Please enter a colour as #rrggbb, e.g. #0b6b62");
    expect(document.activeElement).toBe(hex());
    expect(savedBodies(api)).toEqual([]);
    await user.click(screen.getByRole("button", { name: "Use default" }));
    expect(save().disabled).toBe(true);
  });

  test("asks about unsaved changes before leaving", async () => {
    const { user, address: here } = await open("owner", { "PUT /api/workspaces/*/appearance": { ...look, theme: "dark" } });
    await user.click(within(screen.getByRole("group", { name: "Theme" })).getByRole("radio", { name: "Dark" }));
    await user.click(within(screen.getByRole("navigation", { name: "Workspace" })).getByRole("link", { name: "Dashboard" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Leave without saving?" }));
    await user.click(dialog.getByRole("button", { name: /Save/ }));
    await waitFor(() => expect(here()).toBe(`/workspace/${ids.acme}/dashboard`));
  });

  test("keeps the preview of the last valid values while there are errors", async () => {
    const { api, user } = await open("owner", { "POST /api/workspaces/*/appearance/preview": () => pending().promise });
    const previewBodies = () => api.to("POST /api/workspaces/*/appearance/preview").map(({ body }) => body as AppearanceChoices);
    await user.type(hex(), "#ff5a5f");
    await user.click(screen.getByRole("button", { name: "Add link" }));
    await screen.findByText(/Fix the errors to update/);
    await user.click(within(screen.getByRole("group", { name: "Preview on" })).getByRole("radio", { name: "Dark" }));
    await waitFor(() => expect(previewBodies().at(-1)).toMatchObject({ accent: "#ff5a5f", theme: "dark", links: [] }));
    await user.click(screen.getByRole("button", { name: /^Remove link/ }));
    await waitFor(() => expect(screen.queryByText(/Fix the errors to update/)).toBeNull());
  });
});
