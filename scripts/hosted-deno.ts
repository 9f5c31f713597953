import { createRequire } from "node:module";
import path from "node:path";

const require = createRequire(import.meta.url);

/**
 * The path of the Deno that hosted Supabase runs. The package `deno` of that version would take the place of the current one, so only its programs
 * are installed, by the dev dependency tests/hosted-deno: its `optionalDependencies`, of which npm installs the one that fits this machine.
 */
export function hostedDeno(machine = `${process.platform}-${process.arch}`): string {
  const name = `deno-hosted-${machine}`;
  try {
    return path.join(path.dirname(require.resolve(`${name}/package.json`)), "deno");
  } catch {
    throw new Error(`The Deno of hosted Supabase is not installed: package ${name} of tests/hosted-deno/package.json.`);
  }
}
