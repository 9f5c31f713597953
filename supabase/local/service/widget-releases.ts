import fs from "node:fs";
import path from "node:path";
import { replaceFile } from "../engine/lifecycle.ts";

/** As `npm run build` does it (widget/release-files.ts): sites that have pinned a release get it for this long after the next one. */
const keptMs = 366 * 86_400_000;
const release = /^widget-(?:module-)?[0-9a-f]{16}\.js(?:\.br|\.gz)?$/;
/** Of files that `npm run compress` has packed. */
const packed = [".br", ".gz"];

/** Puts the widget's files of an image into a folder of its volume, beside the releases of earlier images; those that nobody gets any more go. */
export function keepWidgetReleases(built: string, kept: string): void {
  const now = new Date();
  for (const name of fs.readdirSync(built, { recursive: true, encoding: "utf8" })) {
    const [from, to] = [path.join(built, name), path.join(kept, name)];
    if (!fs.statSync(from).isFile()) continue;
    const content = fs.readFileSync(from);
    fs.mkdirSync(path.dirname(to), { recursive: true, mode: 0o700 });
    if (!fs.existsSync(to) || !fs.readFileSync(to).equals(content)) replaceFile(to, content);
    for (const ending of packed) if (!fs.existsSync(from + ending)) fs.rmSync(to + ending, { force: true }); // of the file that was here before
    fs.utimesSync(to, now, now); // the year begins when it was last the present one
  }
  for (const name of fs.readdirSync(kept)) {
    const isOld = now.getTime() - fs.statSync(path.join(kept, name)).mtimeMs > keptMs;
    if (release.test(name) && isOld) fs.rmSync(path.join(kept, name));
  }
}
