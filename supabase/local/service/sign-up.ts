import { createHash, randomBytes } from "node:crypto";
import type { Sql } from "postgres";
import type { SignUpMode } from "#contract/auth.ts";
import { refuseAuth } from "../engine/auth-refusal.ts";
import type { Part } from "../engine/parts.ts";
import type { SupabaseServices } from "../engine/supabase-services.ts";
import type { Environment } from "../environment.ts";
import { StartError } from "../start-error.ts";

/** Sign-up rule of TIDINGS_SIGNUP and TIDINGS_OPERATOR_EMAIL. Source: product decision 31. */
export interface SignUpRule {
  mode: SignUpMode;
  domains: string[];
  /** The operator's address; null: the log has a sign-up link. */
  operatorEmail: string | null;
}

const domain = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/;
const emailAddress = /^[^@\s,]{1,64}@[^@\s,]+\.[^@\s,]+$/;

export function readSignUpRule(env: Environment, usual: SignUpMode): SignUpRule {
  const operatorEmail = env.TIDINGS_OPERATOR_EMAIL?.trim().toLowerCase() || null;
  if (operatorEmail !== null && !emailAddress.test(operatorEmail))
    throw new StartError(`TIDINGS_OPERATOR_EMAIL must be one email address, not "${env.TIDINGS_OPERATOR_EMAIL}".`);
  return { ...readMode(env.TIDINGS_SIGNUP?.trim() || usual), operatorEmail };
}

function readMode(value: string): Pick<SignUpRule, "mode" | "domains"> {
  if (value === "open" || value === "invited" || value === "closed") return { mode: value, domains: [] };
  const domains = /^domains:(.*)$/
    .exec(value)?.[1]
    ?.split(",")
    .map((name) => name.trim().toLowerCase());
  if (!domains)
    throw new StartError(`TIDINGS_SIGNUP must be open, invited, closed or domains:acme.example,globex.example, not "${value}".`);
  const wrong = domains.find((name) => !domain.test(name));
  if (wrong !== undefined)
    throw new StartError(
      `TIDINGS_SIGNUP names "${wrong}", which isn't a domain such as acme.example. Write one with other letters as xn--….`,
    );
  return { mode: "domains", domains };
}

export function newOperatorToken(): { token: string; hash: string } {
  const token = randomBytes(32).toString("base64url");
  return { token, hash: createHash("sha256").update(token).digest("hex") };
}

export const operatorLink = (publicUrl: string, token: string): string =>
  `${publicUrl}/auth?type=signup&returnUrl=/onboarding&token=${token}`;

export class SignUp implements Part {
  readonly name = "sign-up";
  readonly #sql: Sql;
  readonly #rule: SignUpRule;
  readonly #makesOperator: boolean;
  /** Null if there's an operator or an address for one. */
  operatorToken: string | null = null;

  constructor(sql: Sql, rule: SignUpRule, makesOperator: boolean) {
    this.#sql = sql;
    this.#rule = rule;
    this.#makesOperator = makesOperator;
  }

  async start(): Promise<void> {
    const sql = this.#sql;
    const { mode, domains, operatorEmail } = this.#rule;
    const { token, hash } = newOperatorToken();
    const [row] = await sql<{ counts: boolean }[]>`
      select private.set_sign_up_rule(${mode}, ${domains}, ${operatorEmail}, ${this.#makesOperator ? Buffer.from(hash, "hex") : null}) as counts
    `;
    if (row!.counts && this.#makesOperator) this.operatorToken = token;
  }
}

/** The refusal of a sign-up that the rule forbids, or null. Checked here too, so known and unknown addresses get the same response. */
export async function refuseSignUp(request: Request, sql: Sql): Promise<Response | null> {
  if (request.method !== "POST" || new URL(request.url).pathname !== "/auth/v1/signup") return null;
  const { email, data } = await bodyOf(request);
  const [row] = await sql<
    { allowed: boolean }[]
  >`select private.sign_up_refusal(${text(email)}, ${text(data?.invitation)}) is null as allowed`;
  return row!.allowed ? null : refuseAuth(422, "signup_disabled", "Signups not allowed for this instance");
}

export function checkSignUps(services: SupabaseServices, sql: Sql): SupabaseServices {
  return {
    ...services,
    fetch: async (request, peerAddress) => (await refuseSignUp(request, sql)) ?? (await services.fetch(request, peerAddress)),
  };
}

const text = (value: unknown): string | null => (typeof value === "string" ? value : null);

async function bodyOf(request: Request): Promise<{ email?: unknown; data?: { invitation?: unknown } | null }> {
  const body: unknown = await request
    .clone()
    .json()
    .catch(() => null);
  return typeof body === "object" && body !== null ? body : {};
}
