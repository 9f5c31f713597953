import * as oauth from "oauth4webapi";
import { z } from "zod";
import { samlMetadataMaxLength } from "#contract/limits.ts";
import type { SingleSignOn } from "#contract/single-sign-on.ts";
import type { Env } from "../../_shared/env.ts";
import { AppError } from "../../_shared/errors.ts";
import { fetchPublicUrl } from "../../_shared/outbound/fetch-public-url.ts";
import { type Network, Unreachable } from "../../_shared/outbound/network.ts";
import { type Attempt, type Identity, SignOnError } from "./openid.ts";

/* SAML by the auth service (GoTrue), which checks signatures and replays. Its accounts have no rights (51-sign-up), and end once they are read. Providers
 * and accounts take the secret key. */

const timeoutMs = 8_000;

/** null if the auth service has no SAML. */
export async function samlAddresses(env: Env): Promise<SingleSignOn["saml"]> {
  const response = await ask(env, "/sso/saml/metadata").catch(() => null);
  const entity = response?.ok ? /entityID="([^"]+)"/.exec(await response.text())?.[1] : undefined;
  return entity === undefined ? null : { entity_id: entity, acs_url: entity.replace(/metadata$/, "acs") };
}

const created = z.object({ id: z.uuid(), saml: z.object({ entity_id: z.string() }) });

/** Changes the provider with this id if the metadata are of the same entity, else adds one. `metadata`: XML or its URL. */
export async function saveSamlProvider(
  env: Env,
  network: Network,
  metadata: string,
  present: string | null,
): Promise<{ issuer: string; client_id: string }> {
  const metadata_xml = /^https?:/.test(metadata) ? await readMetadata(env, network, metadata) : metadata;
  const body = { type: "saml", metadata_xml, attribute_mapping: { keys: { name: { names: nameAttributes } } } };
  const save = (method: "PUT" | "POST", path: string) => ask(env, `/admin/sso/providers${path}`, { method, body, key: env.secretKey });
  let response = present === null ? null : await save("PUT", `/${present}`);
  if (!response?.ok) response = await save("POST", "");
  if (response.ok) {
    const { id, saml } = created.parse(await response.json());
    return { issuer: saml.entity_id, client_id: id };
  }
  if (response.status === 404) throw new AppError("saml_unavailable");
  const { error_code } = (await response.json().catch(() => ({}))) as { error_code?: string };
  throw invalid(error_code === "saml_idp_already_exists" ? "Another workspace uses this provider" : "This isn't valid SAML metadata");
}

const nameAttributes = [
  "displayName",
  "urn:oid:2.16.840.1.113730.3.1.241",
  "http://schemas.microsoft.com/identity/claims/displayname",
  "cn",
];

async function readMetadata({ signOnToPrivate: toPrivate }: Env, network: Network, url: string): Promise<string> {
  if (!URL.canParse(url)) throw invalid("Enter the metadata's URL or XML");
  try {
    const { status, body } = await fetchPublicUrl(
      network,
      { url: new URL(url), maxBytes: samlMetadataMaxLength },
      { toPrivate, timeoutMs },
    );
    if (status === 200) return new TextDecoder().decode(body);
    throw new Unreachable(`It answers ${status}`);
  } catch (error) {
    if (error instanceof Unreachable) throw invalid(`Couldn't read the metadata: ${error.message}`);
    throw error;
  }
}

const invalid = (metadata: string) => new AppError("validation_failed", { fields: { metadata } });

export async function samlUrl(env: Env, providerId: string, redirectUri: string): Promise<{ url: string; attempt: Attempt }> {
  const attempt = { state: oauth.generateRandomState(), nonce: "", verifier: oauth.generateRandomCodeVerifier() };
  const body = {
    ...{ provider_id: providerId, skip_http_redirect: true, redirect_to: `${redirectUri}?state=${attempt.state}` },
    ...{ code_challenge: await oauth.calculatePKCECodeChallenge(attempt.verifier), code_challenge_method: "s256" },
  };
  const response = await ask(env, "/sso", { method: "POST", body });
  if (!response.ok) throw new SignOnError(`The auth service answers ${response.status}`);
  return { ...z.object({ url: z.url({ protocol: /^https?$/ }) }).parse(await response.json()), attempt };
}

const signedIn = z.object({
  user: z.object({
    id: z.uuid(),
    identities: z.tuple([
      z.object({ provider: z.string(), identity_data: z.object({ sub: z.string(), email: z.string(), name: z.string().optional() }) }),
    ]),
  }),
});

export async function samlIdentity(env: Env, providerId: string, attempt: Attempt, query: URLSearchParams): Promise<Identity> {
  const body = { auth_code: query.get("code") ?? "", code_verifier: attempt.verifier };
  const response = await ask(env, "/token?grant_type=pkce", { method: "POST", body });
  if (!response.ok) throw new SignOnError(query.get("error_description") ?? "The auth service doesn't know this sign-in");
  const { user } = signedIn.parse(await response.json());
  await ask(env, `/admin/users/${user.id}`, { method: "DELETE", key: env.secretKey });
  const [{ provider, identity_data: claims }] = user.identities;
  if (provider !== `sso:${providerId}`) throw new SignOnError("The response is from another provider");
  return { subject: claims.sub, email: claims.email, name: claims.name ?? null, signOutUrls: [] };
}

interface Asked {
  method?: "GET" | "POST" | "PUT" | "DELETE";
  body?: object;
  key?: string;
}

function ask(env: Env, path: string, { method = "GET", body, key = env.publishableKey }: Asked = {}): Promise<Response> {
  const headers = { apikey: key, authorization: `Bearer ${key}`, "content-type": "application/json" };
  const signal = AbortSignal.timeout(timeoutMs);
  return fetch(`${env.supabaseUrl}/auth/v1${path}`, { method, headers, body: body && JSON.stringify(body), signal });
}
