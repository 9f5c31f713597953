import { cleanText, escapeHtml } from "#contract/blocks/text.ts";

/** Escapes, and removes characters XML can't hold. */
export const escapeXml = (text: string): string => escapeHtml(cleanText(text));
