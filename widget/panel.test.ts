// @vitest-environment node
import { setTimeout as wait } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { withDefaults } from "#contract/widget-choices.ts";
import { defaultAppearance } from "#contract/appearance-choices.ts";
import { locales } from "#contract/locales.ts";
import { accentColours } from "#contract/rules/accent.ts";
import { speechOf } from "#contract/widget-speech.ts";
import { languageIn } from "#contract/i18n/index.ts";
import { data, openPage, post } from "../tests/support/widget/host-page.ts";
import { bundle, button, panel, server, snippet } from "../tests/support/widget/product-server.ts";

describe("the bundle", () => {
  test("is at most 5 KB", () => expect(gzipSync(bundle, { level: 9 }).length).toBeLessThanOrEqual(5 * 1024));
  test("leaves no global but window.Tidings", async () => {
    const clean = openPage("");
    const page = openPage(snippet());
    await page.widget();
    const added = Object.keys(page.window).filter((name) => !(name in clean.window) && !/^\d+$/.test(name));
    expect(added).toEqual(["Tidings"]);
  });
});

describe("on a page with the snippet", () => {
  test("shows a button and a closed panel", async () => {
    const root = await openPage(snippet()).widget();
    expect(button(root).textContent).toContain("What's New");
    expect(button(root).getAttribute("aria-expanded")).toBe("false");
    expect(panel(root).hidden).toBe(true);
  });
  test("does nothing before the page has loaded", async () => {
    const page = openPage(snippet(), {
      prepare: (window) =>
        window.addEventListener("load", () =>
          Object.assign(window, { atLoad: [server.asked.length, window.document.querySelectorAll("tidings-widget").length] }),
        ),
    });
    await page.widget();
    expect((page.window as unknown as { atLoad: number[] }).atLoad).toEqual([0, 0]);
  });
  test("fetches everything in one request for this workspace, without cookies", async () => {
    const page = openPage(snippet("  ACME "));
    button(await page.widget()).click();
    await wait(50);
    expect(server.asked.map(({ url }) => url)).toEqual(["/releases/widget.json?workspace=acme"]);
    expect(server.asked[0]?.headers.cookie).toBeUndefined();
  });
  test("sends tags, locale, version and key of the tag with its one request", async () => {
    const page = openPage(snippet("acme", 'data-tags="fix,a b" data-locale="ar" data-version="1.12.0+x" data-key="a.b.c"'));
    await page.widget();
    await wait(50);
    const query = "workspace=acme&tags=fix%2Ca+b&locale=ar&version=1.12.0%2Bx&key=a.b.c";
    expect(server.asked[0]?.url).toBe(`/releases/widget.json?${query}`);
    expect(server.asked.filter(({ url }) => !url.includes(".gif"))).toHaveLength(1);
    expect(page.errors).toEqual([]);
  });
  test("opens a labelled dialog with the posts on click and closes it on the next", async () => {
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
  test.each(locales)("uses %s for words, direction and days, and no English", async (locale) => {
    const look = { ...defaultAppearance, locale };
    const { words, dates, dir } = languageIn(look);
    const today = post({ slug: "today", date: "-", published_at: new Date().toISOString() });
    server.answer = data({
      workspace: { ...data().workspace, mails: true },
      posts: [today, post({ date: dates.day(new Date("2026-01-02T10:00:00Z")) })],
      ...speechOf({ look, fontFamily: "system", posts: 5, file: (path) => path }),
    });
    const root = await openPage(snippet(), { stored: { "tc:widget:acme": "2000" } }).widget();
    const frame = root.querySelector<HTMLElement>(".root")!;
    expect([frame.lang, frame.dir]).toEqual([locale, dir]);
    const { whatsNew, latest, close, all, mails, unread, back, asPage } = words.widget;
    expect(root.querySelector(".badge")!.getAttribute("aria-label")).toBe(unread(2));
    if (panel(root).hidden) button(root).click();
    expect([...root.querySelectorAll(".meta")].map((meta) => meta.textContent)).toEqual([
      `${dates.words[0]} · Ada Lovelace`,
      `${dates.day(new Date("2026-01-02T10:00:00Z"))} · Ada Lovelace`,
    ]);
    expect(root.querySelector(".close")!.getAttribute("aria-label")).toBe(close);
    root.querySelectorAll(".post").forEach((one) => one.remove());
    expect(root.querySelector(".panel")!.textContent).toBe([whatsNew, latest, all, mails].join(""));
    expect([back, asPage].every((word) => word !== "")).toBe(true);
  });
  test.each(locales)("shows the empty state and the back button in %s", async (locale) => {
    const speech = speechOf({ look: { ...defaultAppearance, locale }, fontFamily: "system", posts: 5, file: (path) => path });
    server.answer = data({ posts: [], ...speech });
    const empty = await openPage(snippet()).widget();
    button(empty).click();
    expect(empty.querySelector(".none")!.textContent).toBe(speech.words.none);
    server.answer = data(speech);
    const root = await openPage(snippet()).widget();
    button(root).click();
    root.querySelector<HTMLElement>(".post a")!.click();
    await expect.poll(() => root.querySelector(".back")?.textContent).toBe(speech.words.back);
    expect(root.querySelector(".article > a")!.textContent).toBe(speech.words.asPage);
  });
  test("uses the workspace's accent and declares its font where needed", async () => {
    const look = { ...defaultAppearance, accent: "#ffd400", font: "geist" as const };
    const speech = speechOf({ look, fontFamily: "system", posts: 5, file: (path) => `https://acme.tidings.example${path}` });
    server.answer = data(speech);
    const declared: unknown[][] = [];
    const page = openPage(snippet(), {
      prepare: (window) => {
        Object.assign(window, {
          FontFace: function FontFace(...given: unknown[]) {
            declared.push(given);
          },
        });
        Object.defineProperty(window.document, "fonts", { value: new Set() });
      },
    });
    const root = await page.widget();
    const [sheet] = root.adoptedStyleSheets as unknown as { text: string }[];
    const { light, dark } = accentColours("#ffd400");
    expect(sheet!.text).toContain(`.root{--accent:${light.accent};--on-accent:${light.onAccent}}`);
    expect(sheet!.text).toContain(`[data-theme="dark"]{--accent:${dark.accent};--on-accent:${dark.onAccent}}`);
    expect(sheet!.text.endsWith('.root{font-family:"Tidings geist",system-ui,sans-serif}')).toBe(true);
    expect(declared.length).toBe(speech.fonts.length);
    expect(declared[0]).toEqual([
      "Tidings geist",
      `url(${speech.fonts[0]!.url})`,
      { weight: "100 900", unicodeRange: speech.fonts[0]!.range, style: "normal", display: "swap" },
    ]);
  });
  test("links to the subscription form if there is one", async () => {
    server.answer = data({ workspace: { ...data().workspace, mails: true } });
    const root = await openPage(snippet()).widget();
    button(root).click();
    const links = [...root.querySelectorAll<HTMLAnchorElement>(".all")].map(({ textContent, href, target, rel }) => [
      textContent,
      href,
      target,
      rel,
    ]);
    expect(links).toEqual([
      ["View all updates", "https://acme.tidings.example/releases", "_blank", "noopener"],
      ["Get updates by email", "https://acme.tidings.example/releases/subscribe.html", "_blank", "noopener"],
    ]);
  });
  test("ignores Escape that the page or an input method handled", async () => {
    const page = openPage(`<input onkeydown="event.preventDefault()">${snippet()}`);
    const root = await page.widget();
    button(root).click();
    const escape = (init: KeyboardEventInit) => new page.window.KeyboardEvent("keydown", { key: "Escape", bubbles: true, ...init });
    page.document.querySelector("input")!.dispatchEvent(escape({ cancelable: true }));
    page.document.dispatchEvent(escape({ isComposing: true }));
    expect(panel(root).hidden).toBe(false);
    page.document.dispatchEvent(escape({}));
    expect(panel(root).hidden).toBe(true);
  });

  test("shows author and image when present", async () => {
    server.answer = data({ posts: [post({ image: { url: "https://acme.example/i.png", alt: "" } }), post({ author_name: null })] });
    const root = await openPage(snippet()).widget();
    button(root).click();
    const [first, second] = root.querySelectorAll(".post");
    expect(first?.querySelector("img")?.getAttribute("src")).toBe("https://acme.example/i.png");
    expect(second?.querySelector("img")).toBeNull();
    expect(second?.querySelector(".meta")?.textContent).toBe("January 2nd, 2026");
  });
});

test("waits for the delay", async () => {
  server.answer = data({ settings: withDefaults({ behaviour: { delay: 3_000 } }) });
  expect(await openPage(snippet()).noWidget()).toBeNull();
});
