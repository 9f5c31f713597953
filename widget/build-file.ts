import path from "node:path";
import { type AliasOptions, build, type Rolldown } from "vite";

/** The first versions with adopted style sheets. */
export const widgetTarget = ["chrome99", "firefox101", "safari16.4"];

/** Builds another file of the widget. */
export async function buildFile(entry: string, format: "es" | "iife", alias: AliasOptions = {}): Promise<Rolldown.OutputChunk> {
  const built = await build({
    root: path.resolve(import.meta.dirname, ".."),
    configFile: false,
    publicDir: false,
    logLevel: "silent",
    resolve: { alias },
    build: {
      write: false,
      target: widgetTarget,
      lib: { entry, formats: [format], name: "TidingsWidget" },
      rolldownOptions: { output: { minify: true } },
    },
  });
  const chunks = [built].flat().flatMap((one) => ("output" in one ? one.output.filter((file) => file.type === "chunk") : []));
  if (chunks.length !== 1) throw new Error(`${entry} must be a single file`);
  return chunks[0]!;
}
