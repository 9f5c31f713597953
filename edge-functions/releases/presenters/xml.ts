import { cleanText, escapeHtml } from "#contract/blocks/text.ts";

/** Text for a document in XML: escaped, and without the characters that XML cannot hold. */
export const escapeXml = (text: string): string => escapeHtml(cleanText(text));
