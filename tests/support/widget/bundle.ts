import path from "node:path";
import { build } from "vite";

const root = path.resolve(import.meta.dirname, "../../..");

export async function widgetBundle(): Promise<string> {
  const result = await build({
    root,
    configFile: path.join(root, "vite.config.ts"),
    mode: "widget",
    logLevel: "silent",
    build: { write: false },
  });
  const chunks = [result].flat().flatMap((one) => ("output" in one ? one.output.filter((file) => file.type === "chunk") : []));
  const [chunk] = chunks;
  if (chunks.length !== 1 || chunk?.fileName !== "widget.js") throw new Error("the widget is to be one file");
  return chunk.code;
}
