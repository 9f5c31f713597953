import { boundsProblem } from "#contract/blocks/bounds.ts";
import { cleanBlocks } from "#contract/blocks/clean.ts";
import { giveIds } from "#contract/blocks/give-ids.ts";
import { isEmpty } from "#contract/blocks/is-empty.ts";
import type { CleanedContent } from "#contract/blocks/schema.ts";
import { hasTooManyValues } from "#contract/rules/json-values.ts";
import { AppError } from "../../_shared/errors.ts";

/**
 * The editor's output, cleaned and with an id for every block; refused at `field` when it is too much for a post or nothing is left of it, which
 * a draft that saves itself `mayBeEmpty`. Source: specification, section 5.
 */
export async function requireContent(
  output: unknown,
  field: "blocks" | "content_raw" | "markdown",
  mayBeEmpty = false,
): Promise<CleanedContent> {
  const refuse = (sentence: string): never => {
    throw new AppError("validation_failed", { fields: { [field]: sentence } });
  };
  const given = boundsProblem(output);
  if (given !== null) refuse(given);
  const content = giveIds(cleanBlocks(output));
  // Escaping makes a text longer: what is kept now must be short enough to be saved again.
  const kept = boundsProblem(content);
  if (kept !== null) refuse(kept);
  if (!mayBeEmpty && isEmpty(content)) refuse("Content is required");
  return content;
}

/** The same for `content_raw`, which comes as JSON text. */
export async function requireContentText(text: string, mayBeEmpty = false): Promise<CleanedContent> {
  if (hasTooManyValues(text)) throw new AppError("body_too_large");
  let output: unknown;
  try {
    output = JSON.parse(text);
  } catch (cause) {
    throw new AppError("validation_failed", { fields: { content_raw: "The content is not valid JSON" }, cause });
  }
  return await requireContent(output, "content_raw", mayBeEmpty);
}
