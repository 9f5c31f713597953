import fs from "node:fs";
import path from "node:path";
import type { StackFile } from "../../supabase/local/engine/stack-file.ts";
import { adoptFormerNames } from "../../supabase/local/former-names.ts";

/** The stack that runs on the data folder. Throws a sentence if there is none. */
export function runningStack(): StackFile {
  adoptFormerNames();
  const file = path.join(process.env.TIDINGS_DATA_DIR ?? ".data", "stack.json");
  if (fs.existsSync(file)) return JSON.parse(fs.readFileSync(file, "utf8")) as StackFile;
  console.error(`${file} is missing. This needs the product's Postgres, so start the product first (npm start).`);
  process.exit(1);
}
