import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import subsetFont from "subset-font";
import type { Plugin } from "vite";
import { iconNames } from "../ui/icon-names.ts";

const packages = path.resolve(import.meta.dirname, "../../node_modules");
const cache = path.join(packages, ".cache/tidings");
const weights = { min: 400, max: 700 };

/** `virtual:fonts.css`: the app's weights of Inter, 30 KB instead of 48, and the app's icons of PrimeIcons, 11 KB instead of 35. */
export function fonts() {
  return {
    name: "fonts",
    resolveId: { filter: { id: /^virtual:fonts\.css$/ }, handler: (id) => `\0${id}` },
    load: { filter: { id: /^\0virtual:fonts\.css$/ }, handler: async () => (await textFont()) + (await iconFont()) },
  } satisfies Plugin;
}

async function textFont(): Promise<string> {
  const folder = path.join(packages, "@fontsource-variable/inter");
  const name = "inter-latin-wght-normal.woff2";
  const sheet = readFileSync(path.join(folder, "wght.css"), "utf8");
  const [, range] = /inter-latin-wght-normal\.woff2[^;]+;\s*unicode-range: ([^;]+);/.exec(sheet)!;
  const font = readFileSync(path.join(folder, "files", name));
  const latin = await subsetFont(font, charactersOf(range!), { targetFormat: "woff2", variationAxes: { wght: weights } });
  return sheet
    .replaceAll("./files/", `${folder}/files/`)
    .replace(`${folder}/files/${name}`, cached(name, latin))
    .replaceAll("font-weight: 100 900", `font-weight: ${weights.min} ${weights.max}`);
}

function cached(name: string, font: Buffer): string {
  const file = path.join(cache, name);
  mkdirSync(cache, { recursive: true });
  writeFileSync(file, font);
  return file;
}

function charactersOf(range: string): string {
  return range
    .split(",")
    .flatMap((part) => {
      const [first, last = first] = part
        .replace("U+", "")
        .split("-")
        .map((code) => Number.parseInt(code, 16)) as [number, number?];
      return Array.from({ length: last - first + 1 }, (_, place) => String.fromCodePoint(first + place));
    })
    .join("");
}

async function iconFont(): Promise<string> {
  const folder = path.join(packages, "primeicons");
  const sheet = readFileSync(path.join(folder, "primeicons.css"), "utf8");
  const icons = iconNames.map((name) => {
    const code = new RegExp(`\\.pi-${name}:before\\s*\\{\\s*content: ["']\\\\(\\w+)["']`).exec(sheet)?.[1];
    if (code === undefined) throw new Error(`PrimeIcons has no icon "${name}": see web/ui/icon-names.ts`);
    return { name, code };
  });
  const text = icons.map(({ code }) => String.fromCodePoint(Number.parseInt(code, 16))).join("");
  const font = await subsetFont(readFileSync(path.join(folder, "fonts/primeicons.woff2")), text, { targetFormat: "woff2" });
  return `@font-face { font-family: primeicons; font-display: block; src: url("${cached("primeicons.woff2", font)}") format("woff2"); }
.pi { display: inline-block; font: normal 1em/1 primeicons; -webkit-font-smoothing: antialiased; }
${icons.map(({ name, code }) => `.pi-${name}::before { content: "\\${code}"; }`).join("\n")}`;
}
