import type { CleanedContent, EditorOutput } from "#contract/blocks/schema.ts";
import { AppError } from "../../_shared/errors.ts";
import { requireContent } from "../posts/content.ts";
import { piecesOf, UncutMarkdown } from "./markdown-in-pieces.ts";

type Parser = typeof import("#contract/blocks/from-markdown.ts");

/** What was sent as a post's content, cleaned; undefined when there is none. */
export async function contentOf(
  { markdown, blocks }: { markdown?: string; blocks?: unknown },
  publicUrl: string,
): Promise<CleanedContent | undefined> {
  if (markdown === undefined) return blocks === undefined ? undefined : await requireContent(blocks, "blocks");
  return await requireContent(await blocksOfMarkdown(markdown, publicUrl), "markdown");
}

/** Loads the parser with the first Markdown: a worker that never sees any starts without it. */
export async function blocksOfMarkdown(markdown: string, publicUrl: string): Promise<EditorOutput["blocks"]> {
  const parser = await import("#contract/blocks/from-markdown.ts");
  try {
    return await readMarkdown(markdown, publicUrl, parser);
  } catch (error) {
    const isTooMuch = error instanceof parser.MarkdownProblem || error instanceof UncutMarkdown;
    throw isTooMuch ? new AppError("validation_failed", { fields: { markdown: error.message } }) : error;
  }
}

/** Answers name images by their whole addresses; ours are kept without the origin, which may change. */
async function readMarkdown(
  markdown: string,
  base: string,
  { blocksFromMarkdown, MarkdownProblem, markdownProblem }: Parser,
): Promise<EditorOutput["blocks"]> {
  const problem = markdownProblem(markdown);
  if (problem !== null) throw new MarkdownProblem(problem);
  const blocks: EditorOutput["blocks"] = [];
  for (const piece of piecesOf(markdown)) {
    blocks.push(...blocksFromMarkdown(piece, { base }).blocks);
    await new Promise((resolve) => setTimeout(resolve, 0)); // other requests go on between pieces
  }
  return blocks;
}
