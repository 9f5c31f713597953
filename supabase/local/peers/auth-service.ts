import fs from "node:fs";
import { randomBytes } from "node:crypto";
import type { Sql } from "postgres";
import { basicEnvironment, type Children } from "../engine/children.ts";
import { authOf, type ProjectConfig } from "../config.ts";
import type { Keys } from "../keys.ts";
import { type Log, pump } from "../logs.ts";
import type { MailBox } from "../engine/mail.ts";
import type { Part } from "../engine/parts.ts";
import { answers, freePort } from "../engine/ports.ts";
import type { SupabaseServices } from "../engine/supabase-services.ts";
import { SmtpCatcher } from "./smtp-catcher.ts";

export interface AuthServiceOptions {
  /** GoTrue's program. */
  program: string;
  config: ProjectConfig;
  keys: Keys;
  sql: Sql;
  /** A connection string for a role. */
  databaseUrl(role: string, password: string): string;
  siteUrl: string;
  mail: MailBox;
  children: Children;
  log: Log;
}

/** As lite takes it from config.toml. */
interface AuthSettings {
  jwt_expiry: number;
  minimum_password_length: number;
  email: {
    enable_confirmations: boolean;
    double_confirm_changes: boolean;
    max_frequency: string;
    otp_length: number;
    template: Record<string, { subject: string; content_path: string }>;
  };
}

const role = "supabase_auth_admin";
const prefix = "/auth/v1";
/** What pages may ask without the project's key on hosted, since browsers come by a link. */
const withoutKey = ["/verify", "/callback", "/authorize", "/.well-known/jwks.json"];

/**
 * Hosted's own auth service (GoTrue) in the place of lite's, for the tests of `npm run peers` alone. It makes schema auth by its own
 * migrations, before lite finds it there; its settings are those of config.toml, its mails land in the mail box.
 */
export class AuthService implements Part {
  readonly name = "auth service";
  readonly #options: AuthServiceOptions;
  readonly #port = freePort();
  readonly #password = randomBytes(24).toString("base64url");
  readonly #smtp: SmtpCatcher;
  readonly #templates: Deno.HttpServer<Deno.NetAddr>;
  #child: Deno.ChildProcess | null = null;

  constructor(options: AuthServiceOptions) {
    this.#options = options;
    this.#smtp = new SmtpCatcher(options.mail);
    this.#templates = serveTemplates(this.#settings);
  }

  async start(): Promise<void> {
    await this.#giveSchema();
    const migrated = await this.#run("migrate").status;
    if (!migrated.success) throw new Error("the auth service could not make its schema; logs/auth.log says why");
    this.#child = this.#run("serve");
    let ended = false;
    void this.#child.status.then(() => (ended = true));
    if (!(await answers(this.#port, 20_000, () => ended))) throw new Error("the auth service does not start; logs/auth.log says why");
  }

  async stop(): Promise<void> {
    if (this.#child) await this.#options.children.end(this.#child, "SIGTERM", 2_000);
    this.#smtp.close();
    await this.#templates.shutdown();
  }

  /** The same services with this one in front of lite's auth. */
  inPlaceOf(lite: SupabaseServices): SupabaseServices {
    return {
      ...lite,
      fetch: (request, peerAddress) =>
        new URL(request.url).pathname.startsWith(`${prefix}/`) ? this.#fetch(request) : lite.fetch(request, peerAddress),
    };
  }

  /** As hosted's gateway hands a request on: a key of the project is asked for and is not the service's business. */
  async #fetch(request: Request): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    const { publishableKey, secretKey } = this.#options.keys;
    const path = pathname.slice(prefix.length);
    const headers = new Headers(request.headers);
    const known = [publishableKey, secretKey].includes(headers.get("apikey") ?? "");
    if (!known && request.method !== "OPTIONS" && !withoutKey.includes(path))
      return Response.json(
        { message: "No API key found in request", hint: "No `apikey` request header or url param was found." },
        { status: 401 },
      );
    if (headers.get("authorization")?.startsWith("Bearer sb_")) headers.delete("authorization");
    const body = ["GET", "HEAD"].includes(request.method) ? null : await request.arrayBuffer();
    return await fetch(`http://127.0.0.1:${this.#port}${path}${search}`, { method: request.method, headers, body, redirect: "manual" });
  }

  /** The role and the schema as hosted's database has them before the service first starts. */
  async #giveSchema(): Promise<void> {
    const { sql } = this.#options;
    await sql.unsafe(`
      alter role ${role} login noinherit createrole password '${this.#password}';
      alter role ${role} set search_path = auth;
      grant create on database postgres to ${role};
      create schema if not exists auth authorization ${role};
    `);
  }

  #run(command: "migrate" | "serve"): Deno.ChildProcess {
    const { children, log, program } = this.#options;
    const child = children.spawn(program, { args: [command], env: { ...basicEnvironment(), ...this.#environment() } });
    void pump(child.stdout, log);
    void pump(child.stderr, log);
    return child;
  }

  get #settings(): AuthSettings {
    return authOf(this.#options.config) as unknown as AuthSettings;
  }

  #environment(): Record<string, string> {
    const { keys, siteUrl, databaseUrl } = this.#options;
    const { email, jwt_expiry, minimum_password_length } = this.#settings;
    const mails = Object.entries(email.template).flatMap(([kind, { subject }]) => [
      [`GOTRUE_MAILER_SUBJECTS_${kind.toUpperCase()}`, subject],
      [`GOTRUE_MAILER_TEMPLATES_${kind.toUpperCase()}`, `http://127.0.0.1:${this.#templates.addr.port}/${kind}`],
    ]);
    return {
      GOTRUE_API_HOST: "127.0.0.1",
      PORT: String(this.#port),
      API_EXTERNAL_URL: siteUrl + prefix,
      GOTRUE_DB_DRIVER: "postgres",
      DATABASE_URL: databaseUrl(role, this.#password),
      GOTRUE_DB_MAX_POOL_SIZE: "10",
      GOTRUE_SITE_URL: siteUrl,
      GOTRUE_URI_ALLOW_LIST: `${siteUrl}/**`,
      GOTRUE_JWT_SECRET: keys.jwtSecret,
      GOTRUE_JWT_EXP: String(jwt_expiry),
      GOTRUE_JWT_AUD: "authenticated",
      GOTRUE_JWT_DEFAULT_GROUP_NAME: "authenticated",
      GOTRUE_JWT_ADMIN_ROLES: "service_role",
      GOTRUE_JWT_ISSUER: siteUrl + prefix,
      GOTRUE_EXTERNAL_EMAIL_ENABLED: "true",
      GOTRUE_PASSWORD_MIN_LENGTH: String(minimum_password_length),
      GOTRUE_SECURITY_REFRESH_TOKEN_ROTATION_ENABLED: "true",
      GOTRUE_SECURITY_REFRESH_TOKEN_REUSE_INTERVAL: "10",
      GOTRUE_MAILER_AUTOCONFIRM: String(!email.enable_confirmations),
      GOTRUE_MAILER_SECURE_EMAIL_CHANGE_ENABLED: String(email.double_confirm_changes),
      GOTRUE_MAILER_OTP_LENGTH: String(email.otp_length),
      GOTRUE_MAILER_OTP_EXP: "3600",
      GOTRUE_SMTP_HOST: "127.0.0.1",
      GOTRUE_SMTP_PORT: String(this.#smtp.port),
      GOTRUE_SMTP_ADMIN_EMAIL: "tidings@localhost",
      GOTRUE_SMTP_MAX_FREQUENCY: email.max_frequency,
      GOTRUE_RATE_LIMIT_EMAIL_SENT: "1000000",
      ...Object.fromEntries(mails),
    };
  }
}

/** The service fetches its templates. */
function serveTemplates({ email }: AuthSettings): Deno.HttpServer<Deno.NetAddr> {
  return Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, (request) => {
    const file = email.template[new URL(request.url).pathname.slice(1)]?.content_path;
    return file ? new Response(fs.readFileSync(file)) : new Response(null, { status: 404 });
  });
}
