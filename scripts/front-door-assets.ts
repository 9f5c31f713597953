import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

/**
 * Writes .br and .gz files beside the text files of a folder, so that Caddy never compresses them itself. Usage: node
 * scripts/front-door-assets.ts [folder=dist], after npm run build.
 */
const smallest = 1_000; // bytes; below, the headers weigh more than the saving
const text = /\.(?:js|css|html|svg|json|txt)$/;
const folder = process.argv[2] ?? "dist";
let saved = 0;

for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => text.test(file))) {
  const file = path.join(folder, name);
  const content = readFileSync(file);
  const brotli = brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });
  const worthIt = content.length >= smallest && brotli.length < content.length;
  const twins = { br: brotli, gz: gzipSync(content, { level: 9 }) };
  for (const [ending, bytes] of Object.entries(twins)) {
    if (worthIt) writeFileSync(`${file}.${ending}`, bytes);
    else rmSync(`${file}.${ending}`, { force: true }); // from an earlier, larger file
  }
  if (worthIt) saved += content.length - brotli.length;
}
console.log(`${path.basename(folder)}: ${(saved / 1_000).toFixed(0)} kB less over the wire with Brotli`);
