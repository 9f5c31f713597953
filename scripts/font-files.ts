import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { formatted } from "./formatted.ts";
import { fontFolder, fontSources, type ServedFont } from "../contract/font-sources.ts";

/**
 * contract/font-files.ts: under which names the typefaces of readers' pages are served. The name follows from what is in the file, so that it
 * never changes. Usage: node scripts/font-files.ts, after one of the packages has changed; a test compares.
 */
const packages = path.join(import.meta.dirname, "../node_modules/@fontsource-variable");

interface Source {
  /** In the package. */
  from: string;
  /** Where it is served. */
  url: string;
  font: ServedFont;
  part: "latin" | "latin-ext";
  style: "normal" | "italic";
  /** The characters that it has, as style sheets say it. */
  range: string;
}

const wanted = [
  ["latin", "normal"],
  ["latin", "italic"],
  ["latin-ext", "normal"],
] as const;

/** Every file that is served, as the packages have it. */
export function fontFiles(): Source[] {
  return (Object.keys(fontSources) as ServedFont[]).flatMap((font) =>
    wanted.map(([part, style]) => {
      const folder = path.join(packages, fontSources[font]);
      const from = path.join(folder, "files", `${fontSources[font]}-${part}-wght-${style}.woff2`);
      const hash = createHash("sha256").update(readFileSync(from)).digest("hex").slice(0, 16);
      const sheet = readFileSync(path.join(folder, "wght.css"), "utf8");
      const [, rules = ""] = sheet.split(`/* ${fontSources[font]}-${part}-wght-normal */`);
      const range = /unicode-range: ([^;]+);/.exec(rules)?.[1];
      if (range === undefined) throw new Error(`${font} does not say which characters ${part} has`);
      return { from, url: `${fontFolder}${font}-${part}-${style}-${hash}.woff2`, font, part, style, range };
    }),
  );
}

/** The module that says so. */
export async function fontModule(): Promise<string> {
  const files = fontFiles();
  const partsOf = (font: string) =>
    files.filter((file) => file.font === font).map(({ part, style, url, range }) => ({ part, style, url, range }));
  const source = `// Made by scripts/font-files.ts of the packages, and a test compares.
    import type { ServedFont } from "./font-sources.ts";

    export interface FontFile {
      /** Below the origin that the page is read at. */
      url: string;
      part: "latin" | "latin-ext";
      style: "normal" | "italic";
      /** The characters that it has: browsers fetch a part when a page has letters of it. */
      range: string;
    }

    /** Where the parts of a typeface are served, each in every weight; the first is the one that nearly every page needs. */
    export const fontFiles: Readonly<Record<ServedFont, readonly FontFile[]>> =
      ${JSON.stringify(Object.fromEntries(Object.keys(fontSources).map((font) => [font, partsOf(font)])))};`;
  return await formatted("font-files.ts", source);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(path.join(import.meta.dirname, "../contract/font-files.ts"), await fontModule());
}
