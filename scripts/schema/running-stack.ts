import fs from "node:fs";
import path from "node:path";
import type { StackFile } from "../../supabase/local/engine/stack-file.ts";

/** The stack that runs on the data folder; a sentence when there is none. */
export function runningStack(): StackFile {
  const file = path.join(process.env.DATA_DIR ?? ".data", "stack.json");
  if (fs.existsSync(file)) return JSON.parse(fs.readFileSync(file, "utf8")) as StackFile;
  console.error(`There is no ${file}: start the product first (npm start), this asks its Postgres.`);
  process.exit(1);
}
