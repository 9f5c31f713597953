import { createRequire } from "node:module";
import path from "node:path";

const require = createRequire(import.meta.url);

/** Path of hosted Supabase's Deno. Package `deno` in that version would replace ours, so tests/hosted-deno installs its platform packages. */
export function hostedDeno(machine = `${process.platform}-${process.arch}`): string {
  const name = `deno-hosted-${machine}`;
  try {
    return path.join(path.dirname(require.resolve(`${name}/package.json`)), "deno");
  } catch {
    throw new Error(`The Deno version of hosted Supabase isn't installed: package ${name} of tests/hosted-deno/package.json.`);
  }
}
