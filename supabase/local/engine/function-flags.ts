import { projectRoot } from "../settings.ts";

/** Runs functions offline from node_modules, without write or run permission. */
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
