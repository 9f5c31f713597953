import { readFileSync } from "node:fs";
import type { Plugin } from "vite";
import { fontFiles } from "../scripts/font-files.ts";

/** The typefaces of readers' pages and of the widget, under the names that contract/font-files.ts has for them. */
export function fontAssets(): Plugin {
  return {
    name: "font-files",
    generateBundle() {
      for (const { from, url } of fontFiles()) this.emitFile({ type: "asset", fileName: url.slice(1), source: readFileSync(from) });
    },
  };
}
