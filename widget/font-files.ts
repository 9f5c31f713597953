import { readFileSync } from "node:fs";
import type { Plugin } from "vite";
import { fontFiles } from "../scripts/font-files.ts";

/** Fonts of public pages and the widget, named as in contract/font-files.ts. */
export function fontAssets(): Plugin {
  return {
    name: "font-files",
    generateBundle() {
      for (const { from, url } of fontFiles()) this.emitFile({ type: "asset", fileName: url.slice(1), source: readFileSync(from) });
    },
  };
}
