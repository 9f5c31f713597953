import fs from "node:fs";
import path from "node:path";
import process from "node:process";
import { runCommand } from "./commands/command-line.ts";
import { supervisorEnvironment } from "./commands/start.ts";
import { keepWidgetReleases } from "./service/widget-releases.ts";
import { projectRoot } from "./settings.ts";

const widget = path.join(projectRoot, "dist/widget");

/** Entry point of the container image, which has no Node. */
await runCommand(Deno.args, async (settings, more = {}) => {
  Object.assign(process.env, more, supervisorEnvironment(settings));
  try {
    if (!more.TIDINGS_MOVE_FROM) keepWidgetReleases(`${widget}-built`, fs.readlinkSync(widget));
  } catch (error) {
    console.error("widget:", error); // a full disk must not stop the start
  }
  await import("./supervisor.ts");
});
