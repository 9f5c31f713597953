/** @jsxImportSource preact */
import type { VNode } from "preact";
import { renderToStaticMarkup } from "preact-render-to-string";

export function renderPage(page: VNode): string {
  return `<!doctype html>${renderToStaticMarkup(page)}`;
}
