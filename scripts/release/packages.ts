import { execFileSync } from "node:child_process";
import { copyFileSync, cpSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { build } from "vite";
import { buildFile } from "../../widget/build-file.ts";
import { version } from "#contract/version.ts";

const root = path.resolve(import.meta.dirname, "../..");

interface PackageFile {
  author: object;
  homepage: string;
  bugs: string;
  repository: string;
}
const readJson = <Shape>(file: string): Shape => JSON.parse(readFileSync(file, "utf8")) as Shape;

/** Packs the command line, the built widget and the n8n nodes into `to`, and returns the files. */
export async function writePackages(work: string, to: string): Promise<string[]> {
  cpSync(path.join(root, "cli"), path.join(work, "cli"), { recursive: true, filter: (file) => !file.endsWith(".test.ts") });
  pack(path.join(work, "cli"), "cli", to);

  const folder = path.join(work, "widget");
  cpSync(path.join(root, "widget/package"), folder, { recursive: true });
  const alias = Object.fromEntries(
    ["load-more", "load-placements"].map((name) => [`./${name}.ts`, path.join(root, `widget/package/${name}.ts`)]),
  );
  const { code: script } = await buildFile("widget/main.ts", "iife", alias);
  writeFileSync(path.join(folder, "widget.js"), script);
  pack(folder, "widget/package", to);

  await writeNodes(path.join(work, "n8n"));
  pack(path.join(work, "n8n"), "n8n", to);
  return ["tidings", "tidings-widget", "n8n-nodes-tidings"].map((name) => path.join(to, `${name}-${version}.tgz`));
}

/** n8n reads each class from its own CommonJS file, and the icons beside it. */
async function writeNodes(folder: string): Promise<void> {
  const source = path.join(root, "n8n");
  for (const name of ["package.json", "README.md"]) cpSync(path.join(source, name), path.join(folder, name));
  const entry = Object.fromEntries(nodes.map((name) => [name, path.join(source, `${name}.ts`)]));
  const lib = { entry, formats: ["cjs" as const], fileName: (_: string, name: string) => `${name}.js` };
  const rolldownOptions = { external: ["n8n-workflow", /^node:/] };
  await build({
    ...{ configFile: false, publicDir: false, logLevel: "warn" },
    build: { outDir: path.join(folder, "dist"), emptyOutDir: false, target: "node22", minify: false, lib, rolldownOptions },
  });
  delete process.env["NODE_ENV"]; // Vite sets it, and npm would then leave out development packages
  copyFileSync(path.join(root, "web/public/icon.svg"), path.join(folder, "dist/nodes/Tidings/tidings.svg"));
  const credential = path.join(folder, `dist/${nodes[0]}.js`);
  const { repository } = readJson<PackageFile>(path.join(root, "package.json"));
  writeFileSync(credential, readFileSync(credential, "utf8").replace("your-org/tidings", repository.replace("github:", "")));
}

const nodes = ["credentials/TidingsApi.credentials", "nodes/Tidings/Tidings.node", "nodes/Tidings/TidingsTrigger.node"];

/** Provenance needs the repository's address in this form, with the package's folder. */
function pack(folder: string, directory: string, to: string): void {
  const file = path.join(folder, "package.json");
  const { author, homepage, bugs, repository } = readJson<PackageFile>(path.join(root, "package.json"));
  const url = `git+https://github.com/${repository.replace("github:", "")}.git`;
  const described = { ...readJson<object>(file), author, homepage, bugs: { url: bugs }, repository: { type: "git", url, directory } };
  writeFileSync(file, `${JSON.stringify(described, null, 2)}\n`);
  copyFileSync(path.join(root, "LICENSE"), path.join(folder, "LICENSE"));
  execFileSync("npm", ["pack", "--silent", "--pack-destination", to], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
}
