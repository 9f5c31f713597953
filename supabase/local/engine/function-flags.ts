import { projectRoot } from "../settings.ts";

/** How Deno runs an edge function here: offline, from the project's node_modules; no file may be written, no program started. */
export const functionFlags = [
  "--quiet",
  "--no-lock",
  "--cached-only",
  "--node-modules-dir=manual",
  "--no-prompt",
  "--allow-net",
  "--allow-env",
  "--allow-sys",
  `--allow-read=${projectRoot}`,
];
