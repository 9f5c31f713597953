// Runs the Deno of hosted Supabase: `node scripts/hosted-deno.ts check …`. The package `deno` of that version would take the place of the current
// one, so only its programs are installed, under names of their own: `optionalDependencies` of package.json.
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import path from "node:path";

const require = createRequire(import.meta.url);

/** Where the program is. npm installs the one package that fits this machine. */
export function hostedDeno(machine = `${process.platform}-${process.arch}`): string {
  const name = `deno-hosted-${machine}`;
  try {
    return path.join(path.dirname(require.resolve(`${name}/package.json`)), "deno");
  } catch {
    throw new Error(`The Deno of hosted Supabase is not installed: package ${name} of package.json's optionalDependencies.`);
  }
}

if (import.meta.main) {
  const { status, error } = spawnSync(hostedDeno(), process.argv.slice(2), { stdio: "inherit" });
  if (error) throw error;
  process.exitCode = status ?? 1;
}
