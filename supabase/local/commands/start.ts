import fs from "node:fs";
import path from "node:path";
import { buildWhatIsStale } from "./build.ts";
import { liteEnvironment } from "../engine/lite/environment.ts";
import { projectRoot, type Settings } from "../settings.ts";
import { StartError } from "../start-error.ts";

const deno = path.join(projectRoot, "node_modules/deno/deno");
const folder = path.join(projectRoot, "supabase/local");

/** Builds what is stale and becomes the supervisor: the same process goes on as Deno, so signals and its id need no middleman. */
export function startSupervisor(settings: Settings, more: Record<string, string> = {}): void {
  if (process.platform === "win32") throw new StartError("The embedded stack runs on Linux and macOS; on Windows use WSL.");
  if (!fs.existsSync(deno)) throw new StartError('Deno is missing from node_modules; run "npm ci" with its install scripts.');
  if (!settings.skipBuild) buildWhatIsStale(settings.dev);
  const args = ["run", "--quiet", "--no-lock", "--cached-only", "--no-prompt", "--allow-all", "--config", path.join(folder, "deno.json")];
  const environment = {
    ...process.env,
    ...more,
    TIDINGS_DEV: settings.dev ? "1" : "",
    ...liteEnvironment(settings.fast),
  };
  process.execve!(deno, ["deno", ...args, path.join(folder, "supervisor.ts")], environment);
}
