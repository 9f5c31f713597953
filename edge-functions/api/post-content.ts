import { cleanBlocks } from "#contract/blocks/clean.ts";
import { isEmpty } from "#contract/blocks/is-empty.ts";
import type { EditorOutput } from "#contract/blocks/schema.ts";
import { AppError } from "../_shared/errors.ts";

/** The editor's output, cleaned; refused at `field` when nothing is left of it. Source: specification, section 5. */
export function requireContent(output: unknown, field: "blocks" | "content_raw"): EditorOutput {
  const content = cleanBlocks(output);
  if (isEmpty(content)) throw new AppError("validation_failed", { fields: { [field]: "Content is required" } });
  return content;
}

/** The same for `content_raw`, which comes as JSON text. */
export function requireContentText(text: string): EditorOutput {
  let output: unknown;
  try {
    output = JSON.parse(text);
  } catch (cause) {
    throw new AppError("validation_failed", { fields: { content_raw: "The content is not valid JSON" }, cause });
  }
  return requireContent(output, "content_raw");
}
