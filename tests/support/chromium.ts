import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { chromium } from "playwright";

export const chromiumFlags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

const usual = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

function runnable(path: string | undefined): path is string {
  if (!path) return false;
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const find = (): string | undefined => [process.env.CHROMIUM_PATH, ...usual, chromium.executablePath()].find(runnable);

export function ensureHeadlessChromium(): string {
  return [process.env.CHROMIUM_PATH, "/usr/bin/chromium-headless-shell"].find(runnable) ?? ensureChromium();
}

/** The path of Chromium. Installs Debian's package under CI; elsewhere throws an error with the command to run. */
export function ensureChromium(): string {
  const here = find() ?? (process.env.CI ? (installPackages("chromium", "chromium-headless-shell"), find()) : undefined);
  if (here) return here;
  throw new Error("The tests need Chromium: run `apt-get install chromium chromium-headless-shell`, or set CHROMIUM_PATH to one.");
}

export function installPackages(...names: string[]): void {
  for (const args of [["update"], ["install", "-y", "--no-install-recommends", ...names]]) spawnSync("apt-get", args, { stdio: "inherit" });
}
