import { cleanBlocks, unlimited } from "#contract/blocks/clean.ts";
import { blocksToMarkdown } from "#contract/blocks/to-markdown.ts";
import type { Writing } from "../../session/write.ts";

export const postMarkdown = ({ title, content }: Pick<Writing, "title" | "content">): string =>
  `# ${title.trim() || "Untitled"}\n\n${blocksToMarkdown(cleanBlocks(content, unlimited), { base: location.origin })}`;
