import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

/** Writes .br and .gz beside every file of dist that becomes smaller by it, so that the front door never compresses them itself. */
const smallest = 1_000; // bytes; below, the headers weigh more than what is saved
const text = /\.(?:js|css|html|svg|json|txt)$/;
let saved = 0;

for (const name of readdirSync("dist", { recursive: true, encoding: "utf8" }).filter((file) => text.test(file))) {
  const file = path.join("dist", name);
  const content = readFileSync(file);
  if (content.length < smallest) continue;
  const brotli = brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });
  writeFileSync(`${file}.br`, brotli);
  writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
  saved += content.length - brotli.length;
}
console.log(`dist: ${(saved / 1_000).toFixed(0)} kB less over the wire with Brotli`);
