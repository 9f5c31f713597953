// @vitest-environment node
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { beforeEach, expect, test, vi } from "vitest";
import type { IdentifiedWidgetData } from "#contract/releases.ts";
import { withDefaults } from "#contract/widget-choices.ts";
import type { TidingsApi } from "./install.ts";
import { data, openPage, type Page, post } from "../tests/support/widget/host-page.ts";
import { files, panel, server, snippet } from "../tests/support/widget/product-server.ts";

const own: IdentifiedWidgetData["posts"][number] = {
  ...post({ id: "6f2b8a53-8b0e-4a52-9b56-6a0d6a3ad9d2", slug: "for-you", title: "For you", published_at: "2026-01-03T10:00:00.000Z" }),
  content: [["p", {}, "Only yours."]],
};
const everyones = data({ settings: withDefaults({ behaviour: { autoOpenNewPosts: false } }) });

let seen: string | null | undefined;
let requests: string[];
beforeEach(() => {
  seen = undefined;
  requests = [];
  server.answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { searchParams } = new URL(request.url ?? "", "http://x");
    const token = await text(request);
    const upTo = searchParams.get("seen");
    requests.push([request.method, token, upTo].filter(Boolean).join(" "));
    if (upTo !== null) seen = upTo;
    const answer = token === "pro" ? { ...everyones, posts: [own, ...everyones.posts], seen_up_to: seen } : everyones;
    response.end(JSON.stringify(upTo === null ? answer : {}));
  };
});

const api = (page: Page): TidingsApi => page.window.Tidings as TidingsApi;
const titles = async (page: Page) => {
  const root = await page.widget();
  api(page).open();
  return [...root.querySelectorAll(".posts h3")].map((title) => title.textContent);
};
const identified = (more = "", options = {}): Page =>
  openPage(`<script>window.Tidings = [["identify", "pro"]]</script>${snippet()}${more}`, options);

test("an identified reader sees the posts for them, and reads them without another request", async () => {
  const page = identified();
  expect(await titles(page)).toEqual(["For you", "Dark mode"]);
  const root = await page.widget();
  root.querySelector<HTMLElement>(".posts a")!.click();
  await vi.waitFor(() => expect(panel(root).querySelector(".content")?.textContent).toBe("Only yours."));
  expect(requests).toEqual(["POST pro"]);
});

test.each<[string, unknown]>([
  ["a token that isn't valid", "expired"],
  ["a function that fails", () => Promise.reject(new Error("signed out"))],
])("%s shows the posts for everyone", async (_, reader) => {
  const page = openPage(snippet());
  api(await ready(page)).identify(reader as string);
  expect(await titles(page)).toEqual(["Dark mode"]);
  expect(page.errors).toEqual([]);
});

test("without the second file the posts for everyone are shown", async () => {
  const name = [...files.keys()].find((key) => key.includes("-more-") && files.get(key)!.includes("identified"));
  const file = files.get(name!)!;
  files.delete(name!);
  expect(await titles(identified())).toEqual(["Dark mode"]);
  files.set(name!, file);
});

test("forget() shows the posts for everyone again, and the same token changes nothing", async () => {
  const page = identified();
  expect(await titles(page)).toEqual(["For you", "Dark mode"]);
  api(page).identify("pro");
  expect(requests).toEqual(["POST pro"]);
  api(page).forget();
  expect(await titles(page)).toEqual(["Dark mode"]);
  expect(requests).toEqual(["POST pro", "GET"]);
});

test("what is read on one device isn't new on another", async () => {
  seen = "2026-01-02T10:00:00.000Z";
  const stored = { "tc:widget:acme": "2026-01-01T00:00:00.000Z" };
  const [here, there] = [identified("", { stored }), identified()];
  await Promise.all([here.widget(), there.widget()]);
  expect([api(here).unreadCount(), api(there).unreadCount()]).toEqual([1, 1]);
  api(here).open();
  await vi.waitFor(() => expect(seen).toBe("2026-01-03T10:00:00.000Z"));
  const again = identified();
  await again.widget();
  expect(api(again).unreadCount()).toBe(0);
});

async function ready(page: Page): Promise<Page> {
  await page.widget();
  return page;
}
