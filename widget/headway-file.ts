import path from "node:path";
import { build, type Plugin } from "vite";

export const headwayFile = "widget-headway.js";
const root = path.resolve(import.meta.dirname, "..");

/** Puts the script for pages that have Headway's snippet beside widget.js: a file of its own, for nobody else carries it. */
export function headwayScript(target: string[]): Plugin {
  return {
    name: "headway-script",
    async generateBundle() {
      const made = await build({
        root,
        configFile: false,
        publicDir: false,
        logLevel: "silent",
        build: { write: false, target, lib: { entry: "widget/headway-main.ts", formats: ["iife"], name: "TidingsHeadway" } },
      });
      const chunks = [made].flat().flatMap((one) => ("output" in one ? one.output.filter((file) => file.type === "chunk") : []));
      if (chunks.length !== 1) throw new Error("the script for Headway's snippet is to be one file");
      for (const { moduleIds } of chunks) for (const id of moduleIds) this.addWatchFile(id);
      this.emitFile({ type: "asset", fileName: headwayFile, source: chunks[0]!.code });
    },
  };
}
