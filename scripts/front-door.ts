import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { frontDoor } from "./front-door-file.ts";

/** `npm run front-door` writes deploy/Caddyfile; with --check it only compares. */
const file = path.join(import.meta.dirname, "../deploy/Caddyfile");

if (!process.argv.includes("--check")) writeFileSync(file, frontDoor());
else if (readFileSync(file, "utf8") !== frontDoor()) {
  console.error(`deploy/Caddyfile doesn't match the routing table. Run "npm run front-door".`);
  process.exitCode = 1;
}
