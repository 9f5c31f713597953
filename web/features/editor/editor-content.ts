import type { OutputData } from "@editorjs/editorjs";
import { cleanBlocks, unlimited } from "#contract/blocks/clean.ts";
import type { EditorOutput } from "#contract/blocks/schema.ts";

/** Content for Editor.js, sanitised again because it renders any HTML. */
export const toEditor = (content: EditorOutput): OutputData => cleanBlocks(content, unlimited);

export const fromEditor = (output: OutputData): EditorOutput => cleanBlocks(output, unlimited);
