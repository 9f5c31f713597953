// @vitest-environment node
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { withDefaults } from "#contract/widget-choices.ts";
import type { TidingsApi } from "./install.ts";
import { data, openPage, type Page } from "../tests/support/widget/host-page.ts";
import { button, panel, server, snippet } from "../tests/support/widget/product-server.ts";

const api = (page: Page): TidingsApi => page.window.Tidings as TidingsApi;
const shown = (page: Page): ShadowRoot[] => [...page.document.querySelectorAll("tidings-widget")].map((host) => host.shadowRoot!);

describe("page scripts", () => {
  test("can open, close, toggle and destroy the widget", async () => {
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
  test("can queue commands before the script loads", async () => {
    const page = openPage(`<script>(window.Tidings ||= []).push(["open"], ["unknown"])</script>${snippet()}`);
    expect(panel(await page.widget()).hidden).toBe(false);
    expect(page.errors).toEqual([]);
  });
  test("can push commands after the script loaded", async () => {
    const page = openPage(snippet());
    const root = await page.widget();
    const heard: unknown[] = [];
    page.window.eval('(window.Tidings ||= []).push(["open"], ["unknown"])');
    api(page).push(["on", "close", (detail: unknown) => heard.push(detail)], ["close"]);
    await wait(20);
    expect([panel(root).hidden, heard]).toEqual([true, [{ workspace: "acme" }]]);
    expect(page.errors).toEqual([]);
  });
  test("a failing command doesn't block later ones", async () => {
    const page = openPage(`<script>window.Tidings = [["mount"], null, ["on"], "open", ["open"]]</script>${snippet()}`);
    expect(panel(await page.widget()).hidden).toBe(false);
    expect(page.errors).toEqual([]);
  });
  test("skip the delay by opening the widget", async () => {
    server.answer = data({ settings: withDefaults({ behaviour: { delay: 10_000 } }) });
    const early = openPage(`<script>window.Tidings = [["open"]]</script>${snippet()}`);
    expect(panel(await early.widget()).hidden).toBe(false);
    const page = openPage(snippet());
    expect(await page.noWidget()).toBeNull();
    api(page).open();
    expect(panel(await page.widget()).hidden).toBe(false);
  });
  test("can destroy the widget before it appears", async () => {
    const page = openPage(`<script>window.Tidings = [["destroy"]]</script>${snippet()}`);
    expect(await page.noWidget()).toBeNull();
    expect(server.asked).toEqual([]);
  });
  test("can mount again after a failed load", async () => {
    server.answer = (_request, response) => void response.writeHead(503).end();
    const page = openPage(snippet());
    expect(await page.noWidget()).toBeNull();
    await expect.poll(() => api(page).widgets.size).toBe(0);
    server.answer = data();
    api(page).mount({ origin: server.origin, workspace: "acme" });
    expect(await page.widget()).toBeTruthy();
  });
  test("get a new widget while a destroyed one's data is still loading", async () => {
    server.answer = (_request, response) => void setTimeout(() => response.end(JSON.stringify(data())), 50);
    const page = openPage(snippet());
    await expect.poll(() => server.asked.length).toBe(1);
    api(page).destroy();
    api(page).mount({ origin: server.origin, workspace: "acme" });
    await page.widget();
    expect([...api(page).widgets.keys()]).toEqual(["acme"]);
  });
  test("can mount again after destroy", async () => {
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
  test("of one workspace create one widget", async () => {
    const page = openPage(snippet() + snippet());
    await page.widget();
    await wait(100);
    expect(page.document.querySelectorAll("tidings-widget")).toHaveLength(1);
    expect(server.asked).toHaveLength(1);
  });
  test("of two workspaces create two widgets", async () => {
    const page = openPage(snippet("acme") + snippet("globex"));
    expect(await page.widgets(2)).toHaveLength(2);
  });
});

describe("two widgets in one corner", () => {
  const unseen = { "tc:widget:acme": "2026-01-01T00:00:00.000Z", "tc:widget:globex": "2026-01-01T00:00:00.000Z" };
  const both = async (stored = {}): Promise<[Page, ShadowRoot, ShadowRoot]> => {
    const page = openPage(snippet("acme"), { stored });
    await page.widget();
    api(page).mount({ origin: server.origin, workspace: "globex" });
    const [acme, globex] = (await page.widgets(2)) as [ShadowRoot, ShadowRoot];
    return [page, acme, globex];
  };
  const place = (root: ShadowRoot): string | undefined =>
    /--nth:(\d+);--all:\d+/.exec((root.adoptedStyleSheets as unknown as { text: string }[])[0]!.text)?.[0];

  test("are placed side by side, and the remaining one moves up", async () => {
    const [page, acme, globex] = await both();
    expect([place(acme), place(globex)]).toEqual(["--nth:0;--all:2", "--nth:1;--all:2"]);
    api(page).destroy("acme");
    expect(place(globex)).toBe("--nth:0;--all:1");
  });
  test("have one open panel, the latest", async () => {
    const [, acme, globex] = await both();
    button(acme).click();
    button(globex).click();
    expect([panel(acme).hidden, panel(globex).hidden]).toEqual([true, false]);
    button(acme).click();
    expect([panel(acme).hidden, panel(globex).hidden]).toEqual([false, true]);
  });
  test("a new post in one doesn't close the other's open panel", async () => {
    const [page, acme, globex] = await both(unseen);
    expect([panel(acme).hidden, panel(globex).hidden]).toEqual([false, true]);
    expect(globex.querySelector<HTMLElement>(".badge")!.hidden).toBe(false);
    expect(page.window.localStorage.getItem("tc:widget:globex")).toBe(unseen["tc:widget:globex"]);
  });
});

describe("a page that replaces", () => {
  const replacements: Record<string, (document: Document) => void> = {
    "its body": (document) => document.body.replaceWith(document.createElement("body")),
    "what is in its body": (document) => document.body.replaceChildren("Another page"),
    "all of itself": (document) => document.documentElement.replaceWith(document.documentElement.cloneNode(true)),
  };
  test.each(Object.entries(replacements))("%s keeps its widget unchanged, repeatedly", async (_name, replace) => {
    const page = openPage(snippet());
    const root = await page.widget();
    api(page).open();
    for (let times = 0; times < 2; times++) {
      replace(page.document);
      expect(root.host.isConnected).toBe(false);
      await expect.poll(() => root.host.isConnected).toBe(true);
    }
    expect(panel(root).hidden).toBe(false);
    expect(page.errors).toEqual([]);
  });
  test("a replaced body doesn't restore a destroyed widget", async () => {
    const page = openPage(snippet());
    await page.widget();
    replacements["its body"]!(page.document);
    api(page).destroy();
    await wait(60);
    expect(shown(page)).toEqual([]);
    replacements["its body"]!(page.document);
    await wait(60);
    expect(shown(page)).toEqual([]);
  });
});
