import { readFileSync } from "node:fs";
import path from "node:path";
import { parse } from "smol-toml";
import { z } from "zod";
import { newOperatorToken, type SignUpRule } from "../supabase/local/service/sign-up.ts";

/** Settings of a hosted project's auth service, by names of the Management API (`PATCH /v1/projects/{ref}/config/auth`). */
export type AuthSettings = Record<string, string | number | boolean>;

type Environment = Readonly<Record<string, string | undefined>>;

const template = z.object({ subject: z.string(), content_path: z.string() });

const configSchema = z.object({
  auth: z.object({
    jwt_expiry: z.number(),
    enable_signup: z.boolean(),
    minimum_password_length: z.number(),
    rate_limit: z.object({
      token_refresh: z.number(),
      sign_in_sign_ups: z.number(),
      token_verifications: z.number(),
      email_sent: z.number(),
    }),
    email: z.object({
      enable_signup: z.boolean(),
      enable_confirmations: z.boolean(),
      double_confirm_changes: z.boolean(),
      max_frequency: z.string().regex(/^\d+s$/),
      otp_expiry: z.number(),
      otp_length: z.number(),
      template: z.object({ confirmation: template, recovery: template, email_change: template }),
    }),
  }),
});

/** [auth] of supabase/config.toml, TIDINGS_PUBLIC_URL and the environment's providers. Those set up in the dashboard stay. */
export function authSettings(root: string, env: Environment): AuthSettings {
  const { auth } = configSchema.parse(parse(readFileSync(path.join(root, "supabase/config.toml"), "utf8")));
  const origin = new URL(env.TIDINGS_PUBLIC_URL ?? "").origin;
  const templates = Object.entries(auth.email.template).map(([name, { subject, content_path: file }]) => ({
    [`mailer_subjects_${name}`]: subject,
    [`mailer_templates_${name}_content`]: readFileSync(path.join(root, file), "utf8"),
  }));
  return {
    site_url: origin,
    uri_allow_list: `${origin}/**`,
    jwt_exp: auth.jwt_expiry,
    disable_signup: !auth.enable_signup,
    external_email_enabled: auth.email.enable_signup,
    password_min_length: auth.minimum_password_length,
    mailer_autoconfirm: !auth.email.enable_confirmations,
    mailer_secure_email_change_enabled: auth.email.double_confirm_changes,
    mailer_otp_exp: auth.email.otp_expiry,
    mailer_otp_length: auth.email.otp_length,
    smtp_max_frequency: Number.parseInt(auth.email.max_frequency),
    rate_limit_token_refresh: auth.rate_limit.token_refresh,
    rate_limit_otp: auth.rate_limit.sign_in_sign_ups,
    rate_limit_verify: auth.rate_limit.token_verifications,
    security_sb_forwarded_for_enabled: true,
    ...Object.assign({}, ...templates),
    ...mailServer(env, auth.rate_limit.email_sent),
    ...botCheck(env),
    ...provider("google", env.GOOGLE_CLIENT_ID, env.GOOGLE_SECRET),
    ...provider("github", env.GITHUB_CLIENT_ID, env.GITHUB_SECRET),
  };
}

/** Rate limit: hosted Supabase refuses one without a custom mail server. */
function mailServer({ SMTP_HOST, SMTP_PORT, SMTP_USER, SMTP_PASS, SMTP_FROM }: Environment, mailsAnHour: number): AuthSettings {
  if (!SMTP_HOST) return {};
  return {
    smtp_host: SMTP_HOST,
    smtp_port: SMTP_PORT || "587",
    smtp_user: SMTP_USER ?? "",
    smtp_pass: SMTP_PASS ?? "",
    smtp_admin_email: SMTP_FROM ?? "",
    smtp_sender_name: "Tidings",
    rate_limit_email_sent: mailsAnHour,
  };
}

/** Without a site key nobody could pass the check. With one but no secret here, the dashboard's setting stays. */
function botCheck({ TURNSTILE_SITE_KEY, TURNSTILE_SECRET_KEY }: Environment): AuthSettings {
  if (!TURNSTILE_SITE_KEY) return { security_captcha_enabled: false };
  if (!TURNSTILE_SECRET_KEY) return {};
  return { security_captcha_enabled: true, security_captcha_provider: "turnstile", security_captcha_secret: TURNSTILE_SECRET_KEY };
}

function provider(name: "google" | "github", id: string | undefined, secret: string | undefined): AuthSettings {
  if (!id || !secret) return {};
  return { [`external_${name}_enabled`]: true, [`external_${name}_client_id`]: id, [`external_${name}_secret`]: secret };
}

/** One setting as the dry run prints it: no secrets, and only the length of a template. */
export function shownSetting(name: string, value: AuthSettings[string]): string {
  if (/_(?:secret|pass)$/.test(name)) return "(secret)";
  return name.endsWith("_content") ? `${String(value).length} characters` : String(value);
}

/** Throws a sentence if the Management API refuses. */
export async function pushAuthSettings(settings: AuthSettings, env: Environment): Promise<void> {
  await askManagementApi("PATCH", "config/auth", settings, "the auth settings were", env);
}

/** Token of the operator's link; null if there is an operator. Throws a sentence if the Management API refuses. */
export async function pushSignUpRule({ mode, domains, operatorEmail }: SignUpRule, env: Environment): Promise<string | null> {
  const { token, hash } = newOperatorToken();
  const values = [
    quoted(mode),
    quoted(`{${domains.join(",")}}`),
    operatorEmail === null ? "null" : quoted(operatorEmail),
    quoted(`\\x${hash}`),
  ];
  const query = `select private.set_sign_up_rule(${values.join(", ")}) as counts`;
  const rows = await askManagementApi("POST", "database/query", { query }, "the sign-up rule was", env);
  return z
    .array(z.object({ counts: z.boolean() }))
    .length(1)
    .parse(rows)[0]!.counts
    ? token
    : null;
}

const quoted = (value: string): string => `'${value.replaceAll("'", "''")}'`;

async function askManagementApi(
  method: string,
  path: string,
  body: object,
  what: string,
  { SUPABASE_PROJECT_REF, SUPABASE_ACCESS_TOKEN, SUPABASE_API_URL }: Environment,
): Promise<unknown> {
  const address = `${SUPABASE_API_URL || "https://api.supabase.com"}/v1/projects/${SUPABASE_PROJECT_REF}/${path}`;
  const answer = await fetch(address, {
    method,
    headers: { authorization: `Bearer ${SUPABASE_ACCESS_TOKEN}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${what} answered with ${answer.status}: ${(await answer.text()).slice(0, 500)}`);
  return await answer.json();
}
