import fs from "node:fs";
import path from "node:path";
import { replaceFile } from "../engine/lifecycle.ts";

/** Pinned releases stay this long after the next one, as in widget/release-files.ts. */
const keptMs = 366 * 86_400_000;
const release = /^widget-(?:module-|more-)?[0-9a-f]{16}\.js(?:\.br|\.gz)?$/;
const packed = [".br", ".gz"];

export function keepWidgetReleases(built: string, target: string): void {
  const now = new Date();
  for (const name of fs.readdirSync(built, { recursive: true, encoding: "utf8" })) {
    const [from, to] = [path.join(built, name), path.join(target, name)];
    if (!fs.statSync(from).isFile()) continue;
    const content = fs.readFileSync(from);
    fs.mkdirSync(path.dirname(to), { recursive: true, mode: 0o700 });
    if (!fs.existsSync(to) || !fs.readFileSync(to).equals(content)) replaceFile(to, content);
    for (const ending of packed) if (!fs.existsSync(from + ending)) fs.rmSync(to + ending, { force: true }); // belongs to the replaced file
    fs.utimesSync(to, now, now); // the year starts when it's last current
  }
  for (const name of fs.readdirSync(target)) {
    const isOld = now.getTime() - fs.statSync(path.join(target, name)).mtimeMs > keptMs;
    if (release.test(name) && isOld) fs.rmSync(path.join(target, name));
  }
}
