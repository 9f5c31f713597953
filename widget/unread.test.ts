// @vitest-environment node
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { TidingsApi } from "./install.ts";
import { withDefaults } from "#contract/widget-choices.ts";
import { data, openPage, post } from "../tests/support/widget/host-page.ts";
import { button, panel, press, server, snippet } from "../tests/support/widget/product-server.ts";

const seen = (when: string): Record<string, string> => ({ "tc:widget:acme": when });
const older = "2026-01-01T00:00:00.000Z";

describe("what is new", () => {
  test("a first visit has nothing new", async () => {
    const page = openPage(snippet());
    const root = await page.widget();
    expect(panel(root).hidden).toBe(true);
    expect(root.querySelector<HTMLElement>(".badge")?.hidden).toBe(true);
    expect(page.window.localStorage.getItem("tc:widget:acme")).toBe("2026-01-02T10:00:00.000Z");
  });
  test("a new post opens the panel once, without taking focus", async () => {
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
  test("a hidden page opens nothing and marks nothing seen until it's visible", async () => {
    let hidden = true;
    const page = openPage(snippet(), {
      stored: seen(older),
      prepare: (window) => void Object.defineProperty(window.document, "hidden", { get: () => hidden }),
    });
    expect(await page.noWidget()).toBeNull();
    expect(page.window.localStorage.getItem("tc:widget:acme")).toBe(older);
    hidden = false;
    page.document.dispatchEvent(new page.window.Event("visibilitychange", { bubbles: true }));
    expect(panel(await page.widget()).hidden).toBe(false);
    expect(page.window.localStorage.getItem("tc:widget:acme")).toBe("2026-01-02T10:00:00.000Z");
  });
  test.each(["before", "after"])("markAllSeen %s the widget appears hides the badge without opening the panel", async (when) => {
    server.answer = data({ settings: withDefaults({ behaviour: { autoOpenNewPosts: false } }) });
    const queue = when === "before" ? '<script>(window.Tidings ||= []).push(["markAllSeen", "acme"])</script>' : "";
    const page = openPage(`${queue}${snippet()}`, { stored: seen(older) });
    const root = await page.widget();
    const tidings = page.window.Tidings as TidingsApi;
    const counts: (number | undefined)[] = [];
    tidings.on("unread", ({ count }) => counts.push(count));
    if (when === "after") tidings.markAllSeen();
    await wait(20);
    expect(root.querySelector<HTMLElement>(".badge")?.hidden).toBe(true);
    expect([panel(root).hidden, tidings.unreadCount()]).toEqual([true, 0]);
    expect(page.window.localStorage.getItem("tc:widget:acme")).toBe("2026-01-02T10:00:00.000Z");
    if (when === "after") expect(counts).toEqual([0]);
  });
  test("a seen post opens nothing", async () => {
    const root = await openPage(snippet(), { stored: seen("2026-01-02T10:00:00.000Z") }).widget();
    expect(panel(root).hidden).toBe(true);
  });
  test("a seen post stays seen after a temporary removal", async () => {
    const page = openPage(snippet(), { stored: seen("2026-02-01T00:00:00.000Z") });
    button(await page.widget()).click();
    expect(page.window.localStorage.getItem("tc:widget:acme")).toBe("2026-02-01T00:00:00.000Z");
  });
  const imported = (when: string) => post({ published_at: `+00${when}` });
  test.each([
    ["a first visit", undefined, [imported("2026-01-02T10:00:00.000Z")], "2"],
    ["a visit before them", seen(older), [imported("2026-01-02T10:00:00.000Z")], older],
    ["a first visit to others of them", seen("2"), [imported("2026-03-02T10:00:00.000Z"), imported("2026-01-02T10:00:00.000Z")], "2"],
  ])("imported posts aren't new: %s", async (_, stored, posts, remembered) => {
    server.answer = data({ posts });
    const page = openPage(snippet(), stored && { stored });
    const root = await page.widget();
    expect([panel(root).hidden, root.querySelector<HTMLElement>(".badge")?.hidden]).toEqual([true, true]);
    button(root).click();
    expect(page.window.localStorage.getItem("tc:widget:acme")).toBe(remembered);
    expect(root.querySelector("time")?.textContent).toMatch(/2026$/);
  });
  test("a post published after an import is new", async () => {
    server.answer = data({ posts: [post(), imported("2026-01-01T10:00:00.000Z")] });
    const page = openPage(snippet(), { stored: seen("2") });
    expect(panel(await page.widget()).hidden).toBe(false);
    expect(page.window.localStorage.getItem("tc:widget:acme")).toBe("2026-01-02T10:00:00.000Z");
  });
  test("with auto-open off a badge shows the count until the panel is opened", async () => {
    server.answer = data({
      settings: withDefaults({ behaviour: { autoOpenNewPosts: false } }),
      posts: [post(), post({ published_at: "2026-01-03T00:00:00.000Z" }), post({ published_at: "2025-01-03T00:00:00.000Z" })],
    });
    const root = await openPage(snippet(), { stored: seen(older) }).widget();
    const badge = root.querySelector<HTMLElement>(".badge")!;
    expect([panel(root).hidden, badge.hidden, badge.textContent, badge.ariaLabel]).toEqual([true, false, "2", "2 new"]);
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
