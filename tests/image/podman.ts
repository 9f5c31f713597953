import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

export const root = path.resolve(import.meta.dirname, "../..");
/** Kept between runs: configuration and base images. */
export const cache = path.join(root, ".peers/image");

/** Without systemd: cgroups are files, and health checks have no timer. runc, since crun doesn't run on every such machine. */
const withoutSystemd = `[containers]\ndefault_ulimits = []\n[engine]\ncgroup_manager = "cgroupfs"\nruntime = "runc"\nevents_logger = "file"\n`;

function environment(): NodeJS.ProcessEnv {
  if (process.env.CONTAINERS_CONF || fs.existsSync("/run/systemd/private")) return process.env;
  const file = path.join(cache, "containers.conf");
  fs.mkdirSync(cache, { recursive: true });
  fs.writeFileSync(file, withoutSystemd);
  return { ...process.env, CONTAINERS_CONF: file };
}
const env = environment();

export const missing = (...programs: string[]): string[] =>
  programs.filter((program) => spawnSync(program, ["--version"]).error !== undefined);

export function run(program: string, args: string[], options: { cwd?: string; input?: string; quiet?: boolean } = {}): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { env, encoding: "utf8", maxBuffer: 2 ** 28, ...options });
  if (status === 0) return stdout.trim();
  throw new Error(`${program} ${args.join(" ")}: ${error?.message ?? `${stdout}\n${stderr}`.slice(-4_000)}`);
}

export const show = (program: string, args: string[], cwd = root): void => void execFileSync(program, args, { env, cwd, stdio: "inherit" });

export const podman = (...args: string[]): string => run("podman", args);

export const imageExists = (name: string): boolean => spawnSync("podman", ["image", "exists", name], { env }).status === 0;

export function exec(container: string, ...command: string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync("podman", ["exec", container, ...command], { env, encoding: "utf8" });
  return { status, output: stdout + stderr };
}

export function logs(container: string): string {
  const { stdout, stderr } = spawnSync("podman", ["logs", container], { env, encoding: "utf8" });
  return stdout + stderr;
}
