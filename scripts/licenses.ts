import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";

/**
 * `npm run licenses` fails if the licence of a shipped or runtime package isn't known to fit with MIT. `-- --list` prints all, `--
 * --notices <file>` writes them with their texts.
 */
const { list: isListed, notices } = parseArgs({ options: { list: { type: "boolean" }, notices: { type: "string" } } }).values;
const root = path.resolve(import.meta.dirname, "..");
const free = [
  "MIT",
  "MIT-0",
  "ISC",
  "0BSD",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "Unlicense",
  "OFL-1.1",
  "PostgreSQL",
];
/** Asks for nothing while its files are unchanged; packages are used as published. */
const freeUnchanged = ["MPL-2.0"];
const mit =
  /^(The )?MIT License.* Permission is hereby granted, free of charge, to any person obtaining a copy of this software .* THE SOFTWARE IS PROVIDED "AS IS".* DEALINGS IN THE SOFTWARE\.$/;
const fitting = new Set([...free, ...freeUnchanged]);

interface Locked {
  packages: Record<string, { version?: string; dev?: boolean; optional?: boolean; link?: boolean; license?: string }>;
}
interface Described {
  name?: string;
  license?: string | { type: string };
  licenses?: { type: string }[];
}

const { packages } = JSON.parse(readFileSync(path.join(root, "package-lock.json"), "utf8")) as Locked;
const list = Object.entries(packages)
  .filter(([place, { dev, optional, link }]) => place !== "" && !dev && !link && (!optional || existsSync(path.join(root, place))))
  .map(([place, { version = "", license }]) => ({
    name: place.replace(/^.*node_modules\//, ""),
    version,
    license: license ?? licenseIn(place),
    folder: path.join(root, place),
  }))
  .toSorted((one, other) => one.name.localeCompare(other.name));

function licenseIn(place: string): string {
  const file = path.join(root, place, "package.json");
  if (!existsSync(file)) return "not installed";
  const { license, licenses } = JSON.parse(readFileSync(file, "utf8")) as Described;
  const named = (typeof license === "object" ? license.type : license) ?? licenses?.map(({ type }) => type).join(" OR ");
  return named ?? licenseText(path.join(root, place)) ?? "none named";
}

/** Some packages name no licence but contain the text of the MIT licence. */
function licenseText(folder: string): string | undefined {
  const name = readdirSync(folder).find((file) => /^licen[cs]e(\.md|\.txt)?$/i.test(file));
  if (!name) return undefined;
  const text = readFileSync(path.join(folder, name), "utf8").replace(/\s+/g, " ").trim();
  return mit.test(text) ? "MIT" : undefined;
}

/** "(MIT OR GPL-3.0)" needs one that fits; "A AND B" all. */
const fits = (license: string): boolean =>
  license
    .replace(/[()]/g, "")
    .split(" OR ")
    .some((choice) => choice.split(" AND ").every((name) => fitting.has(name.trim())));

/** Files that the licence asks to pass on. */
const noticesIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((file) => /^(licen[cs]e|copying|notice)\b/i.test(file) && !/\.[cm]?[jt]s$/.test(file))
    .map((file) => readFileSync(path.join(folder, file), "utf8").trim());

function thirdPartyNotices(): string {
  const packagesByText = new Map<string, string[]>();
  for (const { name, version, license, folder } of list) {
    const text = noticesIn(folder).join("\n\n") || "The package has no file with its licence text.";
    packagesByText.set(text, [...(packagesByText.get(text) ?? []), `${name} ${version} (${license})`]);
  }
  const sections = [...packagesByText].map(([text, names]) => `${"=".repeat(80)}\n${names.join("\n")}\n\n${text}\n`);
  return `Tidings contains these packages, each under its own licence.\n\n${sections.join("\n")}`;
}

if (isListed) for (const { name, version, license } of list) console.log(`${license.padEnd(24)} ${name} ${version}`);
if (notices) writeFileSync(notices, thirdPartyNotices());
const others = list.filter(({ license }) => !fits(license));
if (others.length > 0) {
  console.error(`\nPlease check: ${others.map(({ name, license }) => `${name} (${license})`).join(", ")}`);
  process.exitCode = 1;
} else console.log(`\n${list.length} packages, all under licences that fit with MIT`);
