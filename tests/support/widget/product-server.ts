import { afterEach, beforeAll, beforeEach } from "vitest";
import { widgetBundle } from "./bundle.ts";
import { type Page, serve, type Server } from "./host-page.ts";

/** The product's server, for each test one of its own, with one post: what a page of the test before asks late is not heard. */
export let server: Server;
/** Other scripts of it, by their paths, for all tests of a file. */
export const files = new Map<string, string>();
/** The script that it serves. */
export let bundle: string;

beforeAll(async () => {
  bundle = await widgetBundle();
});
beforeEach(async () => {
  server = await serve(bundle, files);
});
afterEach(() => server.close());

export const snippet = (workspace = "acme", more = ""): string =>
  `<script async src="${server.origin}/widget.js" data-workspace="${workspace}" ${more}></script>`;
export const button = (root: ShadowRoot, name = ".launcher"): HTMLButtonElement => root.querySelector<HTMLButtonElement>(name)!;
export const panel = (root: ShadowRoot): HTMLElement => root.querySelector<HTMLElement>(".panel")!;
export const press = (page: Page, key: string): boolean =>
  page.document.dispatchEvent(new page.window.KeyboardEvent("keydown", { key, bubbles: true }));
