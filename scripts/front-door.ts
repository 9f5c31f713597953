import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { frontDoor } from "./front-door-file.ts";

/** Writes deploy/Caddyfile anew (`npm run front-door`); with --check it only says whether it is what the routing table gives. */
const file = path.join(import.meta.dirname, "../deploy/Caddyfile");

if (!process.argv.includes("--check")) writeFileSync(file, frontDoor());
else if (readFileSync(file, "utf8") !== frontDoor()) {
  console.error('deploy/Caddyfile is not what the routing table gives; run "npm run front-door".');
  process.exitCode = 1;
}
