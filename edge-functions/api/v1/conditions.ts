import { toBase64Url } from "../../_shared/base64.ts";
import { AppError } from "../../_shared/errors.ts";

/** Version plus a short hash of everything else in the response. */
export async function etagOf(version: number, others: readonly unknown[]): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(JSON.stringify(others)));
  return `"v${version}.${toBase64Url(new Uint8Array(digest, 0, 9))}"`;
}

/** Proxies that compress add W/. */
const tag = /^(?:W\/)?"v(\d{1,9})(?:\.[\w-]+)?"$/;

/** If-Match as an ETag or "v7"; undefined: any. Throws for foreign ETags, so a caller isn't falsely protected. */
export function ifMatch(headers: Headers): number | undefined {
  const header = headers.get("if-match")?.trim();
  if (header === undefined || header === "*") return undefined;
  const [, version] = tag.exec(header) ?? [];
  if (version === undefined) throw new AppError("invalid_precondition");
  return Number(version);
}

export function isKnown(headers: Headers, etag: string): boolean {
  const header = headers.get("if-none-match") ?? "";
  return header.split(",").some((candidate) => candidate.trim() === "*" || candidate.trim().replace(/^W\//, "") === etag);
}

/** `If-None-Match: *` creates only. */
export const onlyNew = (headers: Headers): boolean => headers.get("if-none-match")?.trim() === "*";
