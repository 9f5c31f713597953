import type { Place } from "./block-type.ts";
import { type Block, typeOf } from "./block-types.ts";
import { requireCleaned } from "./clean.ts";
import type { CleanedContent } from "./schema.ts";

export interface MarkdownOptions {
  base?: string;
  whole?: boolean;
  picture?: (url: string) => string;
  /** Lowers heading levels by this many: two at most, or headings run out. */
  below?: number;
}

const placed = ({ base = "", whole = false, picture, below = 0 }: MarkdownOptions): Place => ({ base, page: false, whole, picture, below });

/** Hidden comment with fields Markdown can't express; ./from-markdown.ts reads it behind the block, or right behind an image. */
export const noteOf = (unsaid: object): string => `<!-- tidings ${JSON.stringify(unsaid).replaceAll(">", "\\u003e")} -->`;

function written(block: Block, before: Block | undefined, place: Place, joined: boolean): [markdown: string, joined: boolean] {
  const type = typeOf(block);
  const markdown = type.markdown(block.data, place);
  if (!place.whole || markdown === "") return [markdown, false];
  // Adjacent lists of one kind would merge, so the second uses other markers.
  const isOrdered = (one: Block | undefined) => (one?.type === "list" ? one.data.style === "ordered" : null);
  const follows = !joined && isOrdered(block) !== null && isOrdered(before) === isOrdered(block);
  const apart = follows ? markdown.replace(/^-(?= |$)/gm, "*").replace(/^(\d+)\.(?= |$)/gm, "$1)") : markdown;
  const unsaid = type.unsaid?.(block.data) ?? {};
  const note = Object.keys(unsaid).length === 0 ? "" : `\n${noteOf(unsaid)}`;
  return [apart + note, follows];
}

export function blocksToMarkdown(content: CleanedContent, options: MarkdownOptions = {}): string {
  requireCleaned(content);
  const place = placed(options);
  const parts: string[] = [];
  let before: Block | undefined;
  let joined = false;
  for (const block of content.blocks) {
    const [markdown, follows] = written(block, before, place, joined);
    if (markdown !== "" || !place.whole) parts.push(markdown);
    if (markdown !== "") [before, joined] = [block, follows];
  }
  return parts.join("\n\n");
}
