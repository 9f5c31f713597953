import type { CleanedContent, EditorOutput } from "#contract/blocks/schema.ts";
import { AppError } from "../../_shared/errors.ts";
import { requireContent } from "../posts/content.ts";
import { piecesOf, UncutMarkdown } from "./split-markdown.ts";

type Parser = typeof import("#contract/blocks/from-markdown.ts");

export async function contentOf(
  { markdown, blocks }: { markdown?: string; blocks?: unknown },
  publicUrl: string,
): Promise<CleanedContent | undefined> {
  if (markdown === undefined) return blocks === undefined ? undefined : await requireContent(blocks, "blocks");
  return await requireContent(await blocksOfMarkdown(markdown, publicUrl), "markdown");
}

export async function blocksOfMarkdown(markdown: string, publicUrl: string): Promise<EditorOutput["blocks"]> {
  const parser = await import("#contract/blocks/from-markdown.ts");
  try {
    return await readMarkdown(markdown, publicUrl, parser);
  } catch (error) {
    const isTooMuch = error instanceof parser.MarkdownProblem || error instanceof UncutMarkdown;
    throw isTooMuch ? new AppError("validation_failed", { fields: { markdown: error.message } }) : error;
  }
}

/** Strips our origin from image URLs, as it may change. */
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
    await new Promise((resolve) => setTimeout(resolve, 0)); // yields to other requests
  }
  return blocks;
}
