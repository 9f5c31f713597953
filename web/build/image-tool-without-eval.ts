import type { Plugin } from "vite";

const globalByEval = 'new Function("return this")()';

/** Replaces eval in @editorjs/image, which the Content-Security-Policy blocks and reports. Fails the build if the package changes. */
export function imageToolWithoutEval(): Plugin {
  return {
    name: "image-tool-without-eval",
    apply: "build",
    transform: {
      filter: { id: /\/@editorjs\/image\/dist\/image\.mjs$/ },
      handler(code) {
        if (!code.includes(globalByEval)) this.error(`@editorjs/image no longer contains ${globalByEval}`);
        return { code: code.replaceAll(globalByEval, "globalThis"), map: null };
      },
    },
  };
}
