import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parse } from "smol-toml";
import { expect, test } from "vitest";

const root = path.resolve(import.meta.dirname, "..");
const file = path.join(root, "supabase/config.toml");

interface Config {
  functions: Record<string, { entrypoint: string; import_map: string; verify_jwt: boolean }>;
  auth: { email: { template: Record<string, { content_path: string }> } };
  db: { seed: { sql_paths: string[] } };
}
const config = parse(readFileSync(file, "utf8")) as unknown as Config;

const functionPaths = Object.entries(config.functions).flatMap(([name, { entrypoint, import_map }]) => [
  [`functions.${name}.entrypoint`, path.join("supabase", entrypoint)],
  [`functions.${name}.import_map`, path.join("supabase", import_map)],
]);
const templatePaths = Object.entries(config.auth.email.template).map(([kind, { content_path }]) => [
  `auth.email.template.${kind}`,
  content_path,
]);
const seedPaths = config.db.seed.sql_paths.map((name) => ["db.seed.sql_paths", path.join("supabase", name)]);

test.each([...functionPaths, ...templatePaths, ...seedPaths])("%s is defined: %s", (_, name) => {
  expect(existsSync(path.join(root, name!))).toBe(true);
});

test("every function checks sessions itself", () => {
  expect(Object.values(config.functions).map(({ verify_jwt }) => verify_jwt)).not.toContain(true);
});

/** The CLI's output about config.toml, without Docker. */
async function read(folder: string, program: "supabase" | "supabase-go"): Promise<string> {
  const [platform, processor] = [process.platform === "win32" ? "windows" : process.platform, process.arch === "x64" ? "x64" : "arm64"];
  const binary = path.join(root, `node_modules/@supabase/cli-${platform}-${processor}/bin/${program}`);
  const env = { ...process.env, DO_NOT_TRACK: "1", SUPABASE_TELEMETRY_DISABLED: "1", NO_COLOR: "1", DOCKER_HOST: "unix:///nowhere.sock" };
  return await new Promise((resolve) => {
    execFile(binary, ["db", "diff", "--local", "--workdir", folder], { env, timeout: 60_000 }, (_, stdout, stderr) =>
      resolve(stdout + stderr),
    );
  });
}

const complaint = /invalid config|invalid keys|failed to parse|failed to read|unknown|deprecat/i;

test.each(["supabase", "supabase-go"] as const)("the Supabase CLI (%s) reads config.toml without a complaint", async (program) => {
  expect(await read(root, program)).not.toMatch(complaint);
});

test("the CLI rejects an unknown key", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "tidings-config-"));
  cpSync(path.join(root, "supabase"), path.join(folder, "supabase"), {
    recursive: true,
    filter: (name) => path.basename(name) !== "local",
  });
  writeFileSync(path.join(folder, "supabase/config.toml"), `${readFileSync(file, "utf8")}\n[nonsense]\nkey = 1\n`);
  expect(await read(folder, "supabase-go")).toMatch(complaint);
  rmSync(folder, { recursive: true });
});
