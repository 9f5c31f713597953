import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from "node:fs";
import path from "node:path";
import type { Plugin } from "vite";
import { buildFile } from "./build-file.ts";

/** Retention of replaced releases, which sites may have pinned. */
const keptMs = 366 * 86_400_000;

const release = /^(widget-(?:module-|more-)?[0-9a-f]{16}\.js)(?:\.br|\.gz)?$/;

interface Described {
  file: string;
  integrity: string;
}

/**
 * Inserts address and hash of the second file into widget.js, and of the third into the second. Writes widget.js also as an ES module, and all under a content hash, which widget.json
 * lists. Earlier releases stay for a year, by mtime.
 */
export function releaseFiles(): Plugin {
  /** Builds of this process in watch mode, which no site has pinned. */
  let drafts = new Set<string>();
  return {
    name: "release-files",
    async generateBundle({ dir }, bundle, isWrite) {
      const built = bundle["widget.js"];
      if (built?.type !== "chunk") throw new Error("widget.js is missing");
      const described: Record<string, Described> = {};
      /** Builds a file under its hash, and inserts both into the code that loads it. */
      const load = async (name: string, entry: string, into: (code: string) => string) => {
        const { code: built, moduleIds } = await buildFile(entry, "es");
        for (const id of moduleIds) this.addWatchFile(id);
        const source = into(built);
        const fileName = `widget-more-${fingerprint(source)}.js`;
        this.emitFile({ type: "asset", fileName, source });
        described[name] = { file: `/${fileName}`, integrity: integrity(source) };
        return (code: string) =>
          code
            .replace(`${name.toUpperCase()}_FILE`, `/${fileName}`)
            .replace(`${name.toUpperCase()}_SHA256`, sha256(source).toString("base64"));
      };
      const withPlacements = await load("placements", "widget/placements/main.ts", (code) => code);
      const withMore = await load("more", "widget/more/main.ts", withPlacements);
      const code = (built.code = withMore(built.code));
      const exported = `${code}export const Tidings = window.Tidings;\n`;
      const [file, module] = [`widget-${fingerprint(code)}.js`, `widget-module-${fingerprint(exported)}.js`];
      this.emitFile({ type: "asset", fileName: file, source: code });
      for (const fileName of ["widget-module.js", module]) this.emitFile({ type: "asset", fileName, source: exported });
      const ofScript: Record<string, Described> = {
        script: { file: `/${file}`, integrity: integrity(code) },
        module: { file: `/${module}`, integrity: integrity(exported) },
      };
      this.emitFile({ type: "asset", fileName: "widget.json", source: `${JSON.stringify({ ...ofScript, ...described }, null, 2)}\n` });
      if (isWrite && dir) touchPresent(dir);
    },
    writeBundle({ dir }, bundle) {
      if (!dir) return;
      const present = new Set(Object.keys(bundle).map((file) => file.split("/", 1)[0]));
      for (const name of readdirSync(dir)) {
        const [, pinned] = release.exec(name) ?? [];
        if (!present.has(name) && (!pinned || drafts.has(pinned) || isOld(path.join(dir, pinned))))
          rmSync(path.join(dir, name), { recursive: true, force: true });
      }
      drafts = new Set(this.meta.watchMode ? Object.keys(bundle) : []);
    },
  };
}

/** Starts the retention of the release being replaced. */
function touchPresent(dir: string): void {
  const now = new Date();
  for (const name of presentIn(dir)) if (existsSync(path.join(dir, name))) utimesSync(path.join(dir, name), now, now);
}

function presentIn(dir: string): string[] {
  try {
    const described = JSON.parse(readFileSync(path.join(dir, "widget.json"), "utf8")) as Record<string, Described>;
    return Object.values(described).map(({ file }) => file.slice(1));
  } catch {
    return [];
  }
}

const isOld = (file: string): boolean => Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) > keptMs;
const sha256 = (code: string): Buffer => createHash("sha256").update(code).digest();
const fingerprint = (code: string): string => sha256(code).toString("hex").slice(0, 16);
const integrity = (code: string): string => `sha384-${createHash("sha384").update(code).digest("base64")}`;
