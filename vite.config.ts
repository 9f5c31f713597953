import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { projects } from "./tests/support/projects.ts";
import { keepBlockIds } from "./web/build/keep-block-ids.ts";
import { fonts } from "./web/build/fonts.ts";
import { helpFiles } from "./web/build/help-files.ts";
import { imageToolWithoutEval } from "./web/build/image-tool-without-eval.ts";
import { pageFiles } from "./web/build/page-files.ts";
import { routerWithoutWarnings } from "./web/build/router-without-warnings.ts";
import { toastSwipeThreshold } from "./web/build/toast-swipe-threshold.ts";
import { zodWithoutJsonSchema } from "./web/build/zod-without-json-schema.ts";
import { widgetTarget } from "./widget/build-file.ts";
import { fontAssets } from "./widget/font-files.ts";
import { headwayScript } from "./widget/headway-file.ts";
import { releaseFiles } from "./widget/release-files.ts";

/** `vite build` creates dist/web; `vite build --mode widget` dist/widget; Vitest reads `test`. */
export default defineConfig(({ mode }) => (mode === "widget" ? widgetBuild : webBuild));

/** Stable modules of every page in one file that browsers cache across releases. */
const vendor = { name: "vendor", test: /node_modules\/(react|react-dom|scheduler|react-router|react-router-dom)\// };

/** Form modules in one file, which compresses better than a dozen small ones. */
const form = {
  name: "form",
  test: /node_modules\/((react-)?final-form|@babel\/runtime)\/|web\/(ui\/(checkbox-field|contract-form|text-field)\.tsx|lib\/(after-pointer|form|use-form-field)\.ts)$/,
};

/** The variant without a document, because Markdown is parsed in a worker (web/features/imports). */
const characterNames = { "decode-named-character-reference": fileURLToPath(import.meta.resolve("decode-named-character-reference")) };

const webBuild = defineConfig({
  root: "web",
  resolve: { alias: characterNames },
  plugins: [
    react(),
    fonts(),
    routerWithoutWarnings(),
    zodWithoutJsonSchema(),
    imageToolWithoutEval(),
    keepBlockIds(),
    toastSwipeThreshold(),
    helpFiles(),
  ],
  build: {
    outDir: "../dist/web",
    emptyOutDir: true,
    target: "es2022",
    sourcemap: false,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: { codeSplitting: { includeDependenciesRecursively: false, groups: [vendor, form, { name: pageFiles() }] } },
    },
  },
  worker: { format: "es" },
  server: { strictPort: true, host: "127.0.0.1" },
  test: { root: ".", projects },
});

const widgetBuild = defineConfig({
  publicDir: false,
  plugins: [headwayScript(), fontAssets(), releaseFiles()],
  build: {
    outDir: "dist/widget",
    emptyOutDir: false, // keeps pinned releases: widget/release-files.ts
    target: widgetTarget,
    lib: { entry: "widget/main.ts", formats: ["iife"], name: "TidingsWidget", fileName: () => "widget.js" },
  },
});
