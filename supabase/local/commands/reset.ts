import fs from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline/promises";
import { runningSupervisor, sweepLeftovers } from "../engine/lifecycle.ts";
import type { Settings } from "../settings.ts";
import { StartError } from "../start-error.ts";

/** Deletes the data folder after a "yes"; refuses while the stack runs and for a folder that isn't ours. */
export async function resetData({ dataDir }: Settings, yes: boolean): Promise<void> {
  if (!fs.existsSync(dataDir)) return console.log(`There is nothing at ${dataDir}.`);
  if (runningSupervisor(dataDir)) throw new StartError(`Tidings is running on ${dataDir}. Run "npm stop" first.`);
  if (fs.readdirSync(dataDir).length > 0 && !fs.existsSync(path.join(dataDir, "keys.json"))) {
    throw new StartError(`${dataDir} doesn't look like a data folder of Tidings, so nothing was deleted.`);
  }
  if (!yes && !(await saidYes(`Delete ${dataDir} with every workspace, post, image and email in it? (yes/no) `)))
    return console.log("Nothing was deleted.");
  await sweepLeftovers(dataDir);
  fs.rmSync(dataDir, { recursive: true, force: true });
  console.log(`${dataDir} was deleted. "npm start" creates a new one.`);
}

async function saidYes(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const closed = new Promise<string>((resolve) => terminal.once("close", () => resolve("")));
  const answer = await Promise.race([terminal.question(question), closed]);
  terminal.close();
  return answer.trim().toLowerCase() === "yes";
}
