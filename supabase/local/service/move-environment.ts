import path from "node:path";
import type { Settings } from "../settings.ts";
import { StartError } from "../start-error.ts";

export function moveEnvironment({ dataDir, project }: Settings, [from, ...more]: string[]): Record<string, string> {
  if (!from || more.length > 0) throw new StartError("Name the data folder of the other version, and no more: npm run move -- <folder>");
  if (project) throw new StartError("The data is in your Supabase project; a data folder moves into the embedded stack only.");
  const source = path.resolve(from);
  if (source === dataDir) throw new StartError(`${source} is the folder to be filled; name another one with TIDINGS_DATA_DIR.`);
  return { TIDINGS_MOVE_FROM: source };
}
