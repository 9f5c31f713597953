import { createHash } from "node:crypto";
import type { Plugin } from "vite";

/**
 * What stands beside widget.js: the same under a name that follows from its content, to be kept for good, and as an ES module;
 * widget.json names both with their integrity values.
 */
export function releaseFiles(): Plugin {
  return {
    name: "release-files",
    generateBundle(_options, bundle) {
      const built = bundle["widget.js"];
      if (built?.type !== "chunk") throw new Error("there is no widget.js");
      const { code } = built;
      const exported = `${code}export const Tidings = window.Tidings;\n`;
      const [file, module] = [`widget-${fingerprint(code)}.js`, `widget-module-${fingerprint(exported)}.js`];
      this.emitFile({ type: "asset", fileName: file, source: code });
      this.emitFile({ type: "asset", fileName: module, source: exported });
      const described = {
        script: { file: `/${file}`, integrity: integrity(code) },
        module: { file: `/${module}`, integrity: integrity(exported) },
      };
      this.emitFile({ type: "asset", fileName: "widget.json", source: `${JSON.stringify(described, null, 2)}\n` });
    },
  };
}

const fingerprint = (code: string): string => createHash("sha256").update(code).digest("hex").slice(0, 16);
const integrity = (code: string): string => `sha384-${createHash("sha384").update(code).digest("base64")}`;
