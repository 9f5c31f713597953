export const lineOf = (text: string): string => text.replace(/\s+/g, " ").trim();
