import type { Plugin } from "vite";

const switchedOn = "var ENABLE_DEV_WARNINGS = true;";

/**
 * React Router's package leads every build to the one with warnings for its users; a second one in it differs by this word alone, and no
 * name leads there. A version that says it in another way stops the build: then this is to be looked at again.
 */
export function routerWithoutWarnings(): Plugin {
  return {
    name: "router-without-warnings",
    apply: "build",
    transform: {
      filter: { id: /\/react-router\/dist\/development\/chunk-\w+\.mjs$/, code: "var ENABLE_DEV_WARNINGS" },
      handler(code) {
        if (code.split(switchedOn).length !== 2) this.error("react-router switches its warnings on in another way");
        return { code: code.replace(switchedOn, "var ENABLE_DEV_WARNINGS = false;"), map: null };
      },
    },
  };
}
