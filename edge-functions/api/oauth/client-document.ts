import { isObject } from "#contract/blocks/read.ts";
import { assistantNameMaxLength } from "#contract/oauth.ts";

export interface OAuthClient {
  id: string;
  name: string | null;
  host: string;
  redirects: readonly string[];
}

export const documentMaxBytes = 5_120;
const idMaxLength = 900;

/** The message is for the client's developer. */
export class ClientRefused extends Error {
  readonly reason: "client_id" | "unreachable" | "document";

  constructor(reason: ClientRefused["reason"], sentence: string) {
    super(sentence);
    this.reason = reason;
  }
}

export function documentAddress(id: string, toPrivate: boolean): URL {
  const wrong = (sentence: string) => new ClientRefused("client_id", sentence);
  if (id.length > idMaxLength) throw wrong(`The client_id has more than ${idMaxLength} characters`);
  const url = /^[\x21-\x7e]+$/.test(id) && URL.canParse(id) ? new URL(id) : null;
  if (url === null || (url.protocol !== "https:" && !(toPrivate && url.protocol === "http:")))
    throw wrong("The client_id isn't the https URL of a metadata document. This server has no other clients and no registration");
  if (url.pathname === "/" || url.hash !== "" || id.includes("#") || url.username !== "" || url.password !== "")
    throw wrong("The client_id needs a path, and no fragment, user name or password");
  // Compared byte by byte, so only the normal form is accepted (no dot segments, default port or capitals).
  if (url.href !== id) throw wrong("The client_id isn't a normalised URL");
  return url;
}

export function readDocument(id: string, host: string, text: string): OAuthClient {
  const wrong = (sentence: string) => new ClientRefused("document", sentence);
  const metadata = parsed(text);
  if (metadata === null) throw wrong("The document isn't a JSON object");
  if (metadata.client_id !== id) throw wrong("The document's client_id differs from its URL");
  const { redirect_uris: redirects, token_endpoint_auth_method: method = "none" } = metadata;
  if (!isTexts(redirects) || redirects.length === 0) throw wrong("The document has no redirect_uris");
  if ("client_secret" in metadata || "client_secret_expires_at" in metadata) throw wrong("The document must not contain a client_secret");
  if (method !== "none") throw wrong("The document requires a token_endpoint_auth_method; this server supports public clients only: none");
  if (!allows(metadata.grant_types, "authorization_code") || !allows(metadata.response_types, "code"))
    throw wrong("The document doesn't allow the grant authorization_code with the response type code");
  return { id, name: nameIn(metadata.client_name), host, redirects };
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every((item) => typeof item === "string");
const allows = (list: unknown, word: string): boolean => list === undefined || (isTexts(list) && list.includes(word));

const unseen = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;
/** Stacked combining marks would cover other lines. */
const heaped = /(\p{M}{3})\p{M}+/gu;

function nameIn(value: unknown): string | null {
  if (typeof value !== "string") return null;
  const line = value.toWellFormed().replace(unseen, " ").replace(heaped, "$1").replace(/\s+/g, " ").trim();
  const name = Array.from(line).slice(0, assistantNameMaxLength).join("").trim();
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(name) ? name : null;
}
