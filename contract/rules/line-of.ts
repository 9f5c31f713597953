/** Single line as the database stores it: whitespace collapsed and trimmed. */
export const lineOf = (text: string): string => text.replace(/\s+/g, " ").trim();
