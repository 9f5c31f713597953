import { afterAll, beforeAll, beforeEach } from "vitest";
import { widgetBundle } from "./bundle.ts";
import { data, type Page, serve, type Server } from "./host-page.ts";

/** The product's server for the tests of one file; each begins with one post and nothing asked. */
export let server: Server;
/** The script that it serves. */
export let bundle: string;

beforeAll(async () => {
  bundle = await widgetBundle();
  server = await serve(bundle);
});
afterAll(() => server.close());
beforeEach(() => {
  server.asked.length = 0;
  server.counted.length = 0;
  server.answer = data();
});

export const snippet = (workspace = "acme", more = ""): string =>
  `<script async src="${server.origin}/widget.js" data-workspace="${workspace}" ${more}></script>`;
export const button = (root: ShadowRoot, name = ".launcher"): HTMLButtonElement => root.querySelector<HTMLButtonElement>(name)!;
export const panel = (root: ShadowRoot): HTMLElement => root.querySelector<HTMLElement>(".panel")!;
export const press = (page: Page, key: string): boolean =>
  page.document.dispatchEvent(new page.window.KeyboardEvent("keydown", { key, bubbles: true }));
