import { toBase64Url } from "../../_shared/base64.ts";
import { AppError } from "../../_shared/errors.ts";

/** The ETag of a post: its version, which every change of it raises, and a short hash of what else the answer depends on. */
export async function etagOf(version: number, others: readonly unknown[]): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(JSON.stringify(others)));
  return `"v${version}.${toBase64Url(new Uint8Array(digest, 0, 9))}"`;
}

/** W/ before it is what a proxy adds that packs an answer: the version is the same. */
const tag = /^(?:W\/)?"v(\d{1,9})(?:\.[\w-]+)?"$/;

/**
 * The version that If-Match asks for, as an ETag or by itself ("v7"); undefined: any. What is no ETag of ours is refused, so that nobody believes
 * himself safe.
 */
export function ifMatch(headers: Headers): number | undefined {
  const given = headers.get("if-match")?.trim();
  if (given === undefined || given === "*") return undefined;
  const [, version] = tag.exec(given) ?? [];
  if (version === undefined) throw new AppError("invalid_precondition");
  return Number(version);
}

/** Whether the one who asks has this very answer already. */
export function isKnown(headers: Headers, etag: string): boolean {
  const given = headers.get("if-none-match") ?? "";
  return given.split(",").some((one) => one.trim() === "*" || one.trim().replace(/^W\//, "") === etag);
}

/** `If-None-Match: *`: only if there is none yet. */
export const onlyNew = (headers: Headers): boolean => headers.get("if-none-match")?.trim() === "*";
