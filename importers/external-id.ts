import { cleanText } from "#contract/blocks/text.ts";
import { externalIdMaxLength } from "#contract/limits.ts";
import { lineOf } from "#contract/rules/line-of.ts";
import { sha256 } from "./fingerprint.ts";

/** A line of text as it can be kept: without control characters, blanks as one. */
export const cleanLineOf = (text: string): string => lineOf(cleanText(text));

/** The name at the source; of one that is too long the beginning, and a sum of the whole. Of two that are one as a line (`cleanLineOf`) only one can be kept. */
export async function externalIdOf(given: string): Promise<string> {
  const id = cleanLineOf(given);
  if (id !== "" && id.length <= externalIdMaxLength) return id;
  const sum = (await sha256(given)).slice(0, 32);
  return `${id.slice(0, externalIdMaxLength - 40).replace(/[\ud800-\udbff]$/, "")}~${sum}`.trim();
}
