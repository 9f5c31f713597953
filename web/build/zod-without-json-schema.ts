import { readFileSync } from "node:fs";
import type { Plugin } from "vite";

/** Leaves JSON Schema generation out of the browser build: 6 KB gzip that only the server uses. */
export function zodWithoutJsonSchema(): Plugin {
  const replaced = new Set<string>();
  return {
    name: "zod-without-json-schema",
    apply: "build",
    load: {
      filter: { id: /\/zod\/v4\/core\/(json-schema-processors|to-json-schema)\.js$/ },
      handler(file) {
        replaced.add(file);
        const names = namesIn(readFileSync(file, "utf8"));
        return [leftOut, ...names.map((name) => `export const ${name} = () => leftOut;`)].join("\n");
      },
    },
    buildEnd(error) {
      if (!error && replaced.size !== 2) this.error("zod generates JSON Schema in other files");
    },
  };
}

const leftOut = `const leftOut = () => { throw new Error("JSON Schema is left out of the browser's build"); };`;
const namesIn = (source: string): string[] => [...source.matchAll(/^export (?:const|function|class) (\w+)/gm)].map(([, name]) => name!);
