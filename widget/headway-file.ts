import type { Plugin } from "vite";
import { buildFile } from "./build-file.ts";

export function headwayScript(): Plugin {
  return {
    name: "headway-script",
    async generateBundle() {
      const { code, moduleIds } = await buildFile("widget/headway-main.ts", "iife");
      for (const id of moduleIds) this.addWatchFile(id);
      this.emitFile({ type: "asset", fileName: "widget-headway.js", source: code });
    },
  };
}
