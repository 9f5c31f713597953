import { createHash, randomInt } from "node:crypto";
import { decodeJwt } from "jose";
import type { Sql } from "postgres";
import type { ProjectConfig } from "./config.ts";
import type { Lite } from "./lite.ts";
import type { MailBox } from "./mail.ts";
import { renderMail } from "./mail-template.ts";

/**
 * Where lite differs from hosted's auth (GoTrue). Sign-up and sign-in would tell a stranger which addresses have an account: a known
 * address is refused at sign-up, a second confirmation mail is never sent, and an unconfirmed account says so before its password was
 * compared. And a new password leaves all other sessions as they are. This does those four as hosted does and leaves the rest to lite.
 */
export interface AuthGapsOptions {
  sql: Sql;
  config: ProjectConfig;
  siteUrl: string;
  mail: MailBox;
}

interface Body {
  email?: string;
  password?: string;
  data?: object;
  type?: string;
}

export function closeAuthGaps(lite: Lite, options: AuthGapsOptions): Lite {
  return {
    ...lite,
    fetch: async (request, peerAddress) => {
      const call = callOf(request);
      if (!call) return await lite.fetch(request, peerAddress);
      const text = await request.text();
      const body = parse(text);
      const answer = await lite.fetch(
        new Request(request.url, { method: request.method, headers: request.headers, body: text }),
        peerAddress,
      );
      if (call === "change") {
        if (answer.ok && body.password) await endOtherSessions(options.sql, request.headers);
        return answer;
      }
      const code = answer.ok ? null : await errorCodeOf(answer);
      if (call === "sign-in") return code === "email_not_confirmed" && !(await isPassword(options.sql, body)) ? wrongCredentials() : answer;
      if (code !== "user_already_exists" && code !== "over_email_send_rate_limit") return answer;
      await confirmAgain(options, body.email ?? "");
      return Response.json(call === "sign-up" ? lookalikeOf(body) : {}, { headers: cors });
    },
  };
}

function callOf(request: Request): "sign-up" | "resend" | "sign-in" | "change" | null {
  const { pathname, searchParams } = new URL(request.url);
  if (request.method === "PUT" && pathname === "/auth/v1/user") return "change";
  if (request.method !== "POST") return null;
  if (pathname === "/auth/v1/signup") return "sign-up";
  if (pathname === "/auth/v1/resend") return "resend";
  return pathname === "/auth/v1/token" && searchParams.get("grant_type") === "password" ? "sign-in" : null;
}

function parse(text: string): Body {
  try {
    return (JSON.parse(text) as Body | null) ?? {};
  } catch {
    return {}; // lite answers it
  }
}

const errorCodeOf = async (answer: Response): Promise<string | null> => {
  const { error_code: code } = (await answer
    .clone()
    .json()
    .catch(() => ({}))) as { error_code?: string };
  return code ?? null;
};

/** Sends a new link to an account that waits for its confirmation; a confirmed one or one just written to gets nothing. */
async function confirmAgain({ sql, config, siteUrl, mail }: AuthGapsOptions, address: string): Promise<void> {
  const email = address.toLowerCase();
  const token = Array.from({ length: Number(config.auth.email?.otp_length ?? 6) }, () => randomInt(10)).join("");
  const tokenHash = createHash("sha256")
    .update(email + token)
    .digest("hex"); // as lite makes it, so that it can be verified
  const rows = await sql`
    update auth.users set confirmation_token = ${tokenHash}, confirmation_sent_at = now()
    where email = ${email} and confirmed_at is null and confirmation_sent_at < now() - interval '1 second'
    returning id
  `;
  if (rows.length === 0) return;
  const { subject, html } = renderMail(config, "confirmation", { SiteURL: siteUrl, TokenHash: tokenHash, Token: token, Email: email });
  await mail.send({ to: email, subject, html });
}

/** What hosted answers for a known address: a user as new ones look, with an id that means nothing. */
function lookalikeOf({ email = "", data = {} }: Body): object {
  const now = new Date().toISOString();
  return {
    id: crypto.randomUUID(),
    aud: "authenticated",
    role: "",
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

/** Whoever changes a password may do so because somebody else knows it. */
async function endOtherSessions(sql: Sql, headers: Headers): Promise<void> {
  const { sub, session_id: current } = decodeJwt<{ session_id?: string }>(headers.get("authorization")!.replace(/^bearer\s+/i, ""));
  if (sub) await sql`delete from auth.sessions where user_id = ${sub} and id is distinct from ${current ?? null}::uuid`;
}

/** pgcrypto knows bcrypt's prefix only as $2a; for passwords of up to 72 bytes it is the same. */
async function isPassword(sql: Sql, { email = "", password = "" }: Body): Promise<boolean> {
  const [row] = await sql<{ same: boolean }[]>`
    with known as (select regexp_replace(encrypted_password, '^\\$2b', '$2a') as hash from auth.users where email = ${email.toLowerCase()})
    select hash = extensions.crypt(${password}, hash) as same from known
  `;
  return row?.same === true;
}

const wrongCredentials = (): Response =>
  Response.json({ code: 400, error_code: "invalid_credentials", msg: "Invalid login credentials" }, { status: 400, headers: cors });

const cors = { "access-control-allow-origin": "*" };
