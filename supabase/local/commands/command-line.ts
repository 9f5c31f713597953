import { adoptFormerNames } from "../former-names.ts";
import { cliProject } from "../project/cli-project.ts";
import { backUp } from "../service/backup.ts";
import { resetData } from "./reset.ts";
import { moveEnvironment } from "../service/move-environment.ts";
import { restore } from "../service/restore.ts";
import { startSupervisor } from "./start.ts";
import { serviceEnvironment } from "../service/serve.ts";
import { readSettings, type Settings } from "../settings.ts";
import { StartError } from "../start-error.ts";
import { endProcess, runningSupervisor, sweepLeftovers } from "../engine/lifecycle.ts";

type Start = (settings: Settings, environment?: Record<string, string>) => void | Promise<void>;

const commandsOf = (start: Start): Record<string, (settings: Settings, options: string[]) => void | Promise<void>> => ({
  start: (settings) => start(settings),
  dev: (settings) => start({ ...settings, dev: true }),
  "dev:supabase": (settings) => start({ ...settings, dev: true }, cliProject(process.env)),
  serve: (settings, options) => start({ ...settings, dev: false }, serviceEnvironment(options)),
  stop: (settings) => stopStack(settings),
  backup: backUp,
  restore,
  move: (settings, options) => start({ ...settings, dev: false, skipBuild: true }, moveEnvironment(settings, options)),
  reset: (settings, options) => resetData(settings, options.includes("--yes")),
});

/** Runs one command. A StartError prints one sentence and exits with code 1. */
export async function runCommand([name = "start", ...options]: string[], start: Start = startSupervisor): Promise<void> {
  const commands = commandsOf(start);
  adoptFormerNames();
  try {
    const command = commands[name];
    if (!command) throw new StartError(`Unknown command "${name}". Commands: ${Object.keys(commands).join(", ")}.`);
    await command(readSettings(), options);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}

async function stopStack({ dataDir }: Settings): Promise<void> {
  const supervisor = runningSupervisor(dataDir);
  if (supervisor) await endProcess(supervisor, "SIGTERM", 15_000);
  const left = await sweepLeftovers(dataDir);
  if (supervisor) console.log("Tidings has stopped.");
  else
    console.log(
      left > 0 ? "Tidings wasn't running. Leftover processes of an earlier run were stopped." : `Tidings isn't running on ${dataDir}.`,
    );
}
