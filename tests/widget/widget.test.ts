// @vitest-environment node
import { setTimeout as wait } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  widgetAnimations,
  widgetFonts,
  widgetPositions,
  widgetRadii,
  widgetSizes,
  widgetThemes,
  withDefaults,
} from "#contract/widget-settings.ts";
import { xssPayloads } from "../support/xss-payloads.ts";
import { widgetBundle } from "./support/bundle.ts";
import { data, openPage, type Page, post, serve, type Server } from "./support/host-page.ts";

let bundle: string;
let server: Server;
beforeAll(async () => {
  bundle = await widgetBundle();
  server = await serve(bundle);
});
afterAll(() => server.close());
beforeEach(() => {
  server.asked.length = 0;
  server.answer = data();
});

const snippet = (workspace = "acme"): string => `<script async src="${server.origin}/widget.js" data-workspace="${workspace}"></script>`;
const button = (root: ShadowRoot, name = ".launcher"): HTMLButtonElement => root.querySelector<HTMLButtonElement>(name)!;
const panel = (root: ShadowRoot): HTMLElement => root.querySelector<HTMLElement>(".panel")!;
const press = (page: Page, key: string): boolean =>
  page.document.dispatchEvent(new page.window.KeyboardEvent("keydown", { key, bubbles: true }));
const seen = (when: string): Record<string, string> => ({ "tc:widget:acme": when });
const older = "2026-01-01T00:00:00.000Z";

describe("the bundle", () => {
  test("is at most 5 KB", () => expect(gzipSync(bundle, { level: 9 }).length).toBeLessThanOrEqual(5 * 1024));
  test("leaves no trace in the page but window.Tidings", async () => {
    const clean = openPage("");
    const page = openPage(snippet());
    await page.widget();
    const added = Object.keys(page.window).filter((name) => !(name in clean.window) && !/^\d+$/.test(name));
    expect(added).toEqual(["Tidings"]);
  });
});

describe("on a page with the snippet", () => {
  test("a button appears, and the panel is closed", async () => {
    const root = await openPage(snippet()).widget();
    expect(button(root).textContent).toContain("What's New");
    expect(button(root).getAttribute("aria-expanded")).toBe("false");
    expect(panel(root).hidden).toBe(true);
  });
  test("nothing happens before the page has loaded", async () => {
    const page = openPage(snippet(), {
      prepare: (window) =>
        window.addEventListener("load", () =>
          Object.assign(window, { atLoad: [server.asked.length, window.document.querySelectorAll("tidings-widget").length] }),
        ),
    });
    await page.widget();
    expect((page.window as unknown as { atLoad: number[] }).atLoad).toEqual([0, 0]);
  });
  test("one request fetches everything, for this workspace and without cookies", async () => {
    const page = openPage(snippet("  ACME "));
    button(await page.widget()).click();
    await wait(50);
    expect(server.asked.map(({ url }) => url)).toEqual(["/releases/widget.json?workspace=acme"]);
    expect(server.asked[0]?.headers.cookie).toBeUndefined();
  });
  test("a click opens a labelled dialog with the posts, and a second one closes it", async () => {
    const root = await openPage(snippet()).widget();
    button(root).click();
    expect(panel(root).hidden).toBe(false);
    expect(button(root).getAttribute("aria-expanded")).toBe("true");
    expect(panel(root).getAttribute("role")).toBe("dialog");
    expect(root.getElementById(panel(root).getAttribute("aria-labelledby")!)?.textContent).toBe("What's New");
    expect(panel(root).textContent).toContain("Latest updates and features");
    const link = root.querySelector<HTMLAnchorElement>(".post a")!;
    expect([link.href, link.target, link.rel]).toEqual(["https://acme.tidings.example/releases/dark-mode", "_blank", "noopener"]);
    expect(link.textContent).toBe("Dark modeJanuary 2nd, 2026 · Ada LovelaceEasy on the eyes.");
    const all = root.querySelector<HTMLAnchorElement>(".all")!;
    expect([all.textContent, all.href]).toEqual(["View all updates", "https://acme.tidings.example/releases"]);
    button(root).click();
    expect(panel(root).hidden).toBe(true);
  });
  test("focus goes into the panel and comes back with Escape or the close button", async () => {
    const page = openPage(snippet());
    const root = await page.widget();
    button(root).focus();
    button(root).click();
    expect(root.activeElement?.textContent).toBe("What's New");
    press(page, "Escape");
    expect(panel(root).hidden).toBe(true);
    expect(root.activeElement).toBe(button(root));
    button(root).click();
    expect(button(root, ".close").getAttribute("aria-label")).toBe("Close");
    button(root, ".close").click();
    expect(root.activeElement).toBe(button(root));
  });
  test("a workspace without posts says so", async () => {
    server.answer = data({ posts: [] });
    const root = await openPage(snippet()).widget();
    button(root).click();
    expect(panel(root).textContent).toContain("Nothing published yet");
  });
  test("author and image are shown when they are sent", async () => {
    server.answer = data({ posts: [post({ image: { url: "https://acme.example/i.png", alt: "" } }), post({ author_name: null })] });
    const root = await openPage(snippet()).widget();
    button(root).click();
    const [first, second] = root.querySelectorAll(".post");
    expect(first?.querySelector("img")?.getAttribute("src")).toBe("https://acme.example/i.png");
    expect(second?.querySelector("img")).toBeNull();
    expect(second?.querySelector(".meta")?.textContent).toBe("January 2nd, 2026");
  });
});

describe("the settings", () => {
  const cases = [
    ...widgetThemes.map((theme) => ["theme", theme, { appearance: { theme } }] as const),
    ...widgetPositions.map((position) => ["position", position, { positioning: { position } }] as const),
    ...widgetAnimations.map((animation) => ["animation", animation, { behaviour: { animation } }] as const),
    ...widgetSizes.map((widgetSize) => ["size", widgetSize, { customisation: { widgetSize } }] as const),
    ...widgetRadii.map((cornerRadius) => ["radius", String(cornerRadius), { customisation: { cornerRadius } }] as const),
    ...widgetFonts.map((fontFamily) => ["font", fontFamily, { customisation: { fontFamily } }] as const),
  ];
  test.each(cases)("%s %s reaches the style sheet, which knows it", async (name, value, settings) => {
    server.answer = data({ settings: withDefaults(settings) });
    const root = await openPage(snippet()).widget();
    expect(root.querySelector<HTMLElement>(".root")?.dataset[name]).toBe(value);
    const { text } = (root.adoptedStyleSheets as unknown as { text: string }[])[0]!;
    // These are what the sheet says without any of the attributes.
    if (["light", "none", "sm", "6"].includes(value) || (name === "font" && value === "system")) return;
    for (const part of name === "position" ? value.split("-") : [value])
      expect(text).toMatch(new RegExp(`\\[data-${name}[\\^$]?="?${part}"?\\]`));
  });
  test("a delay is waited for", async () => {
    server.answer = data({ settings: withDefaults({ behaviour: { delay: 3_000 } }) });
    expect(await openPage(snippet()).noWidget()).toBeNull();
  });
});

describe("what is new", () => {
  test("a first visit finds nothing new", async () => {
    const page = openPage(snippet());
    const root = await page.widget();
    expect(panel(root).hidden).toBe(true);
    expect(root.querySelector<HTMLElement>(".badge")?.hidden).toBe(true);
    expect(page.window.localStorage.getItem("tc:widget:acme")).toBe("2026-01-02T10:00:00.000Z");
  });
  test("a new post opens the panel once, without taking the focus", async () => {
    const page = openPage(`<input id="typing">${snippet()}`, { stored: seen(older) });
    page.document.getElementById("typing")?.focus();
    const root = await page.widget();
    expect(panel(root).hidden).toBe(false);
    expect(page.document.activeElement?.id).toBe("typing");
    press(page, "Escape");
    expect(panel(root).hidden).toBe(true);
    expect(page.document.activeElement?.id).toBe("typing");
    expect(page.window.localStorage.getItem("tc:widget:acme")).toBe("2026-01-02T10:00:00.000Z");
  });
  test("what was seen opens nothing", async () => {
    const root = await openPage(snippet(), { stored: seen("2026-01-02T10:00:00.000Z") }).widget();
    expect(panel(root).hidden).toBe(true);
  });
  test("with auto-open off a badge counts instead, and goes when the panel is opened", async () => {
    server.answer = data({
      settings: withDefaults({ behaviour: { autoOpenNewPosts: false } }),
      posts: [post(), post({ published_at: "2026-01-03T00:00:00.000Z" }), post({ published_at: "2025-01-03T00:00:00.000Z" })],
    });
    const root = await openPage(snippet(), { stored: seen(older) }).widget();
    const badge = root.querySelector<HTMLElement>(".badge")!;
    expect([panel(root).hidden, badge.hidden, badge.textContent]).toEqual([true, false, "2 new"]);
    button(root).click();
    expect(badge.hidden).toBe(true);
  });
  test("without storage nothing is new and everything works", async () => {
    const page = openPage(snippet(), {
      prepare: (window) =>
        Object.defineProperty(window, "localStorage", {
          get() {
            throw new window.DOMException("denied", "SecurityError");
          },
        }),
    });
    const root = await page.widget();
    button(root).click();
    expect(panel(root).hidden).toBe(false);
    expect(page.errors).toEqual([]);
  });
});

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

describe("the page is never harmed", () => {
  const nonsense: Record<string, Server["answer"]> = {
    "the workspace is not public": (_request, response) =>
      void response.writeHead(404, { "content-type": "application/json" }).end('{"error":"x"}'),
    "the server fails": (_request, response) => void response.writeHead(500).end("oops"),
    "the connection breaks": (request) => void request.socket.destroy(),
    "the answer is a page": "<!doctype html><p>Login</p>",
    "the answer is null": "null",
    "the answer is empty": "{}",
    "the answer is a list": "[]",
    "posts are none": JSON.stringify({ ...data(), posts: "many" }),
    "a group of settings is missing": JSON.stringify({ ...data(), settings: { appearance: {} } }),
    "the address is a script": JSON.stringify({ ...data(), workspace: { name: "x", url: "javascript:alert(1)" } }),
    "the server hangs": () => {},
  };
  test.each(Object.entries(nonsense))("when %s", async (_name, answer) => {
    server.answer = answer;
    const page = openPage(snippet());
    expect(await page.noWidget()).toBeNull();
    expect(page.errors).toEqual([]);
  });
  test("when the browser is too old", async () => {
    const page = openPage(snippet(), { prepare: (window) => void Reflect.deleteProperty(window.Document.prototype, "adoptedStyleSheets") });
    expect(await page.noWidget()).toBeNull();
    expect(page.errors).toEqual([]);
  });
  test("when it has a Tidings of its own", async () => {
    const page = openPage(`<script>window.Tidings = "ours"</script>${snippet()}`);
    await page.noWidget();
    expect(page.window.Tidings).toBe("ours");
    expect(page.errors).toEqual([]);
  });
  test("when its prototypes are polluted", async () => {
    const page = openPage(
      `<script>Object.prototype.class = "x"; Array.prototype.remove = function () {}; Object.prototype.hidden = true;</script>${snippet()}`,
    );
    const root = await page.widget();
    button(root).click();
    expect(root.querySelectorAll(".post")).toHaveLength(1);
    expect(page.errors).toEqual([]);
  });
  test("by posts whose addresses are scripts", async () => {
    server.answer = data({ posts: [post({ url: "javascript:alert(1)" }), post({ image: { url: "javascript:alert(1)", alt: "" } })] });
    const root = await openPage(snippet()).widget();
    button(root).click();
    expect(root.querySelectorAll(".post")).toHaveLength(1);
    expect(root.querySelector("img")).toBeNull();
  });
  test("by any text that looks like markup", async () => {
    server.answer = data({
      workspace: { name: xssPayloads[0]!, url: "https://acme.example/" },
      posts: xssPayloads.map((text) => post({ title: text, excerpt: text, author_name: text, published_at: older })),
    });
    const page = openPage(snippet());
    const root = await page.widget();
    button(root).click();
    const tags = new Set([...root.querySelectorAll("*")].map(({ tagName }) => tagName.toLowerCase()));
    expect([...tags].sort()).toEqual(["a", "button", "div", "h2", "h3", "li", "p", "path", "span", "svg", "time", "ul"]);
    expect([...root.querySelectorAll(".post h3")].map(({ textContent }) => textContent)).toEqual(xssPayloads);
    expect(page.errors).toEqual([]);
  });
  test("by styles: no style element, no style attribute, all in an adopted sheet behind `all: initial`", async () => {
    const page = openPage(snippet());
    const root = await page.widget();
    button(root).click();
    expect(root.querySelectorAll("style, link, [style]")).toHaveLength(0);
    expect(page.document.querySelectorAll("style, link, [style], tidings-widget[class]")).toHaveLength(0);
    const { text } = (root.adoptedStyleSheets as unknown as { text: string }[])[0]!;
    expect(text).toMatch(/:host\{[^}]*all:\s?initial\s?!important/);
    expect(text).toMatch(/\.root\{[^}]*all:\s?initial/);
    expect(text).not.toMatch(/\drem/);
  });
});
