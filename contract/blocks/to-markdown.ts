import type { Place } from "./block-type.ts";
import { type Block, typeOf } from "./block-types.ts";
import { requireCleaned } from "./clean.ts";
import type { CleanedContent } from "./schema.ts";

export interface MarkdownOptions {
  /** An origin: makes stored images absolute. */
  base?: string;
  /** Keeps everything, so that ./from-markdown.ts reads back the same post: for who writes it again, not for who only reads it. */
  whole?: boolean;
  /** Where a stored image stands instead: beside the file, say. */
  picture?: (url: string) => string;
  /** By how many levels headings stand lower: two at most, or there are none. */
  below?: number;
}

const placed = ({ base = "", whole = false, picture, below = 0 }: MarkdownOptions): Place => ({ base, page: false, whole, picture, below });

/** What Markdown has no signs for, as a comment that shows nowhere; ./from-markdown.ts reads it behind the block, or right behind an image. */
export const noteOf = (unsaid: object): string => `<!-- tidings ${JSON.stringify(unsaid).replaceAll(">", "\\u003e")} -->`;

function written(block: Block, before: Block | undefined, place: Place, joined: boolean): [markdown: string, joined: boolean] {
  const type = typeOf(block);
  const markdown = type.markdown(block.data, place);
  if (!place.whole || markdown === "") return [markdown, false];
  // A list right behind one of its kind would be that one: other signs begin another.
  const isOrdered = (one: Block | undefined) => (one?.type === "list" ? one.data.style === "ordered" : null);
  const follows = !joined && isOrdered(block) !== null && isOrdered(before) === isOrdered(block);
  const apart = follows ? markdown.replace(/^-(?= |$)/gm, "*").replace(/^(\d+)\.(?= |$)/gm, "$1)") : markdown;
  const unsaid = type.unsaid?.(block.data) ?? {};
  const note = Object.keys(unsaid).length === 0 ? "" : `\n${noteOf(unsaid)}`;
  return [apart + note, follows];
}

/** A post's content as Markdown (CommonMark with tables, task lists and strike-through). */
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
