import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { version } from "#contract/version.ts";
import { writePackages } from "./packages.ts";
import { tryProduct } from "./try-product.ts";

/**
 * `npm run release:files` builds the checked-out version and writes a release's files into `release`: the product for this platform,
 * packages of CLI and widget, compose files, SBOM, licences, checksums.
 */
const root = path.resolve(import.meta.dirname, "../..");
const release = path.join(root, "release");
const work = path.join(release, ".work");
const notices = "THIRD-PARTY-NOTICES.txt";

interface PackageFile {
  scripts: Record<string, string>;
  dependencies: Record<string, string>;
  devDependencies?: Record<string, string>;
}
interface LockFile {
  packages: Record<string, { optional?: boolean }>;
}

const run = (command: string, args: string[], cwd = root): string =>
  execFileSync(command, args, { cwd, encoding: "utf8", maxBuffer: 64_000_000, stdio: ["ignore", "pipe", "inherit"] });
const readJson = <Shape>(file: string): Shape => JSON.parse(readFileSync(file, "utf8")) as Shape;
const writeJson = (file: string, value: unknown): void => writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);

const pruneLockFile = (folder: string): string =>
  run("npm", ["install", "--package-lock-only", "--offline", "--ignore-scripts", "--no-audit", "--no-fund"], folder);

/** `npm sbom --omit=dev` leaves out packages that a development package needs too, so it gets a project without those. */
function writeSbom(): void {
  const folder = path.join(work, "tidings");
  mkdirSync(folder, { recursive: true });
  const { devDependencies: _, ...described } = readJson<PackageFile>(path.join(root, "package.json"));
  writeJson(path.join(folder, "package.json"), described);
  copyFileSync(path.join(root, "package-lock.json"), path.join(folder, "package-lock.json"));
  pruneLockFile(folder);
  const sbom = run(
    "npm",
    ["sbom", "--package-lock-only", "--sbom-format", "cyclonedx", "--sbom-type", "application", "--omit=dev"],
    folder,
  );
  const { components } = JSON.parse(sbom) as { components: { name: string }[] };
  const names = new Set(components.map(({ name }) => name));
  const missing = Object.keys(described.dependencies).filter((name) => !names.has(name));
  if (missing.length > 0) throw new Error(`The SBOM lacks ${missing.join(", ")}.`);
  writeFileSync(path.join(release, `tidings-${version}.cdx.json`), sbom);
}

const folders = ["contract", "edge-functions", "supabase", "deploy", "docs"];
const singleFiles = [".env.example", "CHANGELOG.md", "LICENSE", "README.md", "SECURITY.md", "package.json", "package-lock.json"];
const scripts = ["scripts/delete-person.ts", "scripts/move.ts"];
const commands = ["start", "serve", "stop", "reset", "backup", "restore", "move", "move:hosted"];
/** Packages that nothing imports at run time, as in the Dockerfile. */
const unused = /^node_modules\/@(?:deno|electric-sql|sentry|opentelemetry|supabase\/pg-delta)(?:\/|$)/;

/** The product with its runtime packages, for this platform. Needs Node, no installation. */
function writeProduct(): string {
  const name = `tidings-${version}-${process.platform}-${process.arch}`;
  const folder = path.join(work, name);
  const tracked = run("git", ["ls-files", ...folders, ...singleFiles, ...scripts])
    .trim()
    .split("\n");
  for (const file of tracked.filter((file) => !/\.test\.tsx?$/.test(file))) cpSync(path.join(root, file), path.join(folder, file));
  cpSync(path.join(root, "dist"), path.join(folder, "dist"), { recursive: true });
  copyFileSync(path.join(root, "dist/web", notices), path.join(folder, notices));

  const unit = path.join(folder, "deploy/tidings.service");
  writeFileSync(unit, readFileSync(unit, "utf8").replace("/opt/tidings/node_modules/.bin/node ", "/usr/bin/env node ")); // the archive has no Node

  run("node", ["deploy/image/runtime-package.ts", folder]);
  const file = path.join(folder, "package.json");
  const described = readJson<PackageFile>(file);
  writeJson(file, { ...described, scripts: Object.fromEntries(commands.map((command) => [command, described.scripts[command]])) });
  pruneLockFile(folder);
  const { packages } = readJson<LockFile>(path.join(folder, "package-lock.json"));
  for (const [place, { optional }] of Object.entries(packages)) {
    const isHere = existsSync(path.join(root, place));
    if (!isHere && !optional) throw new Error(`${place} isn't installed; run npm ci.`);
    if (isHere && place !== "" && !unused.test(place)) copyPackage(place, folder);
  }
  const committed = run("git", ["log", "-1", "--format=%ct"]).trim();
  const sameEverywhere = ["--sort=name", `--mtime=@${committed}`, "--owner=0", "--group=0", "--numeric-owner"];
  const archive = path.join(release, `${name}.tar.gz`);
  run("tar", ["-czf", archive, ...sameEverywhere, "-C", work, name]);
  return archive;
}

/** Nested packages are listed separately in the lock file. */
function copyPackage(place: string, folder: string): void {
  const source = path.join(root, place);
  const isCopied = (file: string): boolean => {
    const inside = path.relative(source, file);
    return inside.split(path.sep)[0] !== "node_modules" && !/\.(?:map|d\.[cm]?ts)$/.test(inside);
  };
  cpSync(source, path.join(folder, place), { recursive: true, verbatimSymlinks: true, filter: isCopied });
}

function writeChecksums(): void {
  const lines = readdirSync(release)
    .filter((name) => name !== "SHA256SUMS")
    .toSorted()
    .map(
      (name) =>
        `${createHash("sha256")
          .update(readFileSync(path.join(release, name)))
          .digest("hex")}  ${name}\n`,
    );
  writeFileSync(path.join(release, "SHA256SUMS"), lines.join(""));
}

rmSync(release, { recursive: true, force: true });
rmSync(path.join(root, "dist"), { recursive: true, force: true }); // earlier builds of the widget are not released
mkdirSync(work, { recursive: true });
run("npm", ["run", "--silent", "build"]);
run("npm", ["run", "--silent", "compress"]);
writeSbom();
const product = writeProduct();
await writePackages(work, release);
for (const file of ["compose.yml", "compose.supabase.yml"]) copyFileSync(path.join(root, file), path.join(release, file));
copyFileSync(path.join(root, "dist/web", notices), path.join(release, notices));
rmSync(work, { recursive: true });
writeChecksums();
await tryProduct(product, version);
console.log(readFileSync(path.join(release, "SHA256SUMS"), "utf8"));
