import type { Plugin } from "vite";

const convertBlock = /return this\.insert\(\{\s*tool: (\w+),\s*data: (\w+),\s*index: (\w+),\s*replace: !0\s*\}\)/g;

/** Keeps a block's id when Editor.js converts its type: merging, comments and history identify blocks by id. Fails the build if Editor.js changes. */
export function keepBlockIds(): Plugin {
  return {
    name: "keep-block-ids",
    apply: "build",
    transform: {
      filter: { id: /\/@editorjs\/editorjs\/dist\/editorjs\.mjs$/ },
      handler(code) {
        if ([...code.matchAll(convertBlock)].length !== 1) this.error("@editorjs/editorjs changed how it converts a block");
        return {
          code: code.replace(convertBlock, "return this.insert({ id: e.id, tool: $1, data: $2, index: $3, replace: !0 })"),
          map: null,
        };
      },
    },
  };
}
