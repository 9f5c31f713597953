import type { OutputData } from "@editorjs/editorjs";
import { cleanBlocks, unlimited } from "#contract/blocks/clean.ts";
import type { EditorOutput } from "#contract/blocks/schema.ts";

/** Contents as Editor.js wants them: cleaned once more, because it runs the HTML it is given. */
export const toEditor = (content: EditorOutput): OutputData => cleanBlocks(content, unlimited);

/** What Editor.js holds, as it is stored: cleaned, in format 2.28.2. */
export const fromEditor = (output: OutputData): EditorOutput => cleanBlocks(output, unlimited);
