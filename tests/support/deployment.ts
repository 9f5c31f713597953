import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { type ManagementApi, startManagementApi } from "./management-api.ts";

const root = path.resolve(import.meta.dirname, "../..");
const run = promisify(execFile);
const project = "abcdefghijklmnopqrst";

export interface Deployment {
  api: ManagementApi;
  folder: string;
  cli(...step: string[]): Promise<string>;
  unpack(files: ReadonlyMap<string, string>): string;
  stop(): void;
}

export async function deployByCli(): Promise<Deployment> {
  const api = await startManagementApi();
  const folder = mkdtempSync(path.join(tmpdir(), "tidings-cli-"));
  const profile = { name: "stand-in", api_url: api.url, dashboard_url: api.url, project_host: "stand-in.example" };
  writeFileSync(path.join(folder, "profile.yaml"), JSON.stringify(profile));
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
  const deployment: Deployment = {
    api,
    folder,
    cli: async (...step) => (await run(program, [...step, "--project-ref", project], { cwd: root, env, maxBuffer: 10_000_000 })).stdout,
    unpack: (files) => {
      const cwd = mkdtempSync(path.join(folder, "upload-"));
      for (const [file, content] of files) {
        mkdirSync(path.dirname(path.join(cwd, file)), { recursive: true });
        writeFileSync(path.join(cwd, file), content);
      }
      const { dependencies, devDependencies } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as Record<string, object>;
      writeFileSync(path.join(cwd, "package.json"), JSON.stringify({ dependencies, devDependencies }));
      symlinkSync(path.join(root, "node_modules"), path.join(cwd, "node_modules"));
      return cwd;
    },
    stop: () => {
      api.stop();
      rmSync(folder, { recursive: true });
    },
  };
  try {
    await deployment.cli("functions", "deploy", "--use-api");
  } catch (error) {
    deployment.stop();
    throw error;
  }
  return deployment;
}
