import { endProcess, runningSupervisor, sweepLeftovers } from "../engine/lifecycle.ts";
import type { Settings } from "../settings.ts";

/** Ends the stack of the data folder, and what a killed one may have left behind. */
export async function stopStack({ dataDir }: Settings): Promise<void> {
  const supervisor = runningSupervisor(dataDir);
  if (supervisor) await endProcess(supervisor, "SIGTERM", 15_000);
  const left = await sweepLeftovers(dataDir);
  if (supervisor) console.log("Tidings has stopped.");
  else
    console.log(
      left > 0 ? "Tidings was not running; what a killed one had left behind has been ended." : `Tidings is not running on ${dataDir}.`,
    );
}
