import path from "node:path";
import { build, type Plugin } from "vite";

export const headwayFile = "widget-headway.js";
const root = path.resolve(import.meta.dirname, "..");

/** Builds widget-headway.js as a separate file, so other pages don't load it. */
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
      if (chunks.length !== 1) throw new Error("widget-headway.js must be a single file");
      for (const { moduleIds } of chunks) for (const id of moduleIds) this.addWatchFile(id);
      this.emitFile({ type: "asset", fileName: headwayFile, source: chunks[0]!.code });
    },
  };
}
