import { createHash, randomBytes, randomInt } from "node:crypto";
import type { Sql } from "postgres";
import { passwordMaxLength } from "#contract/limits.ts";
import { atSteadyTime } from "#contract/rules/steady-time.ts";
import { refuseAuth } from "../auth-refusal.ts";
import { claimsOf, isLive, sessionIsGone } from "../live-session.ts";
import type { ProjectConfig } from "../../config.ts";
import type { MailBox } from "../mail.ts";
import type { SupabaseServices } from "../supabase-services.ts";
import { renderMail } from "./mail-template.ts";
import type { PasswordHashing } from "./password-hashing.ts";

/**
 * Closes lite's gaps to GoTrue: account enumeration by response or timing, other sessions after a password change, ended sessions' tokens,
 * long passwords, unknown link types.
 */
export interface AuthGapsOptions {
  sql: Sql;
  config: ProjectConfig;
  siteUrl: string;
  mail: MailBox;
  passwords: PasswordHashing;
}

/** Minimum duration in ms of one step: longer than a hash, an insert or an email takes; shorter than /api's rounding. */
const stepMs = 250;

interface Body {
  email?: string;
  password?: string;
  data?: object;
  type?: string;
}

export function closeAuthGaps(lite: SupabaseServices, options: AuthGapsOptions): SupabaseServices {
  return {
    ...lite,
    fetch: async (request, peerAddress) => {
      const call = callOf(request);
      if (!call) return await lite.fetch(request, peerAddress);
      if (call === "link") return await ofLink(request, lite, peerAddress);
      const answer = () =>
        call === "own account"
          ? ofOwnAccount(request, lite, options.sql, peerAddress)
          : atSteadyTime(stepMs, () => ofAnyAccount(call, request, lite, options, peerAddress));
      if (call === "recover" || call === "resend" || request.method === "GET") return await answer();
      return (await options.passwords.admit(answer)) ?? tooManyPasswords();
    },
  };
}

type OpenCall = "sign-up" | "resend" | "recover" | "sign-in";

function callOf(request: Request): OpenCall | "own account" | "link" | null {
  const { pathname, searchParams } = new URL(request.url);
  if (pathname === "/auth/v1/user" && request.method !== "OPTIONS") return "own account";
  if (request.method !== "POST") return null;
  if (pathname === "/auth/v1/signup") return "sign-up";
  if (pathname === "/auth/v1/resend") return "resend";
  if (pathname === "/auth/v1/recover") return "recover";
  if (pathname === "/auth/v1/verify") return "link";
  return pathname === "/auth/v1/token" && searchParams.get("grant_type") === "password" ? "sign-in" : null;
}

async function ofOwnAccount(request: Request, lite: SupabaseServices, sql: Sql, peerAddress: string): Promise<Response> {
  const claims = claimsOf(request.headers);
  const { sub, session_id: session } = claims;
  if (sub && !(await isLive(sql, claims))) return sessionIsGone();
  if (request.method !== "PUT") return await lite.fetch(request, peerAddress);
  const text = await request.text();
  const body = parse(text);
  if (isTooLong(body.password)) return passwordTooLong();
  if (sub && body.email !== undefined && (body.password !== undefined || !(await mayChangeEmail(sql, sub, body.email))))
    return needsPassword();
  const change = async (): Promise<Response> => {
    const email = sub && (await isTaken(sql, sub, body.email)) ? body.email : undefined;
    const sent = email === undefined ? text : JSON.stringify({ ...body, email: undefined });
    const answer = await lite.fetch(withBody(request, sent), peerAddress);
    if (answer.ok && sub && body.password) await endOtherSessions(sql, sub, session);
    if (!answer.ok || !sub || email === undefined) return answer;
    await waitForNobody(sql, sub, email);
    return await lite.fetch(new Request(request.url, { headers: withoutBody(request.headers) }), peerAddress);
  };
  return body.email === undefined ? await change() : await atSteadyTime(stepMs, change);
}

/**
 * True if the password was just confirmed for this address. Checked here because lite would send the email before the database refuses.
 */
async function mayChangeEmail(sql: Sql, person: string, email: unknown): Promise<boolean> {
  if (typeof email !== "string") return true;
  const [row] = await sql<{ allowed: boolean }[]>`select private.allowed_email_change(${person}, ${email}) is not null as allowed`;
  return row!.allowed;
}

async function isTaken(sql: Sql, person: string, email: unknown): Promise<boolean> {
  if (typeof email !== "string") return false;
  return (await sql`select from auth.users where email = ${email.toLowerCase()} and id::text <> ${person}`).length > 0;
}

/** Stores a pending email change whose link was never sent, so known and unknown addresses look the same. */
async function waitForNobody(sql: Sql, person: string, email: string): Promise<void> {
  const now = new Date().toISOString();
  await sql`
    update auth.users set email_change = ${email.toLowerCase()}, email_change_token_new = ${randomBytes(32).toString("hex")},
      email_change_token_current = null, email_change_sent_at = ${now}, updated_at = ${now}
    where id = ${person}
  `;
}

async function ofLink(request: Request, lite: SupabaseServices, peerAddress: string): Promise<Response> {
  const text = await request.text();
  const answer = await lite.fetch(withBody(request, text), peerAddress);
  return (await errorCodeOf(answer)) === "validation_failed" && isKnownKind(parse(text).type) ? linkExpired() : answer;
}

async function ofAnyAccount(
  call: OpenCall,
  request: Request,
  lite: SupabaseServices,
  options: AuthGapsOptions,
  peerAddress: string,
): Promise<Response> {
  const text = await request.text();
  const body = parse(text);
  if (call === "sign-up" && isTooLong(body.password)) return passwordTooLong();
  const answer = await lite.fetch(withBody(request, text), peerAddress);
  if (call === "sign-up" && answer.ok) return Response.json(newAccountOf(body), { headers: cors });
  const code = answer.ok ? null : await errorCodeOf(answer);
  if (call === "sign-in") return await afterComparing(answer, code, body, options);
  if (code !== "user_already_exists" && code !== "over_email_send_rate_limit") return answer;
  if (call !== "recover") await confirmAgain(options, body.email ?? "");
  if (call === "sign-up") await options.passwords.hash(textOf(body.password), rounds); // as slow as for a new address
  return Response.json(call === "sign-up" ? newAccountOf(body) : {}, { headers: cors });
}

function withBody({ url, method, headers }: Request, body: string): Request {
  const fitting = new Headers(headers);
  fitting.delete("content-length"); // the body may have changed
  return new Request(url, { method, headers: fitting, body });
}

function withoutBody(headers: Headers): Headers {
  const copied = new Headers(headers);
  for (const name of ["content-type", "content-length", "transfer-encoding"]) copied.delete(name);
  return copied;
}

function parse(text: string): Body {
  try {
    return (JSON.parse(text) as Body | null) ?? {};
  } catch {
    return {};
  }
}

const errorCodeOf = async (answer: Response): Promise<string | null> => {
  const { error_code: code } = (await answer
    .clone()
    .json()
    .catch(() => ({}))) as { error_code?: string };
  return code ?? null;
};

/** Resends the confirmation link, unless the account is confirmed or was emailed recently. */
async function confirmAgain({ sql, config, siteUrl, mail }: AuthGapsOptions, address: string): Promise<void> {
  const email = address.toLowerCase();
  const token = Array.from({ length: Number(config.auth.email?.otp_length ?? 6) }, () => randomInt(10)).join("");
  const tokenHash = createHash("sha256")
    .update(email + token)
    .digest("hex");
  const rows = await sql`
    update auth.users set confirmation_token = ${tokenHash}, confirmation_sent_at = now()
    where email = ${email} and confirmed_at is null and confirmation_sent_at < now() - interval '1 second'
    returning id
  `;
  if (rows.length === 0) return;
  const { subject, html } = renderMail(config, "confirmation", { SiteURL: siteUrl, TokenHash: tokenHash, Token: token, Email: email });
  await mail.send({ to: email, subject, html });
}

function newAccountOf({ email = "", data = {} }: Body): object {
  const now = new Date().toISOString();
  return {
    id: crypto.randomUUID(),
    aud: "authenticated",
    role: "authenticated",
    email: email.toLowerCase(),
    phone: "",
    confirmation_sent_at: now,
    app_metadata: { provider: "email", providers: ["email"] },
    user_metadata: data,
    identities: [],
    created_at: now,
    updated_at: now,
    is_anonymous: false,
  };
}

/** A password change signs out all other sessions. */
async function endOtherSessions(sql: Sql, person: string, current: string | undefined): Promise<void> {
  await sql`delete from auth.sessions where user_id = ${person} and id is distinct from ${current ?? null}::uuid`;
}

/** Compares a password when lite skipped it, so response times don't reveal accounts. */
async function afterComparing(answer: Response, code: string | null, body: Body, { sql, passwords }: AuthGapsOptions): Promise<Response> {
  if (code !== "invalid_credentials" && code !== "email_not_confirmed") return answer;
  const [account] = await sql<{ hash: string | null; isConfirmed: boolean }[]>`
    select encrypted_password as hash, confirmed_at is not null as "isConfirmed" from auth.users where email = ${textOf(body.email).toLowerCase()}
  `;
  if (account?.hash && account.isConfirmed) return answer;
  const isSame = await passwords.compare(textOf(body.password), account?.hash ?? hashOfNobody);
  return code === "email_not_confirmed" && !isSame ? wrongCredentials() : answer;
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** Lite's cost factor. */
const rounds = Number(process.env.LITE_AUTH_BCRYPT_COST ?? 10);
const hashOfNobody = `$2b$${String(rounds).padStart(2, "0")}$abcdefghijklmnopqrstuuKTvZ6LmoK0VL1TEaSbYD0sG1FcFRhRW`;

/** bcrypt ignores bytes after the 72nd. */
const isTooLong = (password: unknown): boolean => typeof password === "string" && Buffer.byteLength(password) > passwordMaxLength;
/** Link types that lite doesn't send are unknown. */
const isKnownKind = (type: unknown): boolean => type === "email" || type === "invite";

const passwordTooLong = (): Response =>
  refuseAuth(400, "validation_failed", `Password cannot be longer than ${passwordMaxLength} characters`);
const tooManyPasswords = (): Response => refuseAuth(503, "unexpected_failure", "Too many sign-ins at once", { "retry-after": "1" });
const needsPassword = (): Response =>
  refuseAuth(403, "reauthentication_needed", "A change of address needs the current password: POST /api/profiles/me/email");
const linkExpired = (): Response => refuseAuth(403, "otp_expired", "Email link is invalid or has expired");
const wrongCredentials = (): Response => refuseAuth(400, "invalid_credentials", "Invalid login credentials");

const cors = { "access-control-allow-origin": "*" };
