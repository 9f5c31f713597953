import fs from "node:fs";
import path from "node:path";
import { parse } from "smol-toml";
import { projectRoot } from "./settings.ts";

/** The parts of supabase/config.toml that the embedded stack uses. */
export interface ProjectConfig {
  auth: Record<string, unknown> & { email?: { otp_length?: number; template?: Record<string, { content_path?: string }> } };
  api: { port: number; schemas: string[]; extra_search_path: string[]; max_rows: number };
  db: { port: number };
  storage: { file_size_limit: string; buckets?: Record<string, BucketConfig> };
  functions: Record<string, { enabled?: boolean; entrypoint?: string; import_map?: string }>;
}

export interface BucketConfig {
  public?: boolean;
  file_size_limit?: string;
  allowed_mime_types?: string[];
}

export interface FunctionConfig {
  name: string;
  entrypoint: string;
  config: string;
}

const supabaseFolder = path.join(projectRoot, "supabase");

export function readConfig(): ProjectConfig {
  return parse(fs.readFileSync(path.join(supabaseFolder, "config.toml"), "utf8")) as unknown as ProjectConfig;
}

export function functionsOf({ functions }: ProjectConfig): FunctionConfig[] {
  return Object.entries(functions)
    .filter(([, entry]) => entry.enabled !== false)
    .map(([name, entry]) => ({
      name,
      entrypoint: path.resolve(supabaseFolder, entry.entrypoint ?? `functions/${name}/index.ts`),
      config: path.resolve(supabaseFolder, entry.import_map ?? `functions/${name}/deno.json`),
    }));
}

/** [auth] in lite's form. Without rate limits: the gateway enforces them (auth-limits.ts). */
export function authOf({ auth: { rate_limit: _, ...auth } }: ProjectConfig): Record<string, unknown> {
  const template = Object.entries(auth.email?.template ?? {}).map(([kind, entry]) => [
    kind,
    entry.content_path ? { ...entry, content_path: path.resolve(projectRoot, entry.content_path) } : entry,
  ]);
  return { ...auth, email: { ...auth.email, template: Object.fromEntries(template) } };
}

export function bytesOf(size: string | number): number {
  const [, amount, unit = ""] = /^([\d.]+)\s*([a-z]*)$/i.exec(String(size)) ?? [];
  const factor = { "": 1, b: 1, kb: 1e3, mb: 1e6, gb: 1e9, kib: 2 ** 10, mib: 2 ** 20, gib: 2 ** 30 }[unit.toLowerCase()];
  if (amount === undefined || factor === undefined) throw new Error(`config.toml: "${size}" isn't a size`);
  return Math.round(Number(amount) * factor);
}
