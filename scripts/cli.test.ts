import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { planDeployment } from "./deploy-plan.ts";
import { hostedDeno } from "./hosted-deno.ts";
import { type Deployment, deployByCli } from "../tests/support/deployment.ts";
import type { Upload } from "../tests/support/management-api.ts";

/** The real Supabase CLI against a fake Management API: which files it leaves out shows only in what it sends. */
const root = path.resolve(import.meta.dirname, "..");
const run = promisify(execFile);
let deployment: Deployment;

beforeAll(async () => {
  deployment = await deployByCli();
});
afterAll(() => deployment.stop());

const names = ["api", "og", "presence", "releases"];

test("the CLI uploads every function with entrypoint and import map, without a check of sessions", () => {
  expect([...deployment.api.functions.keys()].toSorted()).toEqual(names);
  for (const [name, { metadata, files }] of deployment.api.functions) {
    expect(metadata).toMatchObject({
      entrypoint_path: `edge-functions/${name}/index.${name === "releases" ? "tsx" : "ts"}`,
      import_map_path: "edge-functions/deno.json",
      verify_jwt: false,
    });
    expect([...files.keys()]).toEqual(expect.arrayContaining([metadata.entrypoint_path, metadata.import_map_path]));
  }
});

test("uploads contain only files of this folder, and no secrets", () => {
  for (const { files } of deployment.api.functions.values()) {
    for (const [name, content] of files) {
      expect(name).toMatch(/^(?:edge-functions|contract)\/[\w./-]+\.(?:tsx?|json)$/);
      expect(content).toBe(readFileSync(path.join(root, name), "utf8"));
    }
  }
});

test("the plan of npm run deploy counts only files that are sent", () => {
  const { functions } = planDeployment(root, {});
  for (const { name, files } of functions) expect(deployment.api.functions.get(name)!.files.size).toBeGreaterThanOrEqual(files);
});

interface Followed {
  specifier: string;
  error?: string;
}
interface ModuleGraph {
  modules: (Followed & { dependencies?: { specifier: string; code?: { error?: string }; type?: { error?: string } }[] })[];
}

/** Types: tests/hosted-types.ts. Packages only have to exist. */
async function follow(upload: Upload): Promise<{ found: string[]; missing: string[] }> {
  const { entrypoint_path: entrypoint, import_map_path: config } = upload.metadata;
  const cwd = deployment.unpack(upload.files);
  const info = ["info", "--json", "--node-modules-dir=manual", "--config", config, entrypoint];
  const { stdout } = await run(hostedDeno(), info, { cwd, env: { ...process.env, NO_COLOR: "1" }, maxBuffer: 100_000_000 });
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

test.each(names)("hosted Supabase's Deno finds all imports of %s in its upload", async (name) => {
  const upload = deployment.api.functions.get(name)!;
  const { found, missing } = await follow(upload);
  expect(missing).toEqual([]);
  expect([...upload.files.keys()]).toEqual(expect.arrayContaining(found));
  expect(found).toContain(upload.metadata.entrypoint_path);
});

test.each(["contract/presence.ts", "contract/database.ts"])("the check notices an upload without %s", async (lacking) => {
  const upload = deployment.api.functions.get("presence")!;
  expect(upload.files.has(lacking)).toBe(true);
  const files = new Map([...upload.files].filter(([file]) => file !== lacking));
  expect((await follow({ ...upload, files })).missing).toEqual([lacking]);
});

describe("secrets", () => {
  test("are set from a file, listed and unset", async () => {
    const file = path.join(deployment.folder, "secrets.env");
    writeFileSync(file, "TIDINGS_PUBLIC_URL='https://tidings.example'\nTURNSTILE_SITE_KEY='0x4'\n");
    await deployment.cli("secrets", "set", "--env-file", file);
    expect(Object.fromEntries(deployment.api.secrets)).toEqual({
      TIDINGS_PUBLIC_URL: "https://tidings.example",
      TURNSTILE_SITE_KEY: "0x4",
    });
    expect((JSON.parse(await deployment.cli("secrets", "list", "--output", "json")) as { name: string }[]).map(({ name }) => name)).toEqual(
      ["TIDINGS_PUBLIC_URL", "TURNSTILE_SITE_KEY"],
    );
    await deployment.cli("secrets", "unset", "TURNSTILE_SITE_KEY", "--yes");
    expect([...deployment.api.secrets.keys()]).toEqual(["TIDINGS_PUBLIC_URL"]);
  });
});
