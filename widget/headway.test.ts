// @vitest-environment node
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { withDefaults } from "#contract/widget-choices.ts";
import { data, openPage, type Page, post } from "../tests/support/widget/host-page.ts";
import { panel, server } from "../tests/support/widget/product-server.ts";

const tag = (query = "?workspace=acme", more = ""): string =>
  `<script async src="${server.origin}/widget-headway.js${query}" ${more}></script>`;
const configured = (config: string): string => `<script>var heard = []; var HW_config = ${config};</script>`;
const callbacks = `callbacks: {
  onWidgetReady: (widget) => heard.push("ready " + widget.getUnseenCount()),
  onShowWidget: () => heard.push("show"),
  onShowDetails: (post) => heard.push("details " + post.title),
  onHideWidget: () => heard.push("hide"),
}`;
const stored = { "tc:widget:acme": "2026-01-01T00:00:00.000Z" };
const heard = (page: Page): string[] => (page.window as unknown as { heard: string[] }).heard;
const badge = (page: Page): string | null | undefined =>
  page.document.querySelector(".HW_badge_cont.HW_visible .HW_badge.HW_visible")?.textContent;
const click = (page: Page, selector: string): boolean =>
  page.document.querySelector(selector)!.dispatchEvent(new page.window.MouseEvent("click", { bubbles: true, cancelable: true }));
const headway = (page: Page) => page.window.Headway!;
/** Two new posts, in a workspace whose widget opens automatically. */
const twoNew = () => {
  server.answer = data({
    settings: withDefaults({ behaviour: { autoOpenNewPosts: true } }),
    posts: [post(), post({ published_at: "2026-01-03T00:00:00.000Z" })],
  });
};

describe("Headway's snippet with our address", () => {
  test("shows the number of new posts, opens our widget on click and calls the callbacks", async () => {
    twoNew();
    const page = openPage(
      `<div class="news"><a href="#x">News</a></div>${configured(`{ selector: ".news", account: "xyz", ${callbacks} }`)}${tag()}`,
      {
        stored,
      },
    );
    const widget = await page.widget();
    await expect.poll(() => badge(page)).toBe("2");
    expect(widget.querySelector<HTMLElement>(".launcher")?.hidden).toBe(true);
    expect(page.document.querySelector(".news #HW_badge_cont #HW_badge")?.ariaLabel).toBe("2 new");
    expect(click(page, ".news a")).toBe(false); // the link has no target
    expect(panel(widget).hidden).toBe(false);
    await expect.poll(() => badge(page)).toBeUndefined();
    click(page, ".news a");
    expect(panel(widget).hidden).toBe(true);
    await expect.poll(() => heard(page)).toEqual(["ready 2", "show", "hide"]);
    expect(headway(page).getUnseenCount()).toBe(0);
    expect(page.errors).toEqual([]);
  });
  test("supports separate elements for badge and trigger", async () => {
    twoNew();
    const page = openPage(
      `<i class="badge-here"></i><button id="open"></button>${configured('{ selector: ".badge-here", trigger: "#open" }')}${tag()}`,
      {
        stored,
      },
    );
    const widget = await page.widget();
    await expect.poll(() => badge(page)).toBe("2");
    click(page, ".badge-here");
    expect(panel(widget).hidden).toBe(true);
    click(page, "#open");
    expect(panel(widget).hidden).toBe(false);
  });
  test("reads the workspace from the tag, and does nothing without one, without a configuration or when disabled", async () => {
    const named = openPage(`<i id="n"></i>${configured('{ selector: "#n" }')}${tag("", 'data-workspace="Acme"')}`);
    await named.widget();
    expect(server.asked.map(({ url }) => url)).toEqual(["/releases/widget.json?workspace=acme"]);
    for (const html of [
      `${configured('{ selector: "#n" }')}${tag("")}`,
      tag(),
      `${configured('{ selector: "#n", enabled: false }')}${tag()}`,
    ]) {
      const page = openPage(`<i id="n"></i>${html}`);
      expect(await page.noWidget()).toBeNull();
      expect(page.errors).toEqual([]);
    }
  });
});

describe("Headway's calls", () => {
  test("init, show and hide work", async () => {
    twoNew();
    const page = openPage(`<i id="n"></i>${tag()}`, { stored });
    await expect.poll(() => page.window.Headway !== undefined).toBe(true);
    page.window.eval(`var heard = []; Headway.init({ selector: "#n", account: "xyz", ${callbacks} })`);
    const widget = await page.widget();
    await expect.poll(() => badge(page)).toBe("2");
    headway(page).show();
    expect(panel(widget).hidden).toBe(false);
    headway(page).hide();
    expect(panel(widget).hidden).toBe(true);
    headway(page).toggle();
    expect(panel(widget).hidden).toBe(false);
  });
  test("init again renders the badge into a redrawn element and calls ready", async () => {
    twoNew();
    const page = openPage(`<main><i id="n"></i></main>${configured(`{ selector: "#n", ${callbacks} }`)}${tag()}`, { stored });
    await page.widget();
    await expect.poll(() => badge(page)).toBe("2");
    page.document.querySelector("main")!.innerHTML = '<i id="n"></i>';
    page.window.eval("Headway.init(HW_config)");
    await expect.poll(() => badge(page)).toBe("2");
    expect(page.document.querySelectorAll("tidings-widget")).toHaveLength(1);
    expect(heard(page)).toEqual(["ready 2", "ready 2"]);
    expect(server.asked).toHaveLength(1);
  });
  test("a page's own Tidings widget stays", async () => {
    twoNew();
    const page = openPage(
      `<i id="n"></i>${configured('{ selector: "#n" }')}${tag()}<script async src="${server.origin}/widget.js" data-workspace="globex"></script>`,
      { stored },
    );
    await page.widgets(2);
    await expect.poll(() => badge(page)).toBe("2");
    await wait(20);
    expect(page.document.querySelectorAll("tidings-widget")).toHaveLength(2);
  });
});
