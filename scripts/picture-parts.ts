import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { rangesOf } from "./woff.ts";

/**
 * `npm run picture-parts` writes edge-functions/og/parts: the renderer and fonts of link pictures as modules, because functions deployed to
 * hosted Supabase can read no files. A test says when the packages have changed.
 */
const root = path.resolve(import.meta.dirname, "..");
const folder = path.join(root, "edge-functions/og/parts");
export const program = path.join(root, "node_modules/@resvg/resvg-wasm/index_bg.wasm");

const european = ["latin", "latin-ext", "vietnamese", "cyrillic", "cyrillic-ext"];
const regularAndBold = [400, 600];

/** satori reads WOFF files of one weight, not the variable WOFF2 files of the pages. */
const typefaces = [
  { module: "inter", package: "inter", subsets: [...european, "greek", "greek-ext"], weights: regularAndBold },
  { module: "geist", package: "geist", subsets: european, weights: regularAndBold },
  { module: "source-serif", package: "source-serif-4", subsets: [...european, "greek"], weights: regularAndBold },
  // Font with precomposed dots: satori misplaces separate marks.
  { module: "right-to-left", package: "ibm-plex-sans-arabic", subsets: ["arabic"], weights: [600] },
  { module: "right-to-left", package: "noto-sans-hebrew", subsets: ["hebrew"], weights: [600] },
];

export interface Part {
  weight: number;
  /** unicode-range, as `20-7e a0-ff`. */
  ranges: string;
  file: string;
}

export function partsOf(): Map<string, Part[]> {
  const parts = typefaces.flatMap(({ module, package: name, subsets, weights }) =>
    subsets.flatMap((subset) =>
      weights.map((weight) => {
        const file = path.join(root, `node_modules/@fontsource/${name}/files/${name}-${subset}-${weight}-normal.woff`);
        return { module, weight, file, ranges: rangesOf(readFileSync(file)) };
      }),
    ),
  );
  return Map.groupBy(parts, ({ module }) => module) as Map<string, Part[]>;
}

const heading = "// Made by scripts/picture-parts.ts of what npm brings: not edited by hand.\n";

if (process.argv[1] === import.meta.filename) {
  mkdirSync(folder, { recursive: true });
  const write = (name: string, text: string) => writeFileSync(path.join(folder, `${name}.ts`), heading + text);
  write(
    "resvg",
    `/** @resvg/resvg-wasm (MPL-2.0): gzip, base64. */\nexport default "${gzipSync(readFileSync(program), { level: 9 }).toString("base64")}";\n`,
  );
  for (const [module, parts] of partsOf()) {
    const rows = parts.map(
      ({ weight, ranges, file }) =>
        `  // ${path.basename(file)}\n  { weight: ${weight}, ranges: "${ranges}", woff: "${readFileSync(file).toString("base64")}" },\n`,
    );
    write(module, `/** OFL-1.1: WOFF, base64. */\nexport default [\n${rows.join("")}] as const;\n`);
  }
}
