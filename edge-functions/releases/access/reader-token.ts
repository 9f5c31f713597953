import { bytesUpTo } from "../../_shared/bytes-up-to.ts";

/** The request's body, if it can be a token. */
export async function readToken({ body }: Request): Promise<string> {
  const bytes = body === null ? null : await bytesUpTo(body, 4_096);
  const text = bytes === null ? "" : new TextDecoder().decode(bytes).trim();
  return /^[\w.-]+$/.test(text) ? text : "none";
}
