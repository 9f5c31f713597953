import { defineConfig, envField } from "astro/config";

export default defineConfig({
  env: { schema: { TIDINGS_CHANGELOG: envField.string({ context: "server", access: "public", url: true }) } },
});
