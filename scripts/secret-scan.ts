import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { secretsIn } from "./secret-scan-rules.ts";

/** Fails if files for browsers (dist) seem to have a secret or name this machine. Build first: `npm run build`. */
const files = readdirSync("dist", { recursive: true, encoding: "utf8" }).map((name) => path.join("dist", name));
const found = files
  .filter((file) => statSync(file).isFile() && /\.(?:js|css|html|json|svg|map)$/.test(file))
  .flatMap((file) => secretsIn(readFileSync(file, "utf8")).map((what) => `${file}: ${what}`));

for (const line of found) console.error(line);
if (found.length > 0) process.exitCode = 1;
else console.log(`${files.length} files, no secret in them`);
