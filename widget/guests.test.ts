// @vitest-environment node
import type { ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { beforeEach, describe, expect, test } from "vitest";
import { withDefaults } from "#contract/widget-choices.ts";
import type { TidingsApi } from "./install.ts";
import { data, openPage, type Page, post } from "../tests/support/widget/host-page.ts";
import { files, panel, press, server, snippet } from "../tests/support/widget/product-server.ts";

beforeEach(() => {
  server.content = { content: [["p", {}, "All about it."]] };
  server.picture = (response) => void response.end();
});

const api = (page: Page): TidingsApi => page.window.Tidings as TidingsApi;
const pick = (root: ShadowRoot, selector: string): HTMLElement => root.querySelector<HTMLElement>(selector)!;
const urls = (): string[] => server.asked.map(({ url }) => url);
const unseen = { stored: { "tc:widget:acme": "2026-01-01T00:00:00.000Z" } };
const quiet = data({ settings: withDefaults({ behaviour: { autoOpenNewPosts: false } }) });

async function readPost(page: Page): Promise<ShadowRoot> {
  const root = await page.widget();
  api(page).open();
  pick(root, ".post a").click();
  await expect.poll(() => urls().join()).toContain("dark-mode.widget.json");
  if (server.content === null) await wait(60);
  else await expect.poll(() => pick(root, ".content").textContent).not.toBe(post().excerpt); // until the response was handled
  return root;
}

async function expectCounted(...names: string[]): Promise<void> {
  await expect.poll(() => server.counted.length).toBeGreaterThanOrEqual(names.length);
  await wait(60);
  expect(server.counted.toSorted()).toEqual(names.toSorted()); // each uses its own connection
}

describe("a post in the panel", () => {
  test("sends one request for the post and one to count the view", async () => {
    await readPost(openPage(snippet()));
    expect(urls()).toEqual(["/releases/widget.json?workspace=acme", "/releases/dark-mode.widget.json?workspace=acme"]);
    await expect.poll(() => server.counted).toContain("dark-mode");
  });
  test("still shows its excerpt when the content fails to load", async () => {
    server.content = null;
    const page = openPage(snippet());
    expect(pick(await readPost(page), ".content").textContent).toBe("Easy on the eyes.");
    expect(page.errors).toEqual([]);
  });
  test("removes images that fail to load", async () => {
    server.content = {
      content: [
        ["img", { src: "https://x.example/a.png", alt: "a" }],
        ["p", {}, "Text"],
      ],
    };
    const page = openPage(snippet());
    const content = pick(await readPost(page), ".content");
    content.querySelector("img")!.dispatchEvent(new page.window.Event("error"));
    expect(content.innerHTML).toBe("<p>Text</p>");
  });
  test("opens as a page on a modified click", async () => {
    const page = openPage(snippet());
    const root = await page.widget();
    api(page).open();
    const click = new page.window.MouseEvent("click", { ctrlKey: true, bubbles: true, cancelable: true });
    pick(root, ".post a").dispatchEvent(click);
    expect([click.defaultPrevented, root.querySelector(".article")]).toEqual([false, null]);
  });
  test.each([
    ["is missing", "", 404],
    ["was changed", "export {}", 200],
  ])("opens as a page if the second file %s", async (_why, code, status) => {
    const path = [...files.keys()].find((name) => name.includes("-more-") && files.get(name)!.includes("readPost"))!;
    const [file, { answer }] = [files.get(path)!, server];
    files.delete(path);
    server.answer = (request, response) =>
      request.url === path ? response.writeHead(status).end(code) : response.end(JSON.stringify(answer));
    const page = openPage(snippet());
    const root = await page.widget();
    api(page).open();
    const followed: string[] = [];
    page.window.addEventListener("click", (event) => {
      const [link] = event.composedPath() as HTMLAnchorElement[];
      if (!event.defaultPrevented) followed.push(link!.href);
      event.preventDefault(); // jsdom can't open pages
    });
    pick(root, ".post a").click();
    await expect.poll(() => followed).toEqual([post().url]);
    expect([root.querySelector(".article"), server.counted.includes("dark-mode")]).toEqual([null, false]);
    files.set(path, file);
  });
  test("needs one request for the second file, sent before the panel is opened", async () => {
    const page = openPage(snippet());
    const root = await page.widget();
    const preloads = (): number => page.document.querySelectorAll("[rel=modulepreload]").length;
    expect(preloads()).toBe(0);
    for (const type of ["pointerenter", "focus"]) pick(root, ".launcher").dispatchEvent(new page.window.Event(type));
    expect(preloads()).toBe(1);
    await readPost(page);
    expect([preloads(), page.errors]).toEqual([0, []]);
  });
  test("contains only allowed elements, attributes and URLs", async () => {
    const evil = "javascript:alert(1)";
    server.content = {
      content: [
        ["script", {}, "alert(1)"],
        ["h2", { onclick: "alert(1)", style: "color:red", class: "launcher" }, "Heading"],
        ["a", { href: evil }, "link"],
        ["a", { href: "https://x.example/" }, "good"],
        ["img", { src: evil, onerror: "alert(1)", alt: "cat" }],
        ["iframe", { src: "https://x.example/" }],
        ["svg", {}, ["script", {}, "alert(1)"]],
        "<b>text</b>",
      ],
    };
    const page = openPage(snippet());
    const content = pick(await readPost(page), ".content");
    expect(content.innerHTML).toBe(
      '<span>alert(1)</span><h4>Heading</h4><a target="_blank" rel="noopener">link</a>' +
        '<a href="https://x.example/" target="_blank" rel="noopener">good</a><img alt="cat"><span src="https://x.example/"></span><svg><span>alert(1)</span></svg>&lt;b&gt;text&lt;/b&gt;',
    );
    const namespaces = [...content.querySelectorAll("*")].map(({ namespaceURI }) => namespaceURI);
    expect(new Set(namespaces)).toEqual(new Set(["http://www.w3.org/1999/xhtml"])); // an invalid drawing
    expect(page.errors).toEqual([]);
  });
  test("marks English words inside posts of unknown language", async () => {
    const page = openPage(snippet());
    const root = await page.widget();
    api(page).open();
    const languages = (...selectors: string[]) => selectors.map((selector) => pick(root, selector).closest("[lang]")!.getAttribute("lang"));
    expect(languages(".post h3", ".excerpt", ".meta", ".launcher", ".all")).toEqual(["", "", "en", "en", "en"]);
    pick(root, ".post a").click();
    await expect.poll(() => pick(root, ".article")).toBeTruthy();
    expect(languages(".article h3", ".content", ".back")).toEqual(["", "", "en"]);
  });
});

describe("events", () => {
  const watch = `<script>
    window.heard = [];
    window.Tidings = ["ready", "unread", "open", "close", "post"].map((name) => ["on", name, (detail) => heard.push([name, detail.workspace, detail.count ?? detail.post?.title])]);
  </script>`;
  const heard = async (page: Page): Promise<unknown[]> => {
    await wait(20);
    return (page.window as unknown as { heard: unknown[] }).heard;
  };

  test("are also called for handlers queued before the script loaded", async () => {
    server.answer = quiet;
    const page = openPage(watch + snippet(), unseen);
    const root = await readPost(page);
    pick(root, ".close").click();
    expect(await heard(page)).toEqual([
      ["ready", "acme", undefined],
      ["unread", "acme", 1],
      ["open", "acme", undefined],
      ["unread", "acme", 0],
      ["post", "acme", "Dark mode"],
      ["close", "acme", undefined],
    ]);
  });
  test("aren't called after off()", async () => {
    const page = openPage(snippet());
    await page.widget();
    let opened = 0;
    const count = (): void => void opened++;
    api(page).on("open", count);
    api(page).on("open", () => {});
    api(page).off("open", count);
    api(page).open();
    await wait(20);
    expect(opened).toBe(0);
  });
  test("a throwing handler doesn't affect others", async () => {
    const page = openPage(`<script>window.Tidings = [["on", "open", () => { throw new Error("mine") }]]</script>${snippet()}`);
    const root = await page.widget();
    api(page).open();
    await wait(20);
    expect(panel(root).hidden).toBe(false);
    expect(page.errors.map(({ message }) => message)).toEqual([expect.stringContaining("mine")]);
  });
});

describe("unreadCount", () => {
  test("returns the number of new posts until they are seen", async () => {
    server.answer = quiet;
    const page = openPage(snippet() + snippet("globex"), unseen);
    await page.widgets(2);
    expect([api(page).unreadCount(), api(page).unreadCount("acme"), api(page).unreadCount("globex")]).toEqual([1, 1, 0]);
    api(page).open("acme");
    expect(api(page).unreadCount()).toBe(0);
  });
});

describe("data-selector", () => {
  const host = (): string => `<a href="#releases" id="news"><b>News</b></a>${snippet("acme", 'data-selector="#news"')}`;
  const click = (page: Page, keys: MouseEventInit = {}): Event => {
    const event = new page.window.MouseEvent("click", { bubbles: true, cancelable: true, ...keys });
    page.document.querySelector("#news b")!.dispatchEvent(event);
    return event;
  };

  test("makes the page's element the button and returns focus to it", async () => {
    const page = openPage(host());
    const root = await page.widget();
    const news = page.document.getElementById("news")!;
    expect(pick(root, ".launcher").hidden).toBe(true);
    news.focus();
    news.querySelector("b")!.click();
    expect(panel(root).hidden).toBe(false);
    expect(page.window.location.href).toBe("https://site.example/");
    pick(root, ".close").click();
    expect(page.document.activeElement).toBe(news);
  });
  test("works before the data arrived: a click opens the panel then, without delay", async () => {
    const answer = data({ settings: withDefaults({ behaviour: { delay: 10_000 } }) });
    const { promise: clicked, resolve } = Promise.withResolvers<void>();
    server.answer = (_request, response) => void clicked.then(() => response.end(JSON.stringify(answer)));
    const page = openPage(host());
    await expect.poll(() => server.asked.length).toBe(1);
    for (let clicks = 0; clicks < 2; clicks++) {
      await wait(40);
      expect(click(page).defaultPrevented).toBe(true);
    }
    expect(page.document.querySelector("tidings-widget")).toBeNull();
    resolve();
    expect(panel(await page.widget()).hidden).toBe(false);
  });
  test("leaves clicks alone when the data fails to load", async () => {
    server.answer = (_request, response) => void response.writeHead(404).end();
    const page = openPage(host());
    expect(await page.noWidget()).toBeNull();
    await expect.poll(() => click(page).defaultPrevented).toBe(false);
    expect(page.errors).toEqual([]);
  });
  test.each(["ctrlKey", "metaKey", "shiftKey"])("leaves a click with %s to the browser", async (key) => {
    const page = openPage(host());
    const root = await page.widget();
    expect(click(page, { [key]: true }).defaultPrevented).toBe(false);
    expect(panel(root).hidden).toBe(true);
  });
  test("leaves clicks alone after destroy", async () => {
    const page = openPage(host());
    await page.widget();
    api(page).destroy();
    expect(click(page).defaultPrevented).toBe(false);
  });
  test("an invalid selector shows nothing and breaks nothing", async () => {
    const page = openPage(snippet("acme", 'data-selector="##"'));
    expect(await page.noWidget()).toBeNull();
    page.document.body.click();
    expect(page.errors).toEqual([]);
  });
});

const linked = {
  content: [["p", {}, "Look at ", ["a", { href: "https://x.example/" }, ["strong", {}, "this"]], " and ", ["a", {}, "not that"]]],
};

describe("counting", () => {
  test("counts appearance, opening, reading and link clicks once each per workspace", async () => {
    server.content = linked;
    const page = openPage(snippet());
    const root = await readPost(page);
    pick(root, ".content").click();
    pick(root, ".content a:not([href])").click();
    await expectCounted("widget.shown", "widget.open", "dark-mode");
    pick(root, ".content a strong").click();
    await expectCounted("widget.shown", "widget.open", "dark-mode", "dark-mode.link");
  });
  test("counts an automatic opening", async () => {
    const page = openPage(snippet(), unseen);
    const root = await page.widget();
    await expectCounted("widget.shown", "widget.open");
    expect(panel(root).hidden).toBe(false);
  });
  test("doesn't count reopening, closing or links of the panel itself", async () => {
    const page = openPage(snippet());
    const root = await readPost(page);
    api(page).open();
    pick(root, ".all").click();
    pick(root, ".article > a").click();
    api(page).close();
    await expectCounted("widget.shown", "widget.open", "dark-mode");
  });
  test.each<[string, (response: ServerResponse) => void]>([
    ["fail", (response) => void response.destroy()],
    ["are refused", (response) => void response.writeHead(500).end()],
    ["hang", () => {}],
  ])("disturbs nothing when the requests for it %s", async (_what, answer) => {
    server.picture = answer;
    server.content = linked;
    const page = openPage(snippet());
    const root = await readPost(page);
    pick(root, ".content a").click();
    await expect.poll(() => server.counted.length).toBe(4);
    expect(pick(root, ".content").textContent).toBe("Look at this and not that");
    api(page).destroy();
    expect(page.errors).toEqual([]);
  });
});

describe("consent", () => {
  test("counts nothing before consent", async () => {
    server.content = linked;
    const page = openPage(snippet("acme", "data-consent"));
    const root = await readPost(page);
    pick(root, ".content a").click();
    pick(root, ".close").click();
    api(page).open();
    await wait(60);
    expect(server.counted).toEqual([]);
    pick(root, ".back").click();
    api(page).consent();
    pick(root, ".post a").click();
    await expectCounted("dark-mode");
  });
});

describe("the focus", () => {
  test("returns to the page's button that opened the panel", async () => {
    const page = openPage(`<button id="mine" onclick="Tidings.open()">News</button>${snippet()}`);
    const root = await page.widget();
    const mine = page.document.getElementById("mine")!;
    mine.focus();
    mine.click();
    expect(root.activeElement?.textContent).toBe("What's New");
    press(page, "Escape");
    expect(page.document.activeElement).toBe(mine);
  });
});

describe("mount", () => {
  test("mounts without a script tag, and again after destroy", async () => {
    const page = openPage(`<script async src="${server.origin}/widget.js"></script>`);
    expect(await page.noWidget()).toBeNull();
    const options = { origin: server.origin, workspace: "acme" };
    api(page).mount(options);
    api(page).mount(options);
    await page.widget();
    expect(page.document.querySelectorAll("tidings-widget")).toHaveLength(1);
    api(page).destroy();
    api(page).mount(options);
    await page.widget();
    expect(page.errors).toEqual([]);
  });
});

test("an invalid queue doesn't block later commands", async () => {
  const page = openPage(`<script>window.Tidings = [["widgets"], ["no such"], ["open"]]</script>${snippet()}`);
  expect(panel(await page.widget()).hidden).toBe(false);
  expect(page.errors).toEqual([]);
});
