import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { planDeployment } from "./deploy-plan.ts";
import { hostedDeno } from "./hosted-deno.ts";
import { type ManagementApi, startManagementApi, type Upload } from "../tests/support/management-api.ts";

/**
 * The real Supabase CLI deploys to a stand-in of the Management API. It finds a function's files by its own reading of imports, so what it
 * leaves out is seen only in what it sends.
 */
const root = path.resolve(import.meta.dirname, "..");
const folder = mkdtempSync(path.join(tmpdir(), "tidings-cli-"));
const run = promisify(execFile);
const project = "abcdefghijklmnopqrst";
let api: ManagementApi;
/** The program of the version that hosted Supabase runs. */
let deno: string;

const cli = async (...step: string[]): Promise<string> => {
  const env = {
    ...process.env,
    HOME: folder,
    SUPABASE_ACCESS_TOKEN: `sbp_${"0".repeat(40)}`,
    SUPABASE_PROFILE: path.join(folder, "profile.yaml"),
    SUPABASE_TELEMETRY_DISABLED: "1",
    DO_NOT_TRACK: "1",
    DOCKER_HOST: "unix:///nowhere.sock",
  };
  const program = path.join(root, "node_modules/.bin/supabase");
  return (await run(program, [...step, "--project-ref", project], { cwd: root, env, maxBuffer: 10_000_000 })).stdout;
};

beforeAll(async () => {
  api = await startManagementApi();
  const profile = { name: "stand-in", api_url: api.url, dashboard_url: api.url, project_host: "stand-in.example" };
  writeFileSync(path.join(folder, "profile.yaml"), JSON.stringify(profile)); // JSON is YAML
  await cli("functions", "deploy", "--use-api");
  deno = hostedDeno();
}, 60_000);
afterAll(() => {
  api.stop();
  rmSync(folder, { recursive: true });
});

const names = ["api", "og", "presence", "releases"];

test("every function is uploaded, with its entrypoint and import map, and checks sessions itself", () => {
  expect([...api.functions.keys()].toSorted()).toEqual(names);
  for (const [name, { metadata, files }] of api.functions) {
    expect(metadata).toMatchObject({
      entrypoint_path: `edge-functions/${name}/index.${name === "releases" ? "tsx" : "ts"}`,
      import_map_path: "edge-functions/deno.json",
      verify_jwt: false,
    });
    expect([...files.keys()]).toEqual(expect.arrayContaining([metadata.entrypoint_path, metadata.import_map_path]));
  }
});

test("what is uploaded is this folder's, and contains nothing secret", () => {
  for (const { files } of api.functions.values()) {
    for (const [name, content] of files) {
      expect(name).toMatch(/^(?:edge-functions|contract)\/[\w./-]+\.(?:tsx?|json)$/);
      expect(content).toBe(readFileSync(path.join(root, name), "utf8"));
    }
  }
});

test("the plan of npm run deploy counts no file that is not sent", () => {
  const { functions } = planDeployment(root, {});
  for (const { name, files } of functions) expect(api.functions.get(name)!.files.size).toBeGreaterThanOrEqual(files);
});

/** A folder with the upload alone; packages are those of this repository, not the registry's. */
function unpack({ metadata, files }: Upload): { entrypoint: string; config: string; cwd: string } {
  const cwd = mkdtempSync(path.join(folder, "upload-"));
  for (const [file, content] of files) {
    mkdirSync(path.dirname(path.join(cwd, file)), { recursive: true });
    writeFileSync(path.join(cwd, file), content);
  }
  const { dependencies, devDependencies } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as Record<string, object>;
  writeFileSync(path.join(cwd, "package.json"), JSON.stringify({ dependencies, devDependencies }));
  symlinkSync(path.join(root, "node_modules"), path.join(cwd, "node_modules"));
  return { entrypoint: metadata.entrypoint_path, config: metadata.import_map_path, cwd };
}

interface Followed {
  specifier: string;
  error?: string;
}
interface ModuleGraph {
  modules: (Followed & { dependencies?: { specifier: string; code?: { error?: string }; type?: { error?: string } }[] })[];
}

/** What the Deno of hosted Supabase finds from the entrypoint on, imports of types too. Of packages only that they are there. */
async function follow(upload: Upload): Promise<{ found: string[]; missing: string[] }> {
  const { entrypoint, config, cwd } = unpack(upload);
  const info = ["info", "--json", "--node-modules-dir=manual", "--config", config, entrypoint];
  const { stdout } = await run(deno, info, { cwd, env: { ...process.env, NO_COLOR: "1" }, maxBuffer: 100_000_000 });
  const own = (JSON.parse(stdout) as ModuleGraph).modules.filter(({ specifier }) => !specifier.includes("/node_modules/"));
  const inUpload = (specifier: string): string => path.relative(cwd, fileURLToPath(specifier));
  return {
    found: own.filter(({ error }) => error === undefined).map(({ specifier }) => inUpload(specifier)),
    missing: [
      ...own.filter(({ error }) => error !== undefined).map(({ specifier }) => inUpload(specifier)),
      ...own.flatMap(({ dependencies = [] }) =>
        dependencies.filter(({ code, type }) => (code ?? type)?.error !== undefined).map(({ specifier }) => specifier),
      ),
    ],
  };
}

test.each(names)(
  "%s was uploaded with all that it imports, as the Deno finds it that hosted Supabase runs",
  { timeout: 60_000 },
  async (name) => {
    const upload = api.functions.get(name)!;
    const { found, missing } = await follow(upload);
    expect(missing).toEqual([]);
    expect([...upload.files.keys()]).toEqual(expect.arrayContaining(found));
    expect(found).toContain(upload.metadata.entrypoint_path);
  },
);

test.each(["contract/presence.ts", "contract/database.ts"])(
  "an upload without %s would be noticed",
  { timeout: 60_000 },
  async (lacking) => {
    const upload = api.functions.get("presence")!;
    expect(upload.files.has(lacking)).toBe(true);
    const files = new Map([...upload.files].filter(([file]) => file !== lacking));
    expect((await follow({ ...upload, files })).missing).toEqual([lacking]);
  },
);

/**
 * Together, as most of it is in two uploads: apart they would take twice as long. That none needs a file of another's upload is said above, and that
 * a file is the same in each.
 */
test("what was uploaded has the right types for the Deno that hosted Supabase runs", { timeout: 180_000 }, async () => {
  const uploads = [...api.functions.values()];
  const files = new Map(uploads.flatMap((upload) => [...upload.files]));
  const { config, cwd } = unpack({ ...uploads[0]!, files });
  const entrypoints = uploads.map(({ metadata }) => metadata.entrypoint_path);
  const check = ["check", "--quiet", "--node-modules-dir=manual", "--config", config, ...entrypoints];
  const refused = await run(deno, check, { cwd, env: { ...process.env, NO_COLOR: "1" } }).catch((error: { stderr: string }) => error);
  expect(refused.stderr).toBe("");
});

describe("secrets", () => {
  test("are set from a file, listed and unset", async () => {
    writeFileSync(path.join(folder, "secrets.env"), "PUBLIC_URL='https://tidings.example'\nTURNSTILE_SITE_KEY='0x4'\n");
    await cli("secrets", "set", "--env-file", path.join(folder, "secrets.env"));
    expect(Object.fromEntries(api.secrets)).toEqual({ PUBLIC_URL: "https://tidings.example", TURNSTILE_SITE_KEY: "0x4" });
    expect((JSON.parse(await cli("secrets", "list", "--output", "json")) as { name: string }[]).map(({ name }) => name)).toEqual([
      "PUBLIC_URL",
      "TURNSTILE_SITE_KEY",
    ]);
    await cli("secrets", "unset", "TURNSTILE_SITE_KEY", "--yes");
    expect([...api.secrets.keys()]).toEqual(["PUBLIC_URL"]);
  });
});
