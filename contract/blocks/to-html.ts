import type { Place } from "./block-type.ts";
import { typeOf } from "./block-types.ts";
import { requireCleaned } from "./clean.ts";
import type { CleanedContent } from "./schema.ts";

const placed = ({ base = "", page = false, colour, words }: Partial<Place>): Place => ({ base, page, colour, words });

export function htmlOfEach(content: CleanedContent, options: Partial<Place> = {}): string[] {
  requireCleaned(content);
  const place = placed(options);
  return content.blocks.map((block) => typeOf(block).html(block.data, place));
}

/**
 * A post's content as complete, escaped HTML without scripts, styles or event handlers, one block a line.
 * Links carry no `nofollow`: the writers are members of the workspace whose page it is.
 */
export const blocksToHtml = (content: CleanedContent, place: Partial<Place> = {}): string => htmlOfEach(content, place).join("\n");
