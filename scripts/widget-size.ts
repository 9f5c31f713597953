import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

/** Fails if a script for other sites (gzip) is larger than its budget. Build first: `npm run build`. */
const { more, placements } = JSON.parse(readFileSync("dist/widget/widget.json", "utf8")) as Record<"more" | "placements", { file: string }>;
const budgets = { "/widget.js": 5 * 1024, [more.file]: 4 * 1024, [placements.file]: 4 * 1024, "/widget-headway.js": 2 * 1024 };

for (const [file, budget] of Object.entries(budgets)) {
  const path = `dist/widget${file}`;
  const size = gzipSync(readFileSync(path), { level: 9 }).length;
  const verdict = `${path}: ${size} bytes gzip of ${budget}`;
  if (size > budget) {
    console.error(`${verdict}: too large`);
    process.exitCode = 1;
  } else console.log(verdict);
}
