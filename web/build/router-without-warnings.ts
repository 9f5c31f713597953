import type { Plugin } from "vite";

const switchedOn = "var ENABLE_DEV_WARNINGS = true;";

/** Disables React Router's development warnings: its package.json exports the development build to every bundler. Fails the build if the package changes. */
export function routerWithoutWarnings(): Plugin {
  return {
    name: "router-without-warnings",
    apply: "build",
    transform: {
      filter: { id: /\/react-router\/dist\/development\/chunk-\w+\.mjs$/, code: "var ENABLE_DEV_WARNINGS" },
      handler(code) {
        if (code.split(switchedOn).length !== 2) this.error("react-router changed how it enables warnings");
        return { code: code.replace(switchedOn, "var ENABLE_DEV_WARNINGS = false;"), map: null };
      },
    },
  };
}
