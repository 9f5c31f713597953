import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { type Appearance, type AppearanceChoices, defaultAppearance } from "#contract/appearance.ts";
import type { Role } from "#contract/kinds.ts";
import { acme, emptyDashboard, ids, signedIn } from "../../../tests/support/web/fixtures.ts";
import { renderApp } from "../../../tests/support/web/render-app.tsx";
import { pending, refusal, stubApi } from "../../../tests/support/web/stub-api.ts";

const address = `/workspace/${ids.acme}/appearance`;
const look: Appearance = { ...defaultAppearance, logo_url: null, logo_dark_url: null, favicon_url: null };
/** The page's preview fails, so that no frame of it has to be drawn here; the end-to-end test draws it. */
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
const sent = (api: ReturnType<typeof stubApi>) => api.to("PUT /api/workspaces/*/appearance").map(({ body }) => body);

describe("a look", () => {
  test("only what changed is sent; what is typed meanwhile stays", async () => {
    const answer = pending<Appearance>();
    const { api, user } = await open("owner", { "PUT /api/workspaces/*/appearance": () => answer.promise });
    expect(save().disabled).toBe(true);
    await user.type(hex(), "#FF5A5F");
    await user.click(save());
    expect(sent(api)).toEqual([{ accent: "#FF5A5F" }]);
    await user.type(screen.getByLabelText(/Line at the end/), "© Acme");
    answer.resolve({ ...look, accent: "#ff5a5f" });
    await screen.findByText("Appearance saved");
    await waitFor(() => expect(hex().value).toBe("#ff5a5f")); // as the server keeps it
    expect(screen.getByLabelText<HTMLInputElement>(/Line at the end/).value).toBe("© Acme");
    expect(save().disabled).toBe(false);
  });

  test("a colour that is none is explained at its field, and nothing is sent", async () => {
    const { api, user } = await open();
    await user.type(hex(), "red;background:url(//x)");
    await user.click(save());
    await screen.findByText("Please enter a colour as #rrggbb, e.g. #0b6b62");
    expect(document.activeElement).toBe(hex());
    expect(sent(api)).toEqual([]);
    await user.click(screen.getByRole("button", { name: "Use the standard" }));
    expect(save().disabled).toBe(true);
  });

  test("a colour says what becomes of it", async () => {
    const { user } = await open();
    const derived = () => screen.getByRole("list", { name: "How the colour can be read" }).textContent;
    expect(derived()).toMatch(/standard colour, contrast: \d/);
    await user.type(hex(), "#ffd400");
    expect(derived()).toContain("made darker so that it can be read: 4.5 : 1");
    expect(derived()).toContain("#ffd400 as chosen, contrast: 10.5 : 1");
    await user.clear(hex());
    await user.type(hex(), "#00f");
    expect(screen.queryByRole("list", { name: "How the colour can be read" })).toBeNull();
  });

  test("a refused save keeps what was chosen, with the server's sentence at the field", async () => {
    const sentence = "Please use at most 200 characters";
    const refused = () => refusal("validation_failed", { footer: sentence });
    const { user } = await open("admin", { "PUT /api/workspaces/*/appearance": refused });
    await user.type(screen.getByLabelText(/Line at the end/), "x");
    await user.click(save());
    await screen.findByText(sentence);
    expect(screen.getByLabelText<HTMLInputElement>(/Line at the end/).value).toBe("x");
    expect(save().disabled).toBe(false);
  });

  describe("whose last edit is a link without https://", () => {
    const links = [{ label: "Docs", url: "https://docs.acme.example" }];
    const kept = [{ label: "Docs", url: "https://docs.acme.example/" }];
    const typed = async () => {
      const opened = await open("owner", { "PUT /api/workspaces/*/appearance": { ...look, links: kept } });
      await opened.user.click(screen.getByRole("button", { name: "Add a link" }));
      await opened.user.type(screen.getByLabelText("Label of link 1"), "Docs");
      await opened.user.type(screen.getByLabelText("Address of link 1"), "docs.acme.example");
      return opened;
    };
    test.each(["the first click", "Enter"])("is saved by %s", async (way) => {
      const { api, user } = await typed();
      await (way === "Enter" ? user.keyboard("{Enter}") : user.click(save()));
      await screen.findByText("Appearance saved");
      expect(sent(api)).toEqual([{ links }]);
      await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>("Address of link 1").value).toBe(kept[0]!.url));
      expect(save().disabled).toBe(true);
    });
  });

  test("a link that is added after a save that failed says nothing until it is left, or saved too", async () => {
    const { api, user } = await open();
    const isWrong = (label: string) => screen.getByLabelText(label).getAttribute("aria-invalid");
    const add = () => user.click(screen.getByRole("button", { name: "Add a link" }));
    await add();
    await user.click(save());
    expect(document.activeElement).toBe(screen.getByLabelText("Label of link 1"));
    await add();
    expect(["Label of link 1", "Address of link 1"].map(isWrong)).toEqual(["true", "true"]);
    expect(["Label of link 2", "Address of link 2"].map(isWrong)).toEqual(["false", "false"]);
    await user.click(save());
    expect(["Label of link 2", "Address of link 2"].map(isWrong)).toEqual(["true", "true"]);
    expect(sent(api)).toEqual([]);
  });

  test("at most six links, and as many as are wanted fewer", async () => {
    const { user } = await open();
    for (let count = 0; count < 6; count += 1) await user.click(screen.getByRole("button", { name: "Add a link" }));
    expect(screen.queryByRole("button", { name: "Add a link" })).toBeNull();
    await screen.findByText("Six links are all there is room for.");
    for (const button of screen.getAllByRole("button", { name: /^Remove link/ })) await user.click(button);
    expect(save().disabled).toBe(true);
  });

  test("what is not saved is asked about on the way out; saved, the way is free", async () => {
    const { user, address: here } = await open("owner", { "PUT /api/workspaces/*/appearance": { ...look, theme: "dark" } });
    await user.click(within(screen.getByRole("group", { name: "Theme" })).getByRole("radio", { name: "Dark" }));
    await user.click(within(screen.getByRole("navigation", { name: "Workspace" })).getByRole("link", { name: "Dashboard" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Leave without saving?" }));
    await user.click(dialog.getByRole("button", { name: /Save/ }));
    await waitFor(() => expect(here()).toBe(`/workspace/${ids.acme}/dashboard`));
  });

  test.each(["editor", "viewer"] as const)("an %s may look but not change anything", async (role) => {
    await open(role);
    screen.getByText("Owners and administrators can change this.");
    expect(screen.queryByRole("button", { name: "Save changes" })).toBeNull();
    expect(screen.queryByRole("link", { name: "Appearance" })).toBeNull();
    expect(hex().disabled).toBe(true);
    for (const control of screen.getAllByRole<HTMLInputElement>("radio"))
      expect([
        control.closest("fieldset")?.textContent,
        control.matches(":disabled") || control.closest("section[aria-label='Live preview']") !== null,
      ]).toEqual([control.closest("fieldset")?.textContent, true]);
  });

  test("that does not load says so and can be asked for again", async () => {
    const api = stubApi(stubs("owner", { "GET /api/workspaces/*/appearance": () => refusal("unavailable") }));
    const { user } = renderApp(address);
    await screen.findByText("The look could not be loaded");
    api.set({ "GET /api/workspaces/*/appearance": look });
    await user.click(screen.getByRole("button", { name: "Try again" }));
    await screen.findByRole("heading", { name: "Colour" });
  });

  test("while something is wrong the preview stays with what was right, and still follows its own switches", async () => {
    const { api, user } = await open("owner", { "POST /api/workspaces/*/appearance/preview": () => pending().promise });
    const asked = () => api.to("POST /api/workspaces/*/appearance/preview").map(({ body }) => body as AppearanceChoices);
    await user.type(hex(), "#ff5a5f");
    await user.click(screen.getByRole("button", { name: "Add a link" }));
    await screen.findByText(/This is the look before it/);
    await user.click(within(screen.getByRole("group", { name: "Preview on" })).getByRole("radio", { name: "Dark" }));
    await waitFor(() => expect(asked().at(-1)).toMatchObject({ accent: "#ff5a5f", theme: "dark", links: [] }));
    await user.click(screen.getByRole("button", { name: /^Remove link/ }));
    await waitFor(() => expect(screen.queryByText(/This is the look before it/)).toBeNull());
  });

  test("a preview that cannot be made is said, and asked for again", async () => {
    const { api, user } = await open();
    await screen.findByText(/The preview could not be made/);
    const asked = () => api.to("POST /api/workspaces/*/appearance/preview").length;
    const before = asked();
    await user.click(screen.getByRole("button", { name: "Try again" }));
    await waitFor(() => expect(asked()).toBeGreaterThan(before));
  });

  test("a preview that a starting server could not make is asked for again by itself", async () => {
    const { api } = await open();
    await screen.findByText(/The preview could not be made/);
    const asked = () => api.to("POST /api/workspaces/*/appearance/preview").length;
    const before = asked();
    await waitFor(() => expect(asked()).toBeGreaterThan(before));
  });
});
