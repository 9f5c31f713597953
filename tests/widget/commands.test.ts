// @vitest-environment node
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { openPage, type Page } from "./support/host-page.ts";
import { panel, server, snippet } from "./support/product-server.ts";

describe("a page's scripts", () => {
  type Tidings = Record<"open" | "close" | "toggle" | "destroy", (workspace?: string) => void>;
  const api = (page: Page): Tidings => page.window.Tidings as Tidings;

  test("open, close, toggle and destroy the widget", async () => {
    const page = openPage(snippet());
    const root = await page.widget();
    api(page).open();
    expect(panel(root).hidden).toBe(false);
    api(page).close();
    expect(panel(root).hidden).toBe(true);
    api(page).toggle();
    expect(panel(root).hidden).toBe(false);
    api(page).open("another");
    api(page).destroy();
    expect(page.document.querySelector("tidings-widget")).toBeNull();
  });
  test("can give commands before the script is there", async () => {
    const page = openPage(`<script>(window.Tidings ||= []).push(["open"], ["unknown"])</script>${snippet()}`);
    expect(panel(await page.widget()).hidden).toBe(false);
    expect(page.errors).toEqual([]);
  });
  test("can take the widget back before it has appeared", async () => {
    const page = openPage(`<script>window.Tidings = [["destroy"]]</script>${snippet()}`);
    expect(await page.noWidget()).toBeNull();
    expect(server.asked).toEqual([]);
  });
  test("get a new widget after a destroyed one", async () => {
    const page = openPage(snippet());
    await page.widget();
    api(page).destroy();
    const again = page.document.createElement("script");
    again.src = `${server.origin}/widget.js`;
    again.dataset["workspace"] = "acme";
    page.document.body.append(again);
    expect(await page.widget()).toBeTruthy();
  });
});

describe("several snippets", () => {
  test("of one workspace make one widget", async () => {
    const page = openPage(snippet() + snippet());
    await page.widget();
    await wait(100);
    expect(page.document.querySelectorAll("tidings-widget")).toHaveLength(1);
    expect(server.asked).toHaveLength(1);
  });
  test("of two workspaces make two", async () => {
    const page = openPage(snippet("acme") + snippet("globex"));
    await page.widget();
    await wait(100);
    expect(page.document.querySelectorAll("tidings-widget")).toHaveLength(2);
  });
});
