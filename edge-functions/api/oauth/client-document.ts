import { isObject } from "#contract/blocks/read.ts";
import { assistantNameMaxLength } from "#contract/oauth.ts";

/** An assistant, as its own document says who it is: the address of that document is what it is known by. */
export interface OAuthClient {
  id: string;
  /** Nobody has verified it; null: it has none. */
  name: string | null;
  host: string;
  redirects: readonly string[];
}

/** No longer than this may a document be, in bytes, and its address, in characters. */
export const documentMaxBytes = 5_120;
const idMaxLength = 900;

/** Why an assistant cannot be told apart from any other. The sentence is for who wrote its document. */
export class ClientRefused extends Error {
  readonly reason: "client_id" | "unreachable" | "document";

  constructor(reason: ClientRefused["reason"], sentence: string) {
    super(sentence);
    this.reason = reason;
  }
}

/** The address of an assistant's document; `toPrivate`: also by http. */
export function documentAddress(id: string, toPrivate: boolean): URL {
  const wrong = (sentence: string) => new ClientRefused("client_id", sentence);
  if (id.length > idMaxLength) throw wrong(`The client_id is longer than ${idMaxLength} characters`);
  const url = /^[\x21-\x7e]+$/.test(id) && URL.canParse(id) ? new URL(id) : null;
  if (url === null || (url.protocol !== "https:" && !(toPrivate && url.protocol === "http:")))
    throw wrong("The client_id is not the https address of a document: this server knows no other clients, and registers none");
  if (url.pathname === "/" || url.hash !== "" || id.includes("#") || url.username !== "" || url.password !== "")
    throw wrong("The client_id needs a path, and no fragment, user name or password");
  // As it is written, it is compared: dots that lead up again, a default port or capital letters would make two of one.
  if (url.href !== id) throw wrong("The client_id is not written as addresses are: its plain form is what has to stand there");
  return url;
}

/** What a document says, where it says it of itself. */
export function readDocument(id: string, host: string, text: string): OAuthClient {
  const wrong = (sentence: string) => new ClientRefused("document", sentence);
  const said = parsed(text);
  if (said === null) throw wrong("The document is not a JSON object");
  if (said.client_id !== id) throw wrong("The document has another client_id than its own address");
  const { redirect_uris: redirects, token_endpoint_auth_method: method = "none" } = said;
  if (!isTexts(redirects) || redirects.length === 0) throw wrong("The document names no redirect_uris");
  if ("client_secret" in said || "client_secret_expires_at" in said) throw wrong("The document must not hold a client_secret");
  if (method !== "none") throw wrong("The document asks for a token_endpoint_auth_method; this server takes public clients: none");
  if (!allows(said.grant_types, "authorization_code") || !allows(said.response_types, "code"))
    throw wrong("The document does not allow the grant authorization_code with the response code");
  return { id, name: nameIn(said.client_name), host, redirects };
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every((one) => typeof one === "string");
const allows = (list: unknown, word: string): boolean => list === undefined || (isTexts(list) && list.includes(word));

/** Signs that are not seen, or turn the direction of what follows: among them letters that look like nothing, and the pattern of Braille without a dot. */
const unseen = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;
/** More marks on one letter than any language writes: they would stand on the lines above and below. */
const heaped = /(\p{M}{3})\p{M}+/gu;

/** A name on one line, in which nothing is hidden and which stays on its line: nobody writes himself another one with it. */
function nameIn(value: unknown): string | null {
  if (typeof value !== "string") return null;
  const line = value.toWellFormed().replace(unseen, " ").replace(heaped, "$1").replace(/\s+/g, " ").trim();
  const name = Array.from(line).slice(0, assistantNameMaxLength).join("").trim();
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(name) ? name : null;
}
