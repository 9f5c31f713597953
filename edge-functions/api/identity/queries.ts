import type { SupabaseClient } from "@supabase/supabase-js";
import { z } from "zod";
import type { SingleSignOn } from "#contract/single-sign-on.ts";
import { type Database, serviceClient } from "../../_shared/clients.ts";
import { type Dns, within } from "../../_shared/dns.ts";
import type { Env } from "../../_shared/env.ts";
import { AppError } from "../../_shared/errors.ts";
import type { Job, Task } from "../../_shared/jobs.ts";
import type { Network } from "../../_shared/outbound/network.ts";
import { Seal } from "../../_shared/seal.ts";
import { proofName } from "../domains/dns-checks.ts";
import { rows } from "../result.ts";
import type { Claims, Client } from "./openid.ts";
import { samlAddresses } from "./saml.ts";

/* With the service role: people can't read the client secret, prove a domain or claim that a provider has signed them in. */
const service: (env: Env) => SupabaseClient = serviceClient;

const dnsMs = 5_000;
const dailySeconds = 86_400;

export const redirectUri = ({ publicUrl }: Env): string => `${publicUrl}/auth/callback`;

export async function readSingleSignOn(env: Env, db: Database, workspaceId: string): Promise<SingleSignOn> {
  const { domains, ...settings } = await rows(db.rpc("read_single_sign_on", { workspace_id: workspaceId }));
  const shown = (domains as { domain: string; token: string; is_proven: boolean; missing_since: string | null }[]).map(
    ({ token, ...domain }) => ({
      ...domain,
      record: { name: proofName(domain.domain), value: token },
    }),
  );
  return {
    ...(settings as Pick<SingleSignOn, "provider" | "join_by_domain">),
    redirect_uri: redirectUri(env),
    saml: await samlAddresses(env),
    domains: shown,
  };
}

const provider = z.object({
  workspace_id: z.string(),
  kind: z.enum(["oidc", "saml"]),
  issuer: z.string(),
  client_id: z.string(),
  secret: z.string(),
  domains: z.array(z.string()),
});

export interface Provider {
  kind: "oidc" | "saml";
  workspaceId: string;
  domains: string[];
  client: Client;
}

/** null: none, or its secret was encrypted with another key. */
export async function findProvider(
  env: Env,
  network: Network,
  by: { email: string } | { workspace: string; for_test: boolean },
): Promise<Provider | null> {
  const row = provider.nullable().parse(await rows(service(env).rpc("identity_provider_for", by)));
  if (row === null) return null;
  const secret = row.kind === "saml" ? "" : await new Seal(env, "identity").open(row.workspace_id, row.secret);
  if (secret === null) return null;
  const { kind, workspace_id: workspaceId, issuer, client_id: clientId, domains } = row;
  return {
    kind,
    workspaceId,
    domains,
    client: { network, toPrivate: env.signOnToPrivate, issuer, clientId, secret, redirectUri: redirectUri(env) },
  };
}

const configured = ({ workspaceId: workspace, client: { issuer, clientId: client_id } }: Provider) => ({ workspace, issuer, client_id });

/** False if the settings have changed since. */
export const recordTest = (env: Env, provider: Provider, person: string): Promise<boolean> =>
  rows(service(env).rpc("record_provider_test", { ...configured(provider), person }));

/** A one-time link of the auth service. */
export const signInByProvider = (env: Env, provider: Provider, { subject, email, name }: Claims): Promise<string> =>
  rows(service(env).rpc("sign_in_by_provider", { ...configured(provider), subject, email, full_name: name }));

export async function recordSession(env: Env, { workspaceId: workspace }: Provider, person: string, session: string): Promise<void> {
  await rows(service(env).rpc("record_provider_session", { workspace, person, session }));
}

/** True once per state. */
export async function spendState(env: Env, state: string): Promise<boolean> {
  return (await rows<number>(service(env).rpc("take_token", { bucket: "signOnState", key: state, size: 1, period: "15 minutes" }))) === 0;
}

export class EmailDomainChecker implements Task {
  readonly concurrency = 5;
  readonly #env: Env;
  readonly #dns: Dns;

  constructor(env: Env, dns: Dns) {
    this.#env = env;
    this.#dns = dns;
  }

  async run({ id }: Job): Promise<number | void> {
    const row = await this.#read(id);
    if (row === undefined) return;
    await this.check(id).catch((error: unknown) => {
      if (!(error instanceof AppError) || error.code !== "domain_taken") throw error;
    });
    return dailySeconds;
  }

  /** No change if DNS doesn't answer. Throws domain_taken. */
  async check(id: string): Promise<void> {
    const row = await this.#read(id);
    const texts = row && (await within(dnsMs, (signal) => this.#dns.texts(proofName(row.domain), signal)));
    if (!texts) return;
    await rows(service(this.#env).rpc("settle_email_domain", { id, is_there: texts.some((text) => text.trim() === row.token) }));
  }

  async #read(id: string): Promise<{ domain: string; token: string } | undefined> {
    return (await rows<{ domain: string; token: string }[]>(service(this.#env).rpc("email_domain_to_check", { id })))[0];
  }
}
