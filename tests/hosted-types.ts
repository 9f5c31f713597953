import { spawnSync } from "node:child_process";
import { hostedDeno } from "../scripts/hosted-deno.ts";
import { deployByCli } from "./support/deployment.ts";

/** Type-checks what the Supabase CLI uploads with hosted Supabase's Deno: `npm run check:deno-hosted`. */
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
