import fs from "node:fs";
import path from "node:path";
import { spawnSync } from "node:child_process";
import { servicesEnvironment } from "../engine/services-environment.ts";
import { projectRoot, type Settings } from "../settings.ts";
import { StartError } from "../start-error.ts";

const deno = path.join(projectRoot, "node_modules/deno/deno");
const folder = path.join(projectRoot, "supabase/local");

/** Builds stale assets, then replaces this process with Deno, so signals and the process id stay the same. */
export function startSupervisor(settings: Settings, more: Record<string, string> = {}): void {
  if (process.platform === "win32") throw new StartError("The embedded stack runs on Linux and macOS. On Windows, use WSL.");
  if (!fs.existsSync(deno)) throw new StartError('Deno is missing from node_modules. Run "npm ci" with install scripts allowed.');
  if (!settings.skipBuild) buildWhatIsStale(settings.dev);
  const args = ["run", "--quiet", "--no-lock", "--cached-only", "--no-prompt", "--allow-all", "--config", path.join(folder, "deno.json")];
  const environment = {
    ...process.env,
    ...more,
    ...supervisorEnvironment(settings),
  };
  process.execve!(deno, ["deno", ...args, path.join(folder, "supervisor.ts")], environment);
}

export const supervisorEnvironment = ({ dev, fast }: Settings): Record<string, string> => ({
  TIDINGS_DEV: dev ? "1" : "",
  ...servicesEnvironment(fast),
});

interface Build {
  title: string;
  entry: string;
  result: string;
  sources: string[];
  args: string[];
}

const common = ["contract", "vite.config.ts", "package-lock.json"];
const web: Build = {
  title: "the web app",
  entry: "web/index.html",
  result: "dist/web/index.html",
  sources: ["web", "importers", "docs/using", "docs/changelog", ...common],
  args: ["build"],
};
const widget: Build = {
  title: "the widget",
  entry: "widget/main.ts",
  result: "dist/widget/widget.js",
  sources: ["widget", ...common],
  args: ["build", "--mode", "widget"],
};

/** In `npm run dev`, Vite serves the web app itself. */
function buildWhatIsStale(dev: boolean): void {
  for (const build of dev ? [widget] : [web, widget]) if (isStale(build)) run(build);
}

const inProject = (name: string): string => path.join(projectRoot, name);

function isStale({ entry, result, sources }: Build): boolean {
  if (!fs.existsSync(inProject(entry))) return false;
  const built = fs.statSync(inProject(result), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return sources.some((source) => newestIn(inProject(source)) > built);
}

function newestIn(place: string): number {
  const stat = fs.statSync(place, { throwIfNoEntry: false });
  if (!stat?.isDirectory()) return stat?.mtimeMs ?? 0;
  return Math.max(stat.mtimeMs, ...fs.readdirSync(place).map((name) => newestIn(path.join(place, name))));
}

function run({ title, args }: Build): void {
  console.log(`Building ${title} …`);
  const vite = inProject("node_modules/vite/bin/vite.js");
  const { status, stdout, stderr } = spawnSync(process.execPath, [vite, ...args], { cwd: projectRoot, encoding: "utf8" });
  if (status !== 0) throw new StartError(`${stdout}${stderr}\nBuilding ${title} failed. See the lines above.`);
}
