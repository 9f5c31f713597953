import { execFileSync } from "node:child_process";
import { copyFileSync, cpSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { version } from "#contract/version.ts";

const root = path.resolve(import.meta.dirname, "../..");

interface PackageFile {
  homepage: string;
  bugs: string;
  repository: string;
}
const readJson = <Shape>(file: string): Shape => JSON.parse(readFileSync(file, "utf8")) as Shape;

/** Packs the command line and the built widget into `to`, and returns the files. */
export function writePackages(work: string, to: string): string[] {
  cpSync(path.join(root, "cli"), path.join(work, "cli"), { recursive: true, filter: (file) => !file.endsWith(".test.ts") });
  pack(path.join(work, "cli"), "cli", to);

  const folder = path.join(work, "widget");
  cpSync(path.join(root, "widget/package"), folder, { recursive: true });
  const script = readFileSync(path.join(root, "dist/widget/widget.js"), "utf8");
  writeFileSync(path.join(folder, "widget.js"), script);
  writeFileSync(path.join(folder, "index.js"), `${script}export const Tidings = globalThis.Tidings;\n`);
  pack(folder, "widget/package", to);
  return ["tidings", "tidings-widget"].map((name) => path.join(to, `${name}-${version}.tgz`));
}

/** Provenance needs the repository's address in this form, with the package's folder. */
function pack(folder: string, directory: string, to: string): void {
  const file = path.join(folder, "package.json");
  const { homepage, bugs, repository } = readJson<PackageFile>(path.join(root, "package.json"));
  const url = `git+https://github.com/${repository.replace("github:", "")}.git`;
  const described = { ...readJson<object>(file), homepage, bugs: { url: bugs }, repository: { type: "git", url, directory } };
  writeFileSync(file, `${JSON.stringify(described, null, 2)}\n`);
  copyFileSync(path.join(root, "LICENSE"), path.join(folder, "LICENSE"));
  execFileSync("npm", ["pack", "--silent", "--pack-destination", to], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
}
