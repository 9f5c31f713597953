import { afterEach, beforeAll, beforeEach } from "vitest";
import { widgetFiles } from "./bundle.ts";
import { type Page, serve, type Server } from "./host-page.ts";

/** A new server per test, so late requests of the previous test's page don't reach it. */
export let server: Server;
export let bundle: string;
/** The other files of the widget, by path. */
export let files: Map<string, string>;

beforeAll(async () => {
  ({ bundle, files } = await widgetFiles());
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
