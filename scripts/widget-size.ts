import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

/** Fails when the widget's script, as sent over the wire (gzip), is larger than its budget. Build first: `npm run build`. */
const budgetBytes = 5 * 1024;
const path = "dist/widget/widget.js";

const size = gzipSync(readFileSync(path), { level: 9 }).length;
const verdict = `${path}: ${size} bytes gzip of ${budgetBytes}`;
if (size > budgetBytes) {
  console.error(`${verdict}: too large`);
  process.exitCode = 1;
} else console.log(verdict);
