import { cleanText } from "#contract/blocks/text.ts";
import { externalIdMaxLength } from "#contract/limits.ts";
import { lineOf } from "#contract/rules/line-of.ts";
import { sha256 } from "./fingerprint.ts";

/** Single line as stored: no control characters, whitespace collapsed. */
export const cleanLineOf = (text: string): string => lineOf(cleanText(text));

/** Long ids are truncated with a hash of the whole. Ids that become the same line collide. */
export async function externalIdOf(rawId: string): Promise<string> {
  const id = cleanLineOf(rawId);
  if (id !== "" && id.length <= externalIdMaxLength) return id;
  const sum = (await sha256(rawId)).slice(0, 32);
  return `${id.slice(0, externalIdMaxLength - 40).replace(/[\ud800-\udbff]$/, "")}~${sum}`.trim();
}
