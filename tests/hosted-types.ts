import { spawnSync } from "node:child_process";
import { hostedDeno } from "../scripts/hosted-deno.ts";
import { deployByCli } from "./support/deployment.ts";

/**
 * Whether exactly what the Supabase CLI uploads has the right types, for the Deno that hosted Supabase runs: `npm run check:deno-hosted`. All
 * functions together, as most of it is in each upload: apart they would take twice as long. That none needs a file of another's upload, and that
 * a file is the same in each, is asked by scripts/cli.test.ts.
 */
const { api, unpack, stop } = await deployByCli();
try {
  const uploads = [...api.functions.values()];
  const entrypoints = uploads.map(({ metadata }) => metadata.entrypoint_path);
  const cwd = unpack(new Map(uploads.flatMap(({ files }) => [...files])));
  const check = ["check", "--quiet", "--node-modules-dir=manual", "--config", uploads[0]!.metadata.import_map_path, ...entrypoints];
  const { status, error } = spawnSync(hostedDeno(), check, { cwd, stdio: "inherit" });
  if (error) throw error;
  process.exitCode = status ?? 1;
} finally {
  stop();
}
