import type { Environment } from "../environment.ts";
import type { Keys } from "../keys.ts";
import { StartError } from "../start-error.ts";

/** An external Supabase project: hosted, self-hosted, or the CLI's local stack. */
export interface ProjectSettings {
  url: string;
  /** Role postgres; not through a transaction pooler. */
  databaseUrl: string;
  keys: Keys;
}

/** The project of TIDINGS_BACKEND=supabase; null: the embedded stack. Throws a StartError for missing variables. */
export function readProject(env: Environment): ProjectSettings | null {
  const { TIDINGS_BACKEND: backend } = env;
  if (!backend || backend === "embedded") return null;
  if (backend !== "supabase") throw new StartError(`TIDINGS_BACKEND must be embedded or supabase, not "${backend}".`);
  const problems: string[] = [];
  const required = (names: string[], what: string): string => {
    const value = names.map((name) => env[name]).find(Boolean);
    if (!value) problems.push(`${names.join(" or ")} is missing: ${what}.`);
    return value ?? "";
  };
  const url = required(["SUPABASE_URL"], "the URL of the Supabase project, such as https://abcd.supabase.co");
  const databaseUrl = required(["SUPABASE_DB_URL"], "the connection string of role postgres, port 5432");
  const publishableKey = required(["SUPABASE_PUBLISHABLE_KEY", "SUPABASE_ANON_KEY"], "the project's key for browsers");
  const secretKey = required(["SUPABASE_SECRET_KEY", "SUPABASE_SERVICE_ROLE_KEY"], "the project's key for servers");
  if (url && !/^https?:$/.test(URL.parse(url)?.protocol ?? "")) problems.push("SUPABASE_URL isn't an http(s) address.");
  if (databaseUrl && !/^postgres(?:ql)?:$/.test(URL.parse(databaseUrl)?.protocol ?? ""))
    problems.push("SUPABASE_DB_URL isn't a connection string such as postgresql://postgres:password@host:5432/postgres.");
  if (problems.length > 0) throw new StartError(problems.join("\n"));
  const keys = { publishableKey, secretKey, jwtSecret: env.JWT_SECRET ?? "", adminPassword: "", ownerPassword: "" };
  return { url: new URL(url).origin, databaseUrl, keys };
}
