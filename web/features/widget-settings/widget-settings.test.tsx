import { screen, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import type { Role } from "#contract/kinds.ts";
import { withDefaults } from "#contract/widget-choices.ts";
import { toForm, isSameWidget } from "./form.ts";
import { snippets } from "./snippets.ts";
import { acme, emptyDashboard, ids, signedIn } from "../../../tests/support/web/fixtures.ts";
import { renderApp } from "../../../tests/support/web/render-app.tsx";
import { stubApi } from "../../../tests/support/web/stub-api.ts";

const address = `/workspace/${ids.acme}/widget`;
const build = { script: { file: "/widget-0123456789abcdef.js", integrity: "sha384-abc" } };

const stubs = (role: Role = "owner", more: object = {}) => ({
  ...signedIn([{ ...acme, role }]),
  "GET /widget.json": build,
  "GET /api/widget-settings/*": { settings: {} },
  "GET /api/dashboard/*/all": emptyDashboard,
  "GET /api/posts/upcoming": { posts: [] },
  ...more,
});

async function open(role: Role = "owner", more: object = {}) {
  const api = stubApi(stubs(role, more));
  const app = renderApp(address);
  await screen.findByRole("heading", { name: "Appearance" });
  return { ...app, api };
}
const choice = (group: string, name: string) =>
  within(screen.getByRole("group", { name: group })).getByRole<HTMLInputElement>("radio", { name });

describe("unsaved widget settings", () => {
  async function leave(more: object = {}) {
    const app = await open("owner", more);
    await app.user.click(choice("Theme", "Dark"));
    await app.user.click(within(screen.getByRole("navigation", { name: "Workspace" })).getByRole("link", { name: "Dashboard" }));
    return { ...app, dialog: within(await screen.findByRole("dialog", { name: "Leave without saving?" })) };
  }

  test("ask before leaving, and stay unchanged", async () => {
    const { address: here, dialog, user } = await leave();
    await user.click(dialog.getByRole("button", { name: "Stay" }));
    expect(here()).toBe(address);
    expect(choice("Theme", "Dark").checked).toBe(true);
  });
});

test("the widget page checks a site, and says what is missing", async () => {
  const found = { result: "found", origin: "https://shop.example", detail: null };
  const { user, api } = await open("owner", { "POST /api/widget-settings/*/check": found });
  const field = screen.getByRole("textbox", { name: "Page with the widget" });
  await user.clear(field);
  await user.type(field, "shop.example/news");
  await user.click(screen.getByRole("button", { name: "Check page" }));
  await screen.findByText("The widget is on this page, but it can't load. Add https://shop.example to the allowed origins.");
  expect(api.to("POST /api/widget-settings/*/check")[0]?.body).toEqual({ url: "https://shop.example/news" });
  api.set({ "POST /api/widget-settings/*/check": { ...found, result: "other_workspace", detail: "former" } });
  await user.click(screen.getByRole("button", { name: "Check page" }));
  await screen.findByText('This page has the widget of "former". Copy the snippet again.');
});

describe("widget form", () => {
  test("applies saved groups with null for missing fields", () => {
    const form = toForm({ behaviour: { animation: "slide" } });
    expect(form.behaviour).toEqual({ autoOpenNewPosts: null, animation: "slide", newFor: null, delay: null });
    expect(form.customisation).toEqual({ widgetSize: "sm", cornerRadius: 6, fontFamily: "system" });
    expect(toForm({})).toEqual(withDefaults({}));
  });

  test("treats null and the default alike", () => {
    expect(isSameWidget(toForm({ appearance: {} }), toForm({}))).toBe(true);
    expect(isSameWidget(toForm({ appearance: { theme: "dark" } }), toForm({}))).toBe(false);
  });
});

describe("the install snippet", () => {
  const options = snippets({ origin: "https://tidings.example", subdomain: "acme", build });

  test("copies the script tag and other forms", async () => {
    const { user } = await open();
    await user.click(screen.getByRole("button", { name: "Copy the Script snippet" }));
    expect(await navigator.clipboard.readText()).toBe(
      `<script async src="http://localhost:3000/widget.js" data-workspace="acme"></script>`,
    );
    await screen.findByText("Copied");
    await screen.findByRole("option", { name: "Script with SRI" });
    await user.selectOptions(screen.getByRole("combobox", { name: "Install with" }), "Script with SRI");
    await user.click(screen.getByRole("button", { name: "Copy the Script with SRI snippet" }));
    expect(await navigator.clipboard.readText()).toContain(`integrity="sha384-abc"`);
  });

  test.each([
    ["integrity", ["https://tidings.example/widget-0123456789abcdef.js", `crossorigin="anonymous"`, `data-workspace="acme"`]],
    ["react", ["useEffect", "https://tidings.example/widget.js", `dataset.workspace = "acme"`]],
    ["next", [`from "next/script"`, `data-workspace="acme"`, "lazyOnload"]],
    ["gtm", ["<script>", `setAttribute("data-workspace", "acme")`]],
    ["headway", ["https://tidings.example/widget-headway.js?workspace=acme"]],
  ])("in the form %s includes URL and workspace", (form, parts) => {
    const code = options.find((one) => one.form === form)?.code ?? "";
    for (const part of parts) expect(code).toContain(part);
  });
});
