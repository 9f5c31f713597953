import { AppError } from "../../_shared/errors.ts";

/** The ETag of a post: its version, which every change of it raises. */
export const etagOf = (version: number): string => `"v${version}"`;

/** W/ before it is what a proxy adds that packs an answer: the version is the same. */
const tag = /^(?:W\/)?"v(\d{1,9})"$/;

/** The version that If-Match asks for; undefined: any. What is no ETag of ours is refused, so that nobody believes himself safe. */
export function ifMatch(headers: Headers): number | undefined {
  const given = headers.get("if-match")?.trim();
  if (given === undefined || given === "*") return undefined;
  const [, version] = tag.exec(given) ?? [];
  if (version === undefined) throw new AppError("invalid_precondition");
  return Number(version);
}

/** Whether the one who asks has this version already. */
export function isKnown(headers: Headers, version: number): boolean {
  const given = headers.get("if-none-match") ?? "";
  return given.split(",").some((one) => one.trim() === "*" || Number(tag.exec(one.trim())?.[1]) === version);
}

/** `If-None-Match: *`: only if there is none yet. */
export const onlyNew = (headers: Headers): boolean => headers.get("if-none-match")?.trim() === "*";
