import process from "node:process";
import { runCommand } from "./commands/command-line.ts";
import { supervisorEnvironment } from "./commands/start.ts";

/** The commands of the container image, which has no Node: Deno runs them, and goes on as the supervisor. */
await runCommand(Deno.args, async (settings, more) => {
  Object.assign(process.env, more, supervisorEnvironment(settings));
  await import("./supervisor.ts");
});
