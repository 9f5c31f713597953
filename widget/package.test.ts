import { readFileSync } from "node:fs";
import { act, createElement, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { renderToString } from "react-dom/server";
import { expect, expectTypeOf, test, vi } from "vitest";
import type { TidingsApi } from "./install.ts";
import type { EventDetail, MountOptions, TidingsApi as PublishedApi } from "./package/index.d.ts";
import { useTidings } from "./package/react.js";

/** What the widget shows, without a server to load from. */
const page = vi.hoisted(() => ({ Tidings: undefined as unknown }));
vi.mock("./package/index.js", () => page);

test("the package declares every call of the widget", () => {
  expectTypeOf<TidingsApi>().toExtend<PublishedApi>();
});

test.each(["tsx", "vue"])("docs/widget.md shows the example that the %s compiler checks", (language) => {
  const example = readFileSync(`docs/examples/whats-new.${language}`, "utf8");
  expect(readFileSync("docs/widget.md", "utf8")).toContain(`\`\`\`${language}\n${example}\`\`\``);
});

const News = (options: MountOptions) => createElement("p", null, String(useTidings(options).unread));
const news = (tags?: string) => createElement(News, { origin: "https://tidings.example", workspace: " Acme ", tags });

test("useTidings renders nothing new on a server", () => {
  page.Tidings = undefined;
  expect(renderToString(news())).toBe("<p>0</p>");
});

test("<tidings-news> shows the list in its place while it's on the page", async () => {
  const mounted: MountOptions[] = [];
  const fake: Partial<PublishedApi> = {
    mount: (options) => void mounted.push(options),
    destroy: () => void mounted.pop(),
    unreadCount: () => 0,
    on: () => {},
    off: () => {},
  };
  page.Tidings = fake;
  await import("./package/element.js");
  document.body.innerHTML = '<tidings-news origin="https://tidings.example" workspace="acme" tags="new"></tidings-news>';
  const into = `[id="${document.querySelector("tidings-news")!.id}"]`;
  expect(mounted).toEqual([{ origin: "https://tidings.example", workspace: "acme", tags: "new", into }]);
  document.body.replaceChildren();
  expect(mounted).toEqual([]);
});

test("components with useTidings share one widget, which the last one removes", async () => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  const mounted: MountOptions[] = [];
  const handlers = new Set<(detail: EventDetail) => void>();
  const fake: Partial<PublishedApi> = {
    mount: (options) => void (mounted.length === 0 && mounted.push(options)),
    destroy: () => void mounted.pop(),
    unreadCount: () => 2,
    on: (_, handler) => void handlers.add(handler),
    off: (_, handler) => void handlers.delete(handler),
  };
  page.Tidings = fake;
  const root = createRoot(document.body);
  const shown = (...all: unknown[]) => act(async () => root.render(createElement(StrictMode, null, ...(all as []))));
  await shown(news("new"), news("new"));
  expect([mounted, document.body.textContent]).toEqual([[{ origin: "https://tidings.example", workspace: "acme", tags: "new" }], "22"]);
  await act(async () => handlers.forEach((handler) => handler({ workspace: "acme", count: 0 })));
  expect(document.body.textContent).toBe("00");
  await shown(news("new"));
  expect([mounted.length, handlers.size]).toEqual([1, 1]);
  await shown(news("fixed"));
  expect(mounted).toEqual([expect.objectContaining({ tags: "fixed" })]);
  await shown();
  expect([mounted.length, handlers.size]).toEqual([0, 0]);
});
