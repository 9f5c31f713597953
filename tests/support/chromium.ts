import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { chromium } from "playwright";

/** Flags with which Chromium runs in a container without a display, a sandbox or a way to its maker's servers. */
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

function run(command: string, args: string[]): boolean {
  return spawnSync(command, args, { stdio: "inherit" }).status === 0;
}

/**
 * The path of Chromium's headless shell where there is one, with which the same pages cost a third less: it has no window to draw. Any other
 * Chromium does too.
 */
export function ensureHeadlessChromium(): string {
  return [process.env.CHROMIUM_PATH, "/usr/bin/chromium-headless-shell"].find(runnable) ?? ensureChromium();
}

/** The path of a Chromium; when there is none, Playwright's download is tried, then Debian's package. Throws one clear sentence otherwise. */
export function ensureChromium(): string {
  const here = find();
  if (here) return here;
  run("npx", ["playwright", "install", "chromium"]);
  const downloaded = find();
  if (downloaded) return downloaded;
  if (existsSync("/usr/bin/apt-get")) {
    run("apt-get", ["update"]);
    run("apt-get", ["install", "-y", "chromium", "chromium-headless-shell"]);
  }
  const installed = find();
  if (installed) return installed;
  throw new Error("No Chromium was found or could be installed. Set CHROMIUM_PATH to one and run the tests again.");
}
