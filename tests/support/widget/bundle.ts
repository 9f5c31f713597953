import path from "node:path";
import { build } from "vite";

const root = path.resolve(import.meta.dirname, "../../..");

/** The script, and the other files by name. */
export async function widgetFiles(): Promise<{ bundle: string; files: Map<string, string> }> {
  const result = await build({
    root,
    configFile: path.join(root, "vite.config.ts"),
    mode: "widget",
    logLevel: "silent",
    build: { write: false },
  });
  const outputs = [result].flat().flatMap((one) => ("output" in one ? one.output : []));
  const chunks = outputs.filter((file) => file.type === "chunk");
  const [chunk] = chunks;
  if (chunks.length !== 1 || chunk?.fileName !== "widget.js") throw new Error("the widget is to be one file");
  const scripts = outputs.filter((file) => file.type === "asset" && file.fileName.endsWith(".js"));
  return {
    bundle: chunk.code,
    files: new Map(scripts.map((file) => [`/${file.fileName}`, String(file.type === "asset" && file.source)])),
  };
}
