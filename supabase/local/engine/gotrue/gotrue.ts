import fs from "node:fs";
import { randomBytes } from "node:crypto";
import { SignJWT } from "jose";
import type { Sql } from "postgres";
import { errorCatalogue } from "#contract/errors.ts";
import { authOf, type ProjectConfig } from "../../config.ts";
import type { Keys } from "../../keys.ts";
import { type Log, pump } from "../../logs.ts";
import { StartError } from "../../start-error.ts";
import { refuseAuth } from "../auth-refusal.ts";
import { basicEnvironment, type Children } from "../children.ts";
import { claimsOf, isLive, sessionIsGone } from "../live-session.ts";
import type { MailBox } from "../mail.ts";
import type { Part } from "../parts.ts";
import { answers, freePort } from "../ports.ts";
import type { SupabaseServices } from "../supabase-services.ts";
import { SmtpCatcher } from "./smtp-catcher.ts";

export interface GotrueOptions {
  program: string;
  config: ProjectConfig;
  keys: Keys;
  samlKey: string;
  sql: Sql;
  databaseUrl(role: string, password: string): string;
  siteUrl: string;
  mail: MailBox;
  children: Children;
  log: Log;
  onChange(up: boolean): void;
}

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
/** Paths that hosted serves without the API key, since browsers open them by link. */
const withoutKey = ["/verify", "/callback", "/authorize", "/.well-known/jwks.json", "/sso/saml/acs", "/sso/saml/metadata"];

/** Beyond lite's paths: SAML, and what the functions need to run it. */
export const samlPaths = /^\/auth\/v1\/(?:sso(?:\/saml\/(?:acs|metadata))?|admin\/(?:sso\/providers|users)(?:\/[\w-]+)?)$/;

const longestPauseMs = 5_000;

export class Gotrue implements Part {
  readonly name = "auth service";
  readonly #options: GotrueOptions;
  readonly #port = freePort();
  readonly #password = randomBytes(24).toString("base64url");
  readonly #smtp: SmtpCatcher;
  readonly #templates: Deno.HttpServer<Deno.NetAddr>;
  #child: Deno.ChildProcess | null = null;
  #up = false;
  #stopping = false;

  constructor(options: GotrueOptions) {
    this.#options = options;
    this.#smtp = new SmtpCatcher(options.mail);
    this.#templates = serveTemplates(this.#settings);
  }

  get up(): boolean {
    return this.#up;
  }

  async start(): Promise<void> {
    await this.#giveSchema();
    const migrated = await this.#run("migrate").status;
    if (!migrated.success) throw new StartError("The auth service couldn't create its tables. See logs/auth.log.");
    await this.#launch(0);
    if (!this.#up) throw new StartError("The auth service doesn't start. See logs/auth.log.");
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    if (this.#child) await this.#options.children.end(this.#child, "SIGTERM", 2_000);
    this.#smtp.close();
    await this.#templates.shutdown();
  }

  /** Resolves when it listens or has ended. `failures`: consecutive launches that ended within a second. */
  async #launch(failures: number): Promise<void> {
    const child = this.#run("serve");
    this.#child = child;
    const began = Date.now();
    let ended = false;
    void child.status.then(async () => {
      ended = true;
      this.#change(false);
      await new Promise((resolve) => setTimeout(resolve, Math.min(100 * 2 ** failures, longestPauseMs)));
      if (!this.#stopping) await this.#launch(Date.now() - began < 1_000 + longestPauseMs ? failures + 1 : 0);
    });
    if (await answers(this.#port, 20_000, () => ended)) this.#change(true);
  }

  #change(up: boolean): void {
    if (up === this.#up) return;
    this.#up = up;
    if (!this.#stopping) this.#options.onChange(up);
  }

  inPlaceOf(lite: SupabaseServices): SupabaseServices {
    return {
      ...lite,
      fetch: (request, peerAddress) =>
        new URL(request.url).pathname.startsWith(`${prefix}/`) ? this.#fetch(request) : lite.fetch(request, peerAddress),
    };
  }

  /** Strips the API key, as hosted's gateway does. */
  async #fetch(request: Request): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    const { publishableKey, secretKey } = this.#options.keys;
    const path = pathname.slice(prefix.length);
    const headers = new Headers(request.headers);
    const hasApiKey = [publishableKey, secretKey].includes(headers.get("apikey") ?? "");
    if (!hasApiKey && request.method !== "OPTIONS" && !withoutKey.includes(path))
      return Response.json(
        { message: "No API key found in request", hint: "No `apikey` request header or url param was found." },
        { status: 401 },
      );
    if (headers.get("authorization")?.startsWith("Bearer sb_")) headers.delete("authorization");
    if (headers.get("apikey") === secretKey && path.startsWith("/admin/"))
      headers.set("authorization", `Bearer ${await this.#serviceToken()}`);
    // GoTrue knows nothing of our second factor, and would change the password.
    if (path === "/user" && request.method === "PUT" && !(await isLive(this.#options.sql, claimsOf(headers)))) return sessionIsGone();
    const body = ["GET", "HEAD"].includes(request.method) ? null : await request.arrayBuffer();
    const address = `http://127.0.0.1:${this.#port}${path}${search}`;
    return await fetch(address, { method: request.method, headers, body, redirect: "manual" }).catch(() => down());
  }

  #serviceToken(): Promise<string> {
    const key = new TextEncoder().encode(this.#options.keys.jwtSecret);
    return new SignJWT({ role: "service_role" }).setProtectedHeader({ alg: "HS256" }).setExpirationTime("1m").sign(key);
  }

  /** Creates the role and schema that hosted has before GoTrue starts. */
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
      GOTRUE_LOG_LEVEL: "warn",
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
      GOTRUE_SAML_ENABLED: "true",
      GOTRUE_SAML_PRIVATE_KEY: this.#options.samlKey,
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

const down = (): Response => {
  const { status, sentence } = errorCatalogue.unavailable;
  return refuseAuth(status, "unexpected_failure", sentence, { "retry-after": "1" });
};

function serveTemplates({ email }: AuthSettings): Deno.HttpServer<Deno.NetAddr> {
  return Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, (request) => {
    const file = email.template[new URL(request.url).pathname.slice(1)]?.content_path;
    return file ? new Response(fs.readFileSync(file)) : new Response(null, { status: 404 });
  });
}
