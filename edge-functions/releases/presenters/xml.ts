import { cleanText, escapeHtml } from "#contract/blocks/text.ts";

export const escapeXml = (text: string): string => escapeHtml(cleanText(text));
