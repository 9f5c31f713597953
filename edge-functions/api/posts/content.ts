import { boundsProblem } from "#contract/blocks/bounds.ts";
import { cleanBlocks } from "#contract/blocks/clean.ts";
import { giveIds } from "#contract/blocks/give-ids.ts";
import { isEmpty } from "#contract/blocks/is-empty.ts";
import type { CleanedContent } from "#contract/blocks/schema.ts";
import { hasTooManyValues } from "#contract/rules/json-values.ts";
import { AppError } from "../../_shared/errors.ts";

/** Cleans content and adds block ids; throws at `field` if it's over the limits or empty, unless `mayBeEmpty` (autosave). */
export async function requireContent(
  output: unknown,
  field: "blocks" | "content_raw" | "markdown",
  mayBeEmpty = false,
): Promise<CleanedContent> {
  const refuse = (sentence: string): never => {
    throw new AppError("validation_failed", { fields: { [field]: sentence } });
  };
  const problem = boundsProblem(output);
  if (problem !== null) refuse(problem);
  const content = giveIds(cleanBlocks(output));
  // Escaping lengthens text; the stored form must pass the limits again.
  const storedProblem = boundsProblem(content);
  if (storedProblem !== null) refuse(storedProblem);
  if (!mayBeEmpty && isEmpty(content)) refuse("Content is required");
  return content;
}

export async function requireContentText(text: string, mayBeEmpty = false): Promise<CleanedContent> {
  if (hasTooManyValues(text)) throw new AppError("body_too_large");
  let output: unknown;
  try {
    output = JSON.parse(text);
  } catch (cause) {
    throw new AppError("validation_failed", { fields: { content_raw: "The content isn't valid JSON" }, cause });
  }
  return await requireContent(output, "content_raw", mayBeEmpty);
}
