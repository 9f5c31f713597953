import path from "node:path";
import type { Environment } from "./environment.ts";
import { type ProjectSettings, readProject } from "./project/project-settings.ts";
import { readService, type Service } from "./service/serve.ts";
import { readSignUpRule, type SignUpRule } from "./service/sign-up.ts";
import { StartError } from "./start-error.ts";

export const projectRoot = path.resolve(import.meta.dirname!, "../..");

export type AuthName = "lite" | "gotrue";

export interface Settings {
  port: number;
  /** Port of /metrics on this machine; null: off. */
  metricsPort: number | null;
  /** Threshold of the slow query log in ms; null: off. */
  slowQueryMs: number | null;
  /** Absolute path of all persistent data. */
  dataDir: string;
  seed: "demo" | "none";
  /** For tests: no fsync, ticks every second. */
  fast: boolean;
  rateLimitScale: string;
  dev: boolean;
  log: boolean;
  skipBuild: boolean;
  gotrue: string | null;
  project: ProjectSettings | null;
  service: Service | null;
  signUp: SignUpRule;
}

export function readSettings(env: Environment = process.env): Settings {
  const service = readService(env);
  return {
    port: portOf("PORT", env.PORT, 3000),
    metricsPort: env.TIDINGS_METRICS_PORT ? portOf("TIDINGS_METRICS_PORT", env.TIDINGS_METRICS_PORT) : null,
    slowQueryMs: millisecondsOf("TIDINGS_SLOW_QUERY_MS", env.TIDINGS_SLOW_QUERY_MS),
    dataDir: path.resolve(projectRoot, env.TIDINGS_DATA_DIR || ".data"),
    seed: seedOf(env.TIDINGS_SEED),
    fast: env.TIDINGS_FAST === "1",
    rateLimitScale: env.TIDINGS_RATE_LIMIT_SCALE || "1",
    dev: env.TIDINGS_DEV === "1",
    log: env.TIDINGS_LOG === "1",
    skipBuild: env.TIDINGS_SKIP_BUILD === "1",
    gotrue: gotrueOf(env),
    project: readProject(env),
    service,
    signUp: readSignUpRule(env, service ? "invited" : "open"),
  };
}

function portOf(name: string, value: string | undefined, usual?: number): number {
  const port = Number(value || usual);
  if (Number.isInteger(port) && port >= 1 && port <= 65_535) return port;
  throw new StartError(`${name} must be a number from 1 to 65535, not "${value}".`);
}

function millisecondsOf(name: string, value: string | undefined): number | null {
  if (!value) return null;
  if (/^\d{1,9}$/.test(value)) return Number(value);
  throw new StartError(`${name} must be a number of milliseconds, not "${value}".`);
}

function seedOf(value: string | undefined): Settings["seed"] {
  if (value === undefined || value === "") return "demo";
  if (value === "demo" || value === "none") return value;
  throw new StartError(`TIDINGS_SEED must be demo or none, not "${value}".`);
}

function gotrueOf({ TIDINGS_AUTH: auth, TIDINGS_AUTH_PROGRAM: program }: Environment): string | null {
  if (!auth || auth === "lite") return null;
  if (auth !== "gotrue") throw new StartError(`TIDINGS_AUTH must be lite or gotrue, not "${auth}".`);
  if (program) return path.resolve(program);
  throw new StartError("TIDINGS_AUTH=gotrue needs TIDINGS_AUTH_PROGRAM, the path of GoTrue's program. The container image has one.");
}
